import { describe, expect, test } from 'vitest';
import { narrate } from '../../../../core/cases/narrative.ts';
import { type Candidate, nearestByLabel } from '../../../../core/retrieval/nearest.ts';
import { termIndex } from '../../../../core/retrieval/termWeights.ts';
import { cosineAt, unitVectors } from '../../../../core/retrieval/vectors.ts';
import type { CaseKind } from '../../../../shared/domain.ts';
import { replay, verify } from '../../engine.ts';
import { embedText, startDemoServer } from '../../models/demo/demoServer.ts';
import { kept } from '../../testing/kept.ts';
import { everyone, type Hearings, openHearings } from './testing/hearings.ts';

const feelings = ['sadness', 'joy', 'love', 'anger', 'fear', 'surprise'];
const tellings = [
  'I miss my dog',
  'what a bright day',
  'my dear old friend',
  'he broke my cup',
  'a noise in the dark',
  'nobody told me',
];

/** Short texts of six feelings; words are shared between them, so that likeness is a matter of degree. */
const sixLabels = Array.from({ length: 72 }, (_, index) => ({
  id: `t${index}`,
  text: `${tellings[index % 6]} and ${tellings[(index * 5 + (index >> 3)) % 6]}, day ${index % 11}`,
  label: feelings[index % 6] ?? '',
}));

const claims = ['the shop is open on Sunday', 'the river runs north', 'two people were in the boat', 'the key fits the door'];

/** Pairs of sentences, the second of which follows from the first or does not. */
const pairs = Array.from({ length: 48 }, (_, index) => ({
  id: `p${index}`,
  premise: `${claims[index % 4]}, says witness ${index % 7}`,
  hypothesis: index % 2 === 0 ? `${claims[index % 4]}` : `${claims[(index + 1 + (index % 3)) % 4]}`,
  label: index % 2 === 0 ? 'follows' : 'does not follow',
}));

interface Kase extends Candidate {
  readonly ref: string;
  readonly narrative: string;
  readonly split: string;
}

/** Every case of the store as precedents are found by, and the ids that trials are about. */
const casesIn = (lab: Hearings, kind: CaseKind) =>
  lab.look((store) => {
    const { id: dataset = 0 } = store.datasets.all().at(-1) ?? {};
    const cases = store.datasets.cases(dataset).map(({ id, ref, split }): Kase => {
      const { truth, facts } = store.datasets.read(ref);
      return { id, ref, split, label: String(truth), narrative: narrate(facts, kind) };
    });
    return { cases, trials: new Map(store.trials.all().map(({ trial, case_id }) => [trial, case_id])) };
  });

describe.each([
  ['six labels', 'text', feelings, sixLabels],
  ['pairs', 'pair', ['does not follow', 'follows'], pairs],
] as const)('%s', (_what, kind, labels, rows) => {
  test.each([
    ['embeddings', true],
    ['tf-idf', false],
  ] as const)(
    'the thread finds by %s what the functions find, to the last digit',
    { tags: 'exhaustive' },
    async (method, model) => {
      const standin = kept(await startDemoServer());
      const lab = kept(
        openHearings({
          url: standin.url,
          cases: rows,
          arms: [{ name: 'single', protocol: 'single', params: { shots: 2 }, cast: everyone(model) }],
          dataset: { kind, labels },
        }),
      );
      const report = await lab.run();
      expect(report.decided).toBe(rows.length / 4);
      const { cases, trials } = casesIn(lab, kind);
      const training = cases.filter(({ split }) => split === 'train');
      const vectorOf = ({ narrative }: Kase) => Float32Array.from(embedText(narrative, 'embed:1', 768));
      const units = unitVectors(Float32Array.from(training.flatMap((kase) => [...vectorOf(kase)])), 768);
      const terms = termIndex(training.map(({ narrative }) => narrative));
      const found = lab.inTrials('precedent-retrieve');
      expect(found).toHaveLength(report.decided);
      for (const { trial, payload } of found) {
        const own = cases.find(({ id }) => id === trials.get(trial));
        if (own === undefined) throw new Error('a trial is about no case');
        const unit = unitVectors(vectorOf(own), 768).values;
        const byTerms = terms.similarities(own.narrative);
        const similarityOf = (place: number) => {
          if (training[place]?.narrative === own.narrative) return null;
          return method === 'embeddings' ? cosineAt(units, place, unit) : (byTerms[place] ?? 0);
        };
        const expected = nearestByLabel(training, similarityOf, labels, 2);
        expect(payload.method).toBe(method);
        expect(payload.precedents).toEqual(
          expected.map(({ candidate: { ref, label }, similarity }) => ({ case: ref, label, similarity })),
        );
        expect(payload.precedents).toHaveLength(labels.length * 2);
      }
      expect(await verify(lab.store, {})).toMatchObject({ result: 'intact' });
      expect(await replay(lab.store, undefined, () => undefined)).toMatchObject({ identical: report.decided });
    },
  );
});
