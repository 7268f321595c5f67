// Checks trained assistants: trains every version again and compares.
import type { z } from 'zod';
import { caseKey } from '../../../core/assistant/caseKey.ts';
import { doublesIn } from '../../../core/assistant/numbersAsText.ts';
import { trainAssistant } from '../../../core/assistant/trainAssistant.ts';
import { ratedText } from '../../../core/assistant/trainedAssistant.ts';
import { trainingSetSchema } from '../../../shared/assistants.ts';
import type { EventPayload } from '../../../shared/events.ts';
import { knownVectors, nameOf } from '../lab/assistant/ledger.ts';
import { isRight, isUnassisted } from '../lab/assistant/statements.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { narrativeOf } from '../lab/preparation/search.ts';
import { ErasedText } from '../store/erasedText.ts';
import type { StoredEvent } from '../store/events.ts';
import { parseChain, parseStored } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { type BadRecord, badEvent, firstProblem } from './chain.ts';
import { checkVectors } from './requests.ts';

/** What processors may make of the exponentials in a fit. */
const roundingNoise = 1e-5;

type Used = z.infer<typeof trainingSetSchema>['statements'][number];

/** What is wrong with a statement: it was made in its trial, about a training case, and is right where it says so. */
function statementProblem(store: Store, dataset: number, utterances: ReadonlySet<string>, used: Used): string | null {
  const stored = store.datasets.caseOfRef(dataset, used.case);
  if (stored?.split !== 'train') return 'one of its statements is not about a case of the training split';
  if (!utterances.has(statementName(used.trial, used.key, used.text, used.position))) {
    return 'one of its statements was not made in its trial';
  }
  const { truth } = store.datasets.outline(used.case);
  if (truth === null || used.position === null || isRight(used.position, truth) !== used.right) {
    return 'one of its statements is said to be right and is not, or the other way round';
  }
  return null;
}

const statementName = (trial: string, key: string, text: string, position: unknown) =>
  JSON.stringify([trial, key, text, position]);

/** Every utterance with a position of some trials, in all their attempts. */
function utterancesOf(store: Store, trials: ReadonlySet<string>): Set<string> {
  return new Set(
    [...trials].flatMap((trial) =>
      parseChain(store.events.ofKinds(trial, ['utterance-make'])).flatMap((event) =>
        event.kind === 'utterance-make' && event.payload.concedes !== true
          ? [statementName(trial, event.payload.key, event.payload.text, event.payload.position)]
          : [],
      ),
    ),
  );
}

/** Whether a trial was one of an experiment's unassisted debates, the only ones to learn from. */
function unassistedTrials(store: Store, experiment: string): (trial: string) => boolean {
  const frozen = loadFrozen(store, experiment);
  const arms = new Set(frozen.arms.filter((arm) => isUnassisted(frozen, arm)).map(({ name }) => name));
  return (trial) => {
    const row = store.trials.get(trial);
    return row?.experiment === experiment && arms.has(row.arm);
  };
}

const figuresOf = ({ training, holdout }: Pick<EventPayload<'assistant-train'>, 'training' | 'holdout'>): number[] => [
  ...Object.values(training),
  holdout.statements,
  holdout.cases,
  holdout.positive,
  holdout.accuracy,
  holdout.area ?? -1,
  ...(holdout.threshold === undefined ? [] : [holdout.threshold ?? -1]),
];

const isNear = (one: ArrayLike<number>, other: ArrayLike<number>): boolean =>
  one.length === other.length && Array.from(one).every((value, index) => Math.abs(value - (other[index] ?? 0)) <= roundingNoise);

/** What is wrong with a version: it is trained again from its statements, and has to come out the same. */
function versionProblem(
  store: Store,
  frozen: FrozenExperiment,
  embeddings: readonly EventPayload<'statement-embed'>[],
  payload: EventPayload<'assistant-train'>,
): string | null {
  const { v: rule, statements } = trainingSetSchema.parse(JSON.parse(store.blobs.need(payload.statements)));
  const trials = new Set(statements.map(({ trial }) => trial));
  if (![...trials].every(unassistedTrials(store, payload.experiment))) {
    return 'one of its statements is not of a debate of its experiment without an assistant';
  }
  const utterances = utterancesOf(store, trials);
  for (const used of statements) {
    const problem = statementProblem(store, frozen.dataset.id, utterances, used);
    if (problem !== null) return problem;
  }
  const { vectors, standin, erased } = knownVectors(store, embeddings, payload.embedder);
  const known = statements.map(({ case: kase, text, right }) => ({
    group: caseKey(rule, narrativeOf(frozen, store.datasets.read(kase))),
    isRight: right,
    vector: vectors.get(nameOf([kase, text])),
  }));
  const usable = known.flatMap(({ vector, ...statement }) => (vector === undefined ? [] : [{ ...statement, vector }]));
  if (usable.length < known.length && erased) throw new ErasedText();
  if (usable.length < known.length) return 'one of its statements has no vector';
  if (standin !== payload.standin) return "it does not say rightly whether its vectors are the demo model's";
  const again = trainAssistant(usable, { seed: payload.seed });
  if (again.isHeldOut.some((isHeldOut, index) => isHeldOut !== statements[index]?.holdout)) return 'its hold-out is another one';
  if (payload.dimensions !== again.weights.length - 1) return 'it has not as many dimensions as its vectors';
  if (!isNear(again.weights, doublesIn(store.blobs.need(payload.weights))))
    return 'its weights do not follow from its statements';
  const { threshold, ...measured } = again.holdout;
  const holdout = payload.holdout.threshold === undefined ? measured : { ...measured, threshold };
  return isNear(figuresOf({ ...again, holdout }), figuresOf(payload)) ? null : 'its figures do not follow from its statements';
}

/** The newest experiment over a data set, whose layout of cases is that of all the others. */
function experimentOver(store: Store, manifest: string): FrozenExperiment | null {
  const dataset = store.datasets.all().find((row) => row.manifest === manifest);
  const row = store.experiments.all().find((experiment) => experiment.dataset === dataset?.id);
  return row === undefined ? null : loadFrozen(store, row.name);
}

/** Checks the chain of a data set's trained assistants: every version is trained again from what it names. */
export function checkAssistants(store: Store, manifest: string, chain: readonly StoredEvent[]): BadRecord | null {
  const [first] = chain;
  if (first === undefined) return null;
  const frozen = experimentOver(store, manifest);
  if (frozen === null) return badEvent(first, 'its data set, or an experiment over it, is not on the record');
  const embeddings: EventPayload<'statement-embed'>[] = [];
  let versions = 0;
  return firstProblem(chain, (event) => {
    const { kind, payload } = parseStored(event);
    if (kind === 'statement-embed') {
      embeddings.push(payload);
      const texts = () =>
        payload.statements.map(([kase, text]) =>
          ratedText(narrativeOf(frozen, store.datasets.read(kase)), store.blobs.need(text)).toWellFormed(),
        );
      return checkVectors(store, frozen.dataset, payload, { texts, of: 'statement' });
    }
    if (kind !== 'assistant-train') return 'such an event has no place among trained assistants';
    versions += 1;
    return payload.version === versions ? versionProblem(store, frozen, embeddings, payload) : 'its number is not the next one';
  });
}
