import { expect } from 'vitest';
import type { Case } from '../../../shared/domain.ts';
import type { EventKind, EventPayload } from '../../../shared/events.ts';
import type { CallReport, Effects, PreparedCall } from '../../record/effects.ts';
import { findProtocol, type RegisteredProtocol } from '../index.ts';
import { emptyRecord, type MemoryRecord, replayInMemory, runInMemory, termsFor } from './memoryTrial.ts';
import { answeredAs, scriptedEffects } from './scriptedModel.ts';
import { baseKey, textOf } from './settings.ts';

/** Answer by key of the call; null: invented. */
export type Says = (key: string) => object | CallReport | null;

export const isReport = (answer: object): answer is CallReport => 'sentTo' in answer;

export function registeredProtocol(id: string): RegisteredProtocol {
  const protocol = findProtocol(id);
  if (protocol === undefined) throw new Error(`${id} is not registered`);
  return protocol;
}

interface TrialScript {
  readonly params: Readonly<Record<string, unknown>>;
  readonly says: Says;
  readonly seed?: number;
  /** Answers to shared questions; null: invented. */
  readonly shared?: (call: PreparedCall) => CallReport | null;
}

export async function holdTrial(
  protocol: RegisteredProtocol,
  kase: Case,
  { params, says, seed = 7, shared }: TrialScript,
  change: Partial<Effects> = {},
) {
  const bound = protocol.bind(params);
  const terms = { ...termsFor(protocol, [], 0), seed };
  const effects = scriptedEffects((call) => {
    const answer = says(baseKey(call));
    if (answer === null) return null;
    return isReport(answer) ? answer : answeredAs(call, answer);
  }, shared);
  const record = emptyRecord();
  const end = await runInMemory(record, bound, terms, kase, { ...effects, ...change });
  expect(await replayInMemory(record, bound, terms, kase)).toEqual({ end, unused: [] });
  return { record, end, effects, bound, kase };
}

export const payloads = <K extends EventKind>(record: MemoryRecord, kind: K): EventPayload<K>[] =>
  record.events.flatMap((event) => (event.kind === kind ? [event.payload as EventPayload<K>] : []));

/** The prompt of a call by its key without the attempt. */
export function promptOf({ calls }: { readonly calls: readonly PreparedCall[] }, key: string): string {
  const call = calls.find((each) => baseKey(each) === key);
  if (call === undefined) throw new Error(`there is no call ${key}`);
  return textOf(call);
}

export function rulingOf(record: MemoryRecord): EventPayload<'ruling-give'> {
  const [ruling] = payloads(record, 'ruling-give');
  if (ruling === undefined) throw new Error('no ruling');
  return ruling;
}
