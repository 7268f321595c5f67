import { describe, expect, test } from 'vitest';
import { orderAgreement, type PanelSide, type SidePoints, totalPoints, winnerByPoints } from './panel.ts';

const sheet = (scores: string, first: PanelSide): SidePoints[] =>
  scores
    .split(' ')
    .map((score) => score.split(':').map(Number))
    .map(([one = 0, other = 0]) => (first === 'agentA' ? { agentA: one, agentB: other } : { agentA: other, agentB: one }));

/** Tables 6.5 (A first) and 6.6 (B first) of the paper: judge -> points of the first and the second side, by topic. */
const tables = [
  {
    first: 'agentA',
    judges: {
      'text-davinci-003': '8:6 7:5 9:5 6:8 7:8',
      'GPT-3.5': '8:7 7:6 6:7 8:6 7:7',
      'GPT-4': '8:7 9:6 7:6 8:7 7:6',
    },
    // The printed totals of A and B
    totals: { 'text-davinci-003': [37, 32], 'GPT-3.5': [36, 33], 'GPT-4': [39, 32] },
    winners: { 'text-davinci-003': 'agentA', 'GPT-3.5': 'agentA', 'GPT-4': 'agentA' },
  },
  {
    first: 'agentB',
    judges: {
      'text-davinci-003': '8:7 9:8 6:8 7:8 8:7',
      'GPT-3.5': '8:7 7:8 7:8 7:8 7:8',
      'GPT-4': '7:8 6:8 6:7 7:7 7:8',
    },
    totals: { 'text-davinci-003': [38, 38], 'GPT-3.5': [39, 36], 'GPT-4': [38, 33] },
    // 38 to 38 is a tie, which the paper counts as won by A.
    winners: { 'text-davinci-003': null, 'GPT-3.5': 'agentA', 'GPT-4': 'agentA' },
  },
] as const;

describe('the panel of tables 6.5 and 6.6', () => {
  const sheets = tables.flatMap(({ first, judges, totals, winners }) =>
    (Object.keys(judges) as (keyof typeof judges)[]).map((role) => {
      const points = totalPoints(sheet(judges[role], first));
      return { role, first, points, printed: totals[role], winner: winnerByPoints(points), expected: winners[role] };
    }),
  );

  test.each(sheets)('$role, $first first: totals and winner', ({ points, printed, winner, expected }) => {
    expect([points.agentA, points.agentB]).toEqual(printed);
    expect(winner).toBe(expected);
  });

  test('two of three judges find the same winner in both orders; the tie is no win', () => {
    expect(orderAgreement(sheets)).toEqual({ same: 2, judges: 3 });
  });

  test('a judge with one order alone takes no part in the agreement', () => {
    const one = { role: 'judge1', first: 'agentA', winner: null } as const;
    expect(orderAgreement([one])).toEqual({ same: 0, judges: 0 });
    expect(orderAgreement([one, { ...one, first: 'agentB' }])).toEqual({ same: 1, judges: 1 });
    expect(orderAgreement([one, { ...one, first: 'agentB', winner: 'agentB' }])).toEqual({ same: 0, judges: 1 });
  });
});
