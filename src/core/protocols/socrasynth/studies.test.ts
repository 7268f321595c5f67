import { describe, expect, test } from 'vitest';
import { payloads, promptOf } from '../testing/heldTrial.ts';
import { textOf } from '../testing/settings.ts';
import { critic, hold, illness, levels, member, openCase, predictions, registered, sheetOf } from './debate.fixture.ts';

const cast = { '*': member, judge1: member, judge2: member };

describe('the second study: predict, refute, concede, recommend', () => {
  const whole = { subtopics: 0 };
  /** Appendix 6.G: both defend their own for a round; then the first speaker concedes. */
  const conceding = predictions({
    opening: ['jaundice', 'hepatitis'],
    'round-1': ['jaundice', 'hepatitis'],
    'round-2': ['hepatitis', 'hepatitis'],
  });

  test('a concession ends the debate at once: nothing is left but what both recommend', async () => {
    const { record, end, keys, effects } = await hold({ kase: illness, params: whole, says: conceding });
    expect(end).toEqual({ outcome: 'decided', incomplete: false });
    expect(keys).toEqual([
      'opening/agentA',
      'opening/agentB',
      'round-1/agentA',
      'round-1/agentB',
      'round-1/critic',
      'round-2/agentA',
      'proposal/agentA',
      'proposal/agentB',
    ]);
    expect(payloads(record, 'debate-stop')).toMatchObject([{ rounds: 2, reason: 'agreement', conceded: 'agentA' }]);
    // (0.8 + 0.6) / 2
    const [ruling] = payloads(record, 'ruling-give');
    expect(ruling).toMatchObject({ prediction: 'hepatitis', source: 'mixture', inconsistent: false });
    for (const sure of [ruling?.confidence, ruling?.belief?.hepatitis]) expect(sure).toBeCloseTo(0.7, 12);
    expect(ruling?.grounds?.votes).toMatchObject({ asked: 2, decidedBy: 'agreement' });
    // 0.9 at first, and 0.3 for the recommendations.
    expect(levels(record)).toEqual(['opening 0.9000', 'round-1 0.7500', 'round-2 0.6250', 'proposal 0.3000']);
    for (const call of effects.calls) expect(textOf(call)).not.toMatch(/subtopic/i);
    for (const { subtopic } of payloads(record, 'utterance-make')) expect(subtopic).toBeUndefined();
    expect(promptOf(effects, 'round-2/agentA')).toContain('If the other agent has convinced you, concede');
    expect(promptOf(effects, 'proposal/agentA')).toContain('Say together which answer fits');
  });

  test('no one concedes if both predict the same from the start', async () => {
    const { record, keys, planned } = await hold({
      kase: illness,
      params: { ...whole, moderated: true },
      says: predictions({ opening: ['jaundice', 'jaundice'] }),
    });
    expect(payloads(record, 'debate-stop')).toEqual([
      { v: 1, key: 'debate/stop', rounds: 0, contentiousness: 0.75, reason: 'agreement' },
    ]);
    expect(keys).toHaveLength(4);
    expect(planned.min).toBe(4);
    expect(payloads(record, 'moderation-ask')).toEqual([]);
  });

  test('if no one concedes a panel scores the whole once, and decides', async () => {
    const { record, keys, planned, effects } = await hold({
      kase: illness,
      params: { ...whole, maxRounds: 1 },
      says: (key) =>
        predictions({ opening: ['jaundice', 'hepatitis'], 'round-1': ['jaundice', 'hepatitis'] })(key) ??
        sheetOf(key, '4:9', 'agent_b'),
    });
    expect(payloads(record, 'panel-score').map(({ scores }) => scores)).toEqual([
      [{ agentA: 4, agentB: 9 }],
      [{ agentA: 4, agentB: 9 }],
    ]);
    expect(payloads(record, 'ruling-give')).toMatchObject([{ prediction: 'hepatitis', source: 'votes' }]);
    expect(promptOf(effects, 'panel/judge1/a-first')).toContain('Score the arguments of each side, from 1');
    expect(keys).toHaveLength(planned.max);
  });

  test('labels are debated as a whole and open questions by five subtopics, unless the arm says otherwise', () => {
    // Openings and recommendations; with four rounds of three calls, exhausted, closing, CRIT and one judge.
    expect(registered.bind({}).plannedCalls(illness)).toEqual({ min: 4, max: 4 + 12 + 7 });
    expect(registered.bind({}).plannedCalls(openCase)).toEqual({ min: 5 + 4 + 3 + 7, max: 5 + 4 + 12 + 7 });
    expect(registered.bind({ subtopics: 3 }).plannedCalls(illness)).toEqual({ min: 9, max: 28 });
  });

  test('a debate of version 2 continues to closing statements and the panel, and compares by names, once for each judge', async () => {
    const { keys, record } = await hold({
      kase: illness,
      cast,
      version: 2,
      params: { compareWithAnswer: true },
      says: (key) => conceding(key) ?? critic(5, 5)(key) ?? sheetOf(key, '8:6 7:7', 'agent_a'),
    });
    expect(keys.slice(0, 6)).toEqual([
      ...['subtopics/agentA', 'subtopics/agentB', 'subtopics/merge', 'subtopics/settle', 'subtopics/balance'],
      'answer/agentA',
    ]);
    expect(keys.slice(keys.indexOf('round-2/agentA'))).toEqual([
      ...['round-2/agentA', 'round-2/agentB', 'round-2/critic', 'exhausted/agentA', 'exhausted/agentB'],
      ...['closing/agentA', 'closing/agentB', 'closing/critic', 'proposal/agentA', 'proposal/agentB'],
      ...['panel/judge1/a-first', 'panel/judge1/b-first', 'panel/judge2/a-first', 'panel/judge2/b-first'],
      ...['comparison/judge1', 'comparison/judge2'],
    ]);
    const [stop] = payloads(record, 'debate-stop');
    expect(Object.keys(stop ?? {})).toEqual(['v', 'key', 'rounds', 'contentiousness', 'reason']);
  });
});

test('the plan is the requests counted, if no one concedes and G never falls', async () => {
  const divided = { opening: ['jaundice', 'hepatitis'], 'round-1': ['jaundice', 'hepatitis'] } as const;
  for (const [critSides, comparison, subtopics] of [
    ['both', 'blinded', 0],
    ['proponent', 'blinded', 2],
    ['both', 'named', 2],
  ] as const) {
    const { keys, planned } = await hold({
      kase: illness,
      cast,
      params: { subtopics, maxRounds: 1, critSides, comparison, compareWithAnswer: true, feedback: true },
      says: (key) => predictions(divided)(key) ?? sheetOf(key, subtopics === 0 ? '9:2' : '9:2 9:2', 'agent_a'),
    });
    expect(keys, `${critSides} ${comparison}`).toHaveLength(planned.max);
  }
});

test('the schedule of section 6.1.2: 0.7 to 0.9 at first, then down to 0.5, and 0.1 after the debate', async () => {
  const { record } = await hold({ params: { schedule: 'phases' }, says: critic(5, 5, 5, 5) });
  expect(levels(record)).toEqual([
    'opening 0.9000',
    'round-1 0.8000',
    'round-2 0.7000',
    'round-3 0.6000',
    'round-4 0.5000',
    'closing 0.5000',
    'proposal 0.1000',
  ]);
});
