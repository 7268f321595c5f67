import type { Case, Example } from '../../../shared/domain.ts';
import type { EventKind, EventPayload, RecordEvent } from '../../../shared/events.ts';
import { type BeliefChoice, runtimeSchema } from '../../../shared/experiment.ts';
import { conductTrial, type TrialEnd } from '../../record/conduct.ts';
import { Divergence } from '../../record/divergence.ts';
import type { Effects, TrialLedger, TrialTerms } from '../../record/effects.ts';
import { indexSteps } from '../../record/ledger.ts';
import { parseEvent } from '../../record/parse.ts';
import { openCourt } from '../../record/trialCourt.ts';
import { guardRules } from '../../text/found.ts';
import type { BoundProtocol, RegisteredProtocol } from '../index.ts';
import { scriptedAssistant } from './scriptedAssistant.ts';
import { trainingTexts } from './training.ts';

export interface MemoryRecord {
  readonly events: RecordEvent[];
  readonly texts: Map<string, string>;
}

const open: EventPayload<'trial-open'> = {
  v: 1,
  at: '2026-01-01T00:00:00.000Z',
  arm: 'arm',
  case: 'c'.repeat(43),
  replicate: 0,
  attempt: 1,
  seed: 7,
  protocol: 'any',
  protocolVersion: 1,
  freeze: '0'.repeat(64),
};

export function emptyRecord(): MemoryRecord {
  return { events: [{ seq: 0, kind: 'trial-open', payload: open, hash: '' }], texts: new Map() };
}

function ledgerOf(record: MemoryRecord, readOnly: boolean): TrialLedger & { unused(): string[] } {
  const steps = indexSteps(record.events);
  return {
    find: (kind, key) => steps.find(kind, key),
    unused: () => steps.unused(),
    text(ref) {
      const text = record.texts.get(ref) ?? trainingTexts.get(ref);
      if (text === undefined) throw new Error(`no text ${ref}`);
      return text;
    },
    append<K extends EventKind>(kind: K, payload: EventPayload<K>, texts: ReadonlyMap<string, string>) {
      if (readOnly) throw new Divergence(kind, 'a replay adds nothing');
      for (const [ref, text] of texts) record.texts.set(ref, text);
      record.events.push(parseEvent({ seq: record.events.length, kind, payload: JSON.stringify(payload), hash: '' }));
    },
  };
}

/** Terms of a trial of any protocol; what a test is about is given. */
export const plainTerms = (change: Partial<TrialTerms> = {}): TrialTerms => ({
  seed: open.seed,
  experimentSeed: 42,
  caseSeed: 11,
  attempt: open.attempt,
  salt: new Uint8Array(32).fill(5),
  templates: {},
  examples: [],
  runtime: runtimeSchema.parse({ retries: 2 }),
  belief: 'verbal',
  reading: 'strict',
  guard: guardRules,
  castOf: () => ({ model: 'model', backend: 'default', options: {} }),
  retriever: null,
  ...change,
});

export const termsFor = (
  protocol: RegisteredProtocol,
  examples: readonly Example[],
  retries: number,
  belief: BeliefChoice = 'verbal',
): TrialTerms =>
  plainTerms({
    templates: protocol.templates,
    examples,
    runtime: runtimeSchema.parse({ retries }),
    belief,
    castOf: (role) => ({ model: `model-of-${role.replace(/\d+$/, '')}`, backend: 'default', options: {} }),
    assistant: scriptedAssistant,
    embedder: { model: 'model-of-embedder', backend: 'default', options: {} },
  });

export const acting = (run: BoundProtocol['run']): BoundProtocol => ({
  params: {},
  shots: 0,
  roles: [],
  assistant: null,
  precedents: null,
  sharedCalls: () => 0,
  plannedCalls: () => ({ min: 0, max: 99 }),
  contested: (labels) => labels,
  unused: [],
  firstAnswer: null,
  claims: () => ({}),
  swaps: {},
  refusal: () => null,
  run,
});

export function runInMemory(
  record: MemoryRecord,
  bound: BoundProtocol,
  terms: TrialTerms,
  kase: Case,
  effects: Effects,
): Promise<TrialEnd> {
  return conductTrial(bound, openCourt(terms, ledgerOf(record, false), effects), kase);
}

/** Replays a trial without a model. Throws `Divergence`; returns the steps that were left over. */
export async function replayInMemory(
  record: MemoryRecord,
  bound: BoundProtocol,
  terms: TrialTerms,
  kase: Case,
): Promise<{ end: TrialEnd; unused: string[] }> {
  const ledger = ledgerOf(record, true);
  const effects: Effects = {
    perform: (call) => Promise.reject(new Divergence(call.key, 'no such call')),
    askOnce: ({ name }) => Promise.reject(new Divergence(name, 'no such question')),
    retrieve: () => Promise.reject(new Divergence('precedents', 'no such precedents')),
    rate: () => Promise.reject(new Divergence('rating', 'no such rating')),
    moderate: (key) => {
      throw new Divergence(key, 'no such moderation');
    },
  };
  const end = await conductTrial(bound, openCourt(terms, ledger, effects), kase);
  return { end, unused: ledger.unused() };
}
