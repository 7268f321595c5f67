import { expect } from 'vitest';
import type { EventKind, EventPayload } from '../../../shared/events.ts';
import type { CallReport, Effects } from '../../record/effects.ts';
import { findProtocol } from '../index.ts';
import { caseOf } from '../testing/cases.ts';
import { emptyRecord, type MemoryRecord, replayInMemory, runInMemory, termsFor } from '../testing/memoryTrial.ts';
import { answered, scriptedEffects } from '../testing/scriptedModel.ts';
import { baseKey } from '../testing/settings.ts';

const found = findProtocol('evince');
if (found === undefined) throw new Error('evince is not registered');
export const registered = found;

export type Shares = Readonly<Record<string, number>>;

/** A statement with these percentages; the first is the prediction. */
export function statement(labels: readonly string[], shares: Shares, text = 'so it is'): object {
  const [prediction = ''] = Object.keys(shares);
  if (labels.length === 2) return { arguments: text, prediction, confidence: shares[prediction] };
  if (Object.keys(shares).length < labels.length) {
    const ranking = Object.entries(shares).map(([label, percent]) => ({ label, percent }));
    return { arguments: text, prediction, ranking };
  }
  return { arguments: text, prediction, distribution: Object.fromEntries(labels.map((label) => [label, shares[label]])) };
}

/** CRIT of this score, 1-10: one reason, nothing against it. */
export const criticism = (score: number): object => ({
  claim: 'it is so',
  reasons: [{ text: 'because', validity: score, credibility: 1 }],
  rivals: [],
  justification: 'one reason',
});

export interface Script {
  readonly labels: readonly string[];
  readonly params?: Readonly<Record<string, unknown>>;
  /** Answer by key of the call; null: invented. */
  readonly says: (key: string) => object | CallReport | null;
}

const isReport = (answer: object): answer is CallReport => 'sentTo' in answer;

/** Holds a debate, and has it replayed. */
export async function hold({ labels, params = {}, says }: Script, change: Partial<Effects> = {}) {
  const bound = registered.bind(params);
  const kase = { ...caseOf('text', labels.length), labels };
  const terms = termsFor(registered, [], 0);
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

export const exchanges = (record: MemoryRecord) => payloads(record, 'exchange-measure');

export function rulingOf(record: MemoryRecord): EventPayload<'ruling-give'> {
  const [ruling] = payloads(record, 'ruling-give');
  if (ruling === undefined) throw new Error('no ruling');
  return ruling;
}

/** Round and speaker of a call: `round-2/critic-a` is the critic, of A. */
export function placeOf(key: string): { round: number; speaker: string } | null {
  const match = /^round-(\d+)\/(.+)$/.exec(key);
  return match === null ? null : { round: Number(match[1]), speaker: match[2] ?? '' };
}

/** Agents that say the same in every round, with CRIT of 8. */
export const steady =
  (labels: readonly string[], a: Shares, b: Shares = a, score: (round: number, of: string) => number = () => 8) =>
  (key: string): object | null => {
    const place = placeOf(key);
    if (place === null) return null;
    if (place.speaker.startsWith('critic')) return criticism(score(place.round, place.speaker.slice(-1)));
    return statement(labels, place.speaker === 'agentA' ? a : b, `${place.speaker} in round ${place.round}`);
  };
