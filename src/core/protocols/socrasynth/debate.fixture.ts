import { expect } from 'vitest';
import type { Case } from '../../../shared/domain.ts';
import type { Cast } from '../../../shared/experiment.ts';
import { criticism } from '../../crit/criticism.fixture.ts';
import type { CallReport, Effects, PreparedCall } from '../../record/effects.ts';
import { findProtocol } from '../index.ts';
import { caseOf } from '../testing/cases.ts';
import { isReport, payloads, registeredProtocol } from '../testing/heldTrial.ts';
import { emptyRecord, type MemoryRecord, replayInMemory, runInMemory, termsFor } from '../testing/memoryTrial.ts';
import { answered, answeredAs, scriptedEffects } from '../testing/scriptedModel.ts';
import { askedKeys, baseKey } from '../testing/settings.ts';
import { topicFields } from './answers.ts';

export const registered = registeredProtocol('socrasynth');

export const openCase: Case = { ...caseOf('open', 0), question: 'Should research be regulated?' };
const labelled = (labels: readonly string[]): Case => ({ ...caseOf('text', labels.length), labels, positive: labels[1] ?? null });
export const illness = labelled(['jaundice', 'hepatitis']);

export interface Script {
  readonly kase?: Case;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly cast?: Cast;
  /** Absent: the newest. */
  readonly version?: number;
  /** Answer by key of the call, where it is not invented. */
  readonly says?: (key: string, call: PreparedCall) => object | CallReport | null;
  readonly moderate?: Effects['moderate'];
}

const settled = ({ params = {} }: Script) =>
  Object.fromEntries(topicFields(Number(params.subtopics ?? 2)).map((field) => [field, { title: `On ${field}`, scope: 'All.' }]));

export function effectsOf(script: Script) {
  const { says = () => null, moderate } = script;
  const effects = scriptedEffects((call) => {
    const answer = says(baseKey(call), call) ?? (baseKey(call) === 'subtopics/settle' ? settled(script) : null);
    if (answer === null) return null;
    return isReport(answer) ? answer : answeredAs(call, answer);
  });
  return moderate === undefined ? effects : { ...effects, moderate };
}

export async function hold(script: Script) {
  const { kase = openCase, params = {}, cast, version = registered.version } = script;
  const bound = (findProtocol('socrasynth', version) ?? registered).bind({ subtopics: 2, ...params }, cast);
  const terms = termsFor(registered, [], 0);
  const effects = effectsOf(script);
  const record = emptyRecord();
  const end = await runInMemory(record, bound, terms, kase, effects);
  expect(await replayInMemory(record, bound, terms, kase)).toEqual({ end, unused: [] });
  return { record, end, effects, keys: askedKeys(effects.calls), planned: bound.plannedCalls(kase) };
}

export const levels = (record: MemoryRecord) =>
  payloads(record, 'measure-take').flatMap(({ key, name, value }) =>
    name === 'contentiousness' ? [`${key.replace('/contentiousness', '')} ${value.toFixed(4)}`] : [],
  );

/** A critic that gives these values of G in order, and then a null for an answer that cannot be read. */
export const critic =
  (...scores: readonly (number | null)[]) =>
  (key: string): object | null => {
    const round = /^round-(\d+)\/critic$/.exec(key)?.[1];
    const score = round === undefined ? 5 : scores[Number(round) - 1];
    if (!key.endsWith('/critic') || score === undefined) return null;
    if (score === null) return answered('I cannot tell.');
    return criticism(score);
  };

const predicting = (prediction: string, confidence: number) => ({
  argument: 'what is to be said of all of it',
  topic_1: 'what is to be said first',
  topic_2: 'what is to be said next',
  prediction,
  confidence,
});

/** What both predict in each turn, A then B: `opening`, `round-1`, ... */
export const predictions = (turns: Readonly<Record<string, readonly [string, string]>>) => (key: string) => {
  const [name = '', side] = key.split('/');
  const turn = turns[name];
  if (turn === undefined || (side !== 'agentA' && side !== 'agentB')) return null;
  return predicting(side === 'agentA' ? turn[0] : turn[1], side === 'agentA' ? 80 : 60);
};

export const member = { model: 'any', backend: 'default', options: {} };

/** A sheet with these points of A and B on each topic: `8:6 7:7`; a single pair is about the whole question. */
export const sheetOf = (key: string, points: string, winner: 'agent_a' | 'agent_b' | 'tie') => {
  const pairs = points.split(' ').map((pair) => pair.split(':').map(Number));
  const fields = topicFields(pairs.length === 1 ? 0 : pairs.length);
  const scores = Object.fromEntries(pairs.map(([a, b], index) => [fields[index], { agent_a: a, agent_b: b }]));
  return key.startsWith('panel/')
    ? { agent_a_claim: 'A says.', agent_b_claim: 'B says.', ...scores, winner, justification: 'So.' }
    : null;
};
