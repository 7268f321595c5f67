import { describe, expect, test } from 'vitest';
import type { Evaluation } from '../../../shared/crit.ts';
import { criticism } from '../../crit/criticism.fixture.ts';
import { payloads, promptOf } from '../testing/heldTrial.ts';
import { answered } from '../testing/scriptedModel.ts';
import { baseKey, textOf } from '../testing/settings.ts';
import { feedbackOf } from './critique.ts';
import { hold } from './debate.fixture.ts';

/** The critic's scores of the claims of A and of B, round by round; null for an answer that cannot be read. */
const scores = (rounds: Readonly<Record<string, readonly [number | null, number | null]>>) => (key: string) => {
  const [, round = '', ofB] = /^(.+)\/critic(-b)?$/.exec(key) ?? [];
  const score = rounds[round]?.[ofB === undefined ? 0 : 1];
  if (score === undefined) return null;
  return score === null ? answered('I cannot tell.') : criticism(score);
};

describe('CRIT of both sides', () => {
  const both = { critSides: 'both', maxRounds: 3 } as const;

  test('G is the mean over both claims: it falls where the one side gains less than the other loses', async () => {
    // (8 + 4)/2 = 6, then (9 + 2)/2 = 5.5
    const says = scores({ 'round-1': [8, 4], 'round-2': [9, 2], 'round-3': [9, 2] });
    const { record, effects } = await hold({ params: both, says });
    expect(payloads(record, 'debate-stop')).toMatchObject([{ rounds: 2, reason: 'quality' }]);
    expect(promptOf(effects, 'round-1/critic-b')).toContain('Examine the argument of Agent B.');
    const subjects = payloads(record, 'argument-evaluate').map(({ key, subject }) => `${key.split('/')[0]} ${subject}`);
    expect(subjects.slice(0, 2)).toEqual(['round-1 Agent A', 'round-1 Agent B']);
    // The table of the paper looks at the claim of agent A alone, which has gained.
    const oneSided = await hold({ params: { ...both, critSides: 'proponent' }, says });
    expect(payloads(oneSided.record, 'debate-stop')).toMatchObject([{ rounds: 3, reason: 'rounds' }]);
  });

  test('a round in which one claim has no score has none', async () => {
    const { record, end } = await hold({
      params: both,
      says: scores({ 'round-1': [8, 8], 'round-2': [2, null], 'round-3': [9, 9] }),
    });
    expect(end.incomplete).toBe(true);
    expect(payloads(record, 'debate-stop')).toMatchObject([{ rounds: 3, reason: 'rounds' }]);
  });
});

const reasons = [
  { text: 'Costs fall.', validity: 8, credibility: 0.9, examined: null },
  { text: 'Everybody knows.', validity: 6, credibility: 0.2, examined: null },
  { text: 'It worked in Oslo.', validity: 5, credibility: 0.8, examined: null },
];
const rivals = [
  { text: 'It may rain.', validity: 9, credibility: 0.1 },
  { text: 'Buses are full.', validity: 4, credibility: 0.7 },
];
const evaluation: Evaluation = { claim: 'Close it.', reasons, rivals, justification: 'So.', score: 5 };

describe('feedback', () => {
  test('by hand: strength is validity times credibility', () => {
    // 7.2, 1.2, 4.0 for the claim of A; 0.9 and 2.8 against it.
    expect(feedbackOf({ agentA: evaluation })).toEqual({
      agentA: { weak: 'Everybody knows.', answer: 'Buses are full.' },
      agentB: { answer: 'Costs fall.' },
    });
    const ofB = { ...evaluation, reasons: rivals.map((rival) => ({ ...rival, examined: null })), rivals: [] };
    expect(feedbackOf({ agentA: evaluation, agentB: ofB })).toEqual({
      agentA: { weak: 'Everybody knows.', answer: 'Buses are full.' },
      agentB: { weak: 'It may rain.', answer: 'Costs fall.' },
    });
    expect(feedbackOf({})).toEqual({ agentA: {}, agentB: {} });
    // A reason that was examined counts by its own score: 2 x 0.9 leaves 4.0 as the strongest.
    const [first, ...rest] = reasons;
    const examined = first === undefined ? [] : [{ ...first, examined: { ...evaluation, score: 2 } }, ...rest];
    expect(feedbackOf({ agentA: { ...evaluation, reasons: examined } }).agentB).toEqual({ answer: 'It worked in Oslo.' });
  });

  test('both agents read it from the next turn on; the critic and the panel do not', async () => {
    const found = {
      ...{ claim: 'Close it.', justification: 'So.', rivals: [] },
      reasons: [{ text: 'The weak reason.', validity: 3, credibility: 5 }],
    };
    const { effects, record } = await hold({
      params: { maxRounds: 2, feedback: true, panelReads: 'all', compareWithAnswer: true },
      says: (key) => (key.endsWith('/critic') ? found : null),
    });
    const message = 'Agent A, this is your weakest reason. Support it better or give it up:\nThe weak reason.';
    const knowing = effects.calls.filter((call) => textOf(call).includes(message)).map(baseKey);
    const turns = ['round-2', 'exhausted', 'closing', 'proposal'];
    expect(new Set(knowing)).toEqual(
      new Set(['answer/debated', ...turns.flatMap((turn) => [`${turn}/agentA`, `${turn}/agentB`])]),
    );
    const feedback = payloads(record, 'utterance-make').filter(({ role }) => role === 'critic');
    expect(feedback.map(({ key, turn }) => [key, turn])).toEqual([
      ['round-1/critic/feedback', 'feedback'],
      ['round-2/critic/feedback', 'feedback'],
    ]);
  });
});
