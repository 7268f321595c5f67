import { describe, expect, test } from 'vitest';
import { evaluationSchema } from '../../shared/crit.ts';
import type { EventKind, EventPayload } from '../../shared/events.ts';
import { templatesOf } from '../prompts/wording.ts';
import { protocols } from '../protocols/index.ts';
import { caseOf } from '../protocols/testing/cases.ts';
import { emptyRecord, type MemoryRecord, replayInMemory, runInMemory, termsFor } from '../protocols/testing/memoryTrial.ts';
import { answered, scriptedEffects } from '../protocols/testing/scriptedModel.ts';
import { askedKeys, baseKey, textOf } from '../protocols/testing/settings.ts';
import { type CritDepth, critCalls, evaluate } from './evaluate.ts';
import { prompts } from './prompts.ts';

const [anyProtocol = missing()] = protocols;
function missing(): never {
  throw new Error('there is no protocol');
}

const kase = { ...caseOf('open', 0), question: 'Should it be allowed?' };
const reason = (text: string, validity: number, credibility: number, is_claim?: boolean) => ({
  text,
  ...(is_claim === undefined ? {} : { is_claim }),
  validity,
  credibility,
});

interface Found {
  readonly reasons: readonly object[];
  readonly rivals?: readonly object[];
}

const saying = ({ reasons, rivals = [] }: Found) =>
  JSON.stringify({ claim: 'It should.', reasons, rivals, justification: 'So it is.' });

/** Evaluates one argument in its own trial. `says` answers by key; other calls are not foreseen. */
async function critOf(depth: CritDepth, says: (key: string) => string, record: MemoryRecord = emptyRecord()) {
  const bound = {
    ...anyProtocol.bind({}),
    run: async (court: Parameters<typeof evaluate>[0]) => {
      await evaluate(
        court,
        'round-1/critic',
        'critic',
        {
          subject: 'Agent A',
          promptOf: (task) => [
            { role: 'system', parts: ['The rules.'] },
            { role: 'user', parts: ['What was said.', ...task] },
          ],
        },
        { depth, temperature: 0.7 },
      );
    },
  };
  const terms = { ...termsFor(anyProtocol, [], 1), templates: templatesOf(prompts) };
  const effects = scriptedEffects((call) => answered(says(baseKey(call))));
  const end = await runInMemory(record, bound, terms, kase, effects);
  const before = JSON.stringify(record.events);
  expect(await replayInMemory(record, bound, terms, kase)).toEqual({ end, unused: [] });
  expect(JSON.stringify(record.events)).toBe(before);
  return { record, end, effects };
}

const payloads = <K extends EventKind>(record: MemoryRecord, kind: K): EventPayload<K>[] =>
  record.events.flatMap((event) => (event.kind === kind ? [event.payload as EventPayload<K>] : []));

function evaluationIn(record: MemoryRecord) {
  const [event] = payloads(record, 'argument-evaluate');
  if (event === undefined) throw new Error('nothing was evaluated');
  return { event, evaluation: evaluationSchema.parse(JSON.parse(record.texts.get(event.evaluation) ?? '')) };
}

describe('evaluate', () => {
  test('records claim, reasons, rivals and the score that follows from them', async () => {
    const { record, end } = await critOf(0, () =>
      saying({
        reasons: [reason('Harm is rare.', 8, 5), reason('It is wanted.', 6, 5)],
        rivals: [reason('It costs.', 10, 10)],
      }),
    );
    expect(end).toEqual({ outcome: 'decided', incomplete: false });
    const { event, evaluation } = evaluationIn(record);
    expect(event).toMatchObject({ key: 'round-1/critic/evaluation', role: 'critic', subject: 'Agent A' });
    // s = 7, r = 10: 1 + 6 x (1 - 9/18)
    expect(event.score).toBeCloseTo(4, 12);
    expect(evaluation).toMatchObject({ claim: 'It should.', justification: 'So it is.', score: event.score });
    expect(evaluation.reasons.map(({ text, examined }) => [text, examined])).toEqual([
      ['Harm is rare.', null],
      ['It is wanted.', null],
    ]);
    expect(payloads(record, 'measure-take')).toEqual([{ v: 1, key: 'round-1/critic/score', name: 'crit', value: event.score }]);
  });

  test('a reason that is itself a claim is examined, and its score takes the place of its validity', async () => {
    const { record, effects } = await critOf(1, (key) =>
      key === 'round-1/critic'
        ? saying({ reasons: [reason('A fact.', 4, 5, false), reason('A claim.', 9, 5, true)] })
        : saying({ reasons: [reason('Weak.', 2, 10)] }),
    );
    expect(askedKeys(effects.calls)).toEqual(['round-1/critic', 'round-1/critic/reason-2']);
    const inner = effects.calls.find(({ key }) => key.startsWith('round-1/critic/reason-2'));
    expect(inner === undefined ? '' : textOf(inner)).toContain('A claim.');
    const { evaluation } = evaluationIn(record);
    expect(evaluation.reasons[1]).toMatchObject({ validity: 9, credibility: 0.5, examined: { score: 2 } });
    // (4 x 0.5 + 2 x 0.5) / 1
    expect(evaluation.score).toBeCloseTo(3, 12);
  });

  test.each([
    [0, 1],
    [1, 3],
    [2, 7],
  ] as const)('at depth %i asks at most %i times, with any reasons being claims', async (depth, most) => {
    expect(critCalls(depth)).toEqual({ min: 1, max: most });
    const claims = [1, 2, 3].map((number) => reason(`Claim ${number}.`, 5, 10, true));
    const plain = claims.map(({ is_claim: _, ...rest }) => rest);
    const levels = (key: string) => key.split('/reason-').length - 1;
    const { effects } = await critOf(depth, (key) => saying({ reasons: levels(key) < depth ? claims : plain }));
    expect(askedKeys(effects.calls)).toHaveLength(most);
    expect(Math.max(...effects.calls.map(({ key }) => levels(key)))).toBe(depth);
  });

  test('if a reason cannot be examined its stated validity counts, and the trial is incomplete', async () => {
    const { record, end } = await critOf(1, (key) =>
      key === 'round-1/critic' ? saying({ reasons: [reason('A claim.', 9, 5, true)] }) : 'Rather not.',
    );
    expect(end).toEqual({ outcome: 'decided', incomplete: true });
    expect(evaluationIn(record).evaluation).toMatchObject({ score: 9, reasons: [{ validity: 9, examined: null }] });
    expect(payloads(record, 'turn-forfeit')).toEqual([
      { v: 1, key: 'round-1/critic/reason-1/forfeit', role: 'critic', failure: 'malformed' },
    ]);
  });

  test('an argument that cannot be evaluated is a failure, and no score is made up', async () => {
    const { record, end } = await critOf(0, () => saying({ reasons: [reason('Too good.', 11, 5)] }));
    expect(end).toEqual({ outcome: 'malformed', incomplete: false });
    expect(payloads(record, 'argument-evaluate')).toEqual([]);
    expect(payloads(record, 'measure-take')).toEqual([]);
  });
});
