import { expect } from 'vitest';
import type { EventKind, EventPayload } from '../../../../shared/events.ts';
import type { CallReport, Effects } from '../../../record/effects.ts';
import { findProtocol } from '../../index.ts';
import { caseOf } from '../../testing/cases.ts';
import { emptyRecord, type MemoryRecord, replayInMemory, runInMemory, termsFor } from '../../testing/memoryTrial.ts';
import { answered, scriptedEffects } from '../../testing/scriptedModel.ts';
import { baseKey } from '../../testing/settings.ts';

const registered = findProtocol('debate-feedback');
if (registered === undefined) throw new Error('debate-feedback is not registered');
export const protocol = registered;

interface Script {
  readonly labels?: readonly string[];
  readonly multiLabel?: boolean;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Answer by key of the call, where it is not invented. */
  readonly says?: (key: string) => object | null;
}

const isReport = (answer: object): answer is CallReport => 'sentTo' in answer;

/** Holds a debate, and replays it. */
export async function hold(
  { labels = ['NO', 'YES'], multiLabel = false, params = {}, says = () => null }: Script,
  change: Partial<Effects> = {},
) {
  const bound = protocol.bind(params);
  const kase = { ...caseOf('text', labels.length), labels, multiLabel };
  const terms = termsFor(protocol, [], 0);
  const effects = scriptedEffects((call) => {
    const answer = says(baseKey(call));
    if (answer === null) return null;
    return isReport(answer) ? answer : answered(JSON.stringify(answer));
  });
  const record = emptyRecord();
  const end = await runInMemory(record, bound, terms, kase, { ...effects, ...change });
  expect(await replayInMemory(record, bound, terms, kase)).toEqual({ end, unused: [] });
  return { record, end, effects, bound, kase };
}

export const payloads = <K extends EventKind>(record: MemoryRecord, kind: K): EventPayload<K>[] =>
  record.events.flatMap((event) => (event.kind === kind ? [event.payload as EventPayload<K>] : []));

export function rulingOf(record: MemoryRecord): EventPayload<'ruling-give'> {
  const [ruling] = payloads(record, 'ruling-give');
  if (ruling === undefined) throw new Error('no ruling');
  return ruling;
}

/** What the judge answers with this P(YES). */
export const judge = (yes: number) => ({
  reason: 'so',
  prediction: yes >= 50 ? 'YES' : 'NO',
  confidence: yes >= 50 ? yes : 100 - yes,
});

/** The judge by its answers, first the one from the facts alone; the assistant by its ratings, round by round. */
export const script =
  (opinions: readonly number[], ratings: readonly (readonly number[])[] = []) =>
  (key: string): object | null => {
    if (key === 'initial/judge') return judge(opinions[0] ?? 50);
    const round = Number(/^round-(\d+)/.exec(key)?.[1] ?? 0);
    if (key.endsWith('/judge')) return judge(opinions[round] ?? 50);
    const debater = /rating\/debater-(\d+)$/.exec(key);
    if (debater === null) return null;
    return { reason: 'so', reliability: ratings[round - 1]?.[Number(debater[1]) - 1] ?? 50 };
  };

/** P(YES) of O_0, O_1, …, and the labels. */
export function path(record: MemoryRecord) {
  const held = payloads(record, 'belief-update');
  return held.map(({ prediction, belief }) => [prediction, belief === null ? null : Number((belief.YES ?? 0).toFixed(10))]);
}

export const settlements = (record: MemoryRecord) =>
  payloads(record, 'round-settle').map(({ result, kept, mean, tie }) => [
    result,
    kept,
    mean === null ? null : Number(mean.toFixed(10)),
    tie,
  ]);
