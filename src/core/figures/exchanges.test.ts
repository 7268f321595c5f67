import { describe, expect, test } from 'vitest';
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import { believed, said } from './entries.fixture.ts';
import { briefly, debateCsv, debateLines, debateMeasures, measureText, totalChange, valuesOf } from './exchangeMeasures.ts';
import { coursesOf, debateOf, type ExchangeEntry, endOf, labelDoubt } from './exchanges.ts';

let seq = 0;
const says = (key: string, role: string) => said(seq++, key, role, { turn: 'answer', text: key });
const believes = (round: number, role: string, belief: Record<string, number>, verbal?: Record<string, number>) =>
  believed(seq++, `round-${round}/${role}/belief`, role, {
    prediction: 'joy',
    belief,
    ...(verbal === undefined ? {} : { source: 'sampled', grounds: { verbal } }),
  });
const side = { rawSum: 100, entropy: 0.5, crit: 0.8, admitted: true, answered: true };
const exchange = (round: number, stop: ExchangeEntry['stop']): ExchangeEntry => ({
  kind: 'exchange',
  seq: seq++,
  key: `round-${round}/exchange`,
  role: '',
  round,
  contentiousness: 0.9,
  sides: { agentA: side, agentB: { ...side, rawSum: null, crit: null } },
  weights: { agentA: 1, agentB: 1 },
  mixture: { joy: 0.5, fear: 0.5 },
  mixtureEntropy: Math.LN2,
  normalisedEntropy: 1,
  informationGain: round === 1 ? null : -0.25,
  wd: 0.25,
  wdOrder: 'nominal',
  jsd: 0.123456,
  mi: 0.3,
  nmi: 0.4,
  kl: { aToB: 0.1, bToA: 0.2 },
  crossEntropy: { aToB: 0.3, bToA: 0.4 },
  crit: null,
  change: null,
  stop,
});

const entries: readonly TranscriptEntry[] = [
  says('round-1/agentA/utterance', 'agentA'),
  believes(1, 'agentA', { joy: 0.6, fear: 0.4, love: 0, calm: 0 }),
  { kind: 'measure', seq: seq++, key: 'round-1/critic-a/score', role: '', name: 'crit', value: 7 },
  says('round-1/agentB/utterance', 'agentB'),
  believes(1, 'agentB', { joy: 1, fear: 0, love: 0, calm: 0 }, { joy: 0.1, fear: 0.2, love: 0.7, calm: 0 }),
  exchange(1, null),
  says('round-2/agentA/utterance', 'agentA'),
  believes(2, 'agentA', { joy: 0.3, fear: 0.7, love: 0, calm: 0 }),
];

describe('debateOf', () => {
  test('shows a debate round by round, also one that is under way', () => {
    const { rounds, exchanges, recommendations } = debateOf(entries);
    expect(rounds.map(({ number, exchange: found }) => [number, found?.round ?? null])).toEqual([
      [1, 1],
      [2, null],
    ]);
    expect(rounds[0]?.turns.agentA).toMatchObject({ crit: 7, speech: { text: 'round-1/agentA/utterance' }, forfeit: null });
    expect(rounds[0]?.turns.agentB.crit).toBeNull();
    expect(rounds[1]?.turns.agentB).toEqual({ role: 'agentB', speech: null, belief: null, forfeit: null, crit: null });
    expect([exchanges.length, recommendations]).toEqual([1, null]);
  });

  test('other protocols have none', () => {
    expect(debateOf([says('turn-1/defense/utterance', 'defense')]).rounds).toEqual([]);
  });

  test.each([
    [null, null],
    ['tolerance', /after round 2: no measure/],
    ['rounds', /after round 2, the last/],
    ['mixture', /no debate/],
  ] as const)('says where it ended: %s', (stop, words) => {
    const found = endOf(debateOf([...entries, exchange(2, stop)]));
    if (words === null) expect(found).toBeNull();
    else expect(found).toMatch(words);
  });
});

describe('coursesOf', () => {
  const labels = ['joy', 'fear', 'love', 'calm'];
  const { rounds } = debateOf(entries);

  test('follows what was stated, the likeliest at the end first', () => {
    const { listed, rest, never } = coursesOf(labels, rounds, 6);
    // At the end: fear 0.7 + 0.2, love 0 + 0.7, joy 0.3 + 0.1.
    expect(listed.map(({ label }) => label)).toEqual(['fear', 'love', 'joy']);
    expect(listed[1]?.shares).toEqual([
      { agentA: 0, agentB: 0.7 },
      { agentA: 0, agentB: null },
    ]);
    expect([rest, never]).toEqual([0, 1]);
  });

  test('counts those that are left out', () => {
    const { listed, rest, never } = coursesOf(labels, rounds, 1);
    expect([listed.length, rest, never]).toEqual([1, 2, 1]);
  });
});

test('a truth that has hardly any of the mixture is doubted, and nothing else is', () => {
  expect(labelDoubt({ joy: 0.96, fear: 0.04 }, 'fear')).toBe(0.04);
  expect(labelDoubt({ joy: 1 }, 'fear')).toBe(0);
  expect(labelDoubt({ joy: 0.95, fear: 0.05 }, 'fear')).toBeNull();
  for (const truth of [null, ['fear']]) expect(labelDoubt({ joy: 1, fear: 0 }, truth)).toBeNull();
  expect(labelDoubt(null, 'fear')).toBeNull();
});

describe('measures', () => {
  test('each has its own name, range and meaning, and a value where the exchange has one', () => {
    for (const key of ['name', 'meaning', 'id'] as const) {
      expect(new Set(debateMeasures.map((measure) => measure[key])).size).toBe(debateMeasures.length);
    }
    expect(debateMeasures.every(({ range }) => range.length > 0)).toBe(true);
    const values = debateLines.map(({ value }) => value(exchange(2, null), exchange(1, null)));
    expect(values.filter((value) => value === null)).toHaveLength(2);
  });

  test('the total change is that of table 7.2: WD -47%, MI +14%, CRIT +16%, JSD -96%', () => {
    const shares = [
      [1.7, 1.1, 0.9],
      [0.43, 0.46, 0.49],
      [0.75, 0.82, 0.87],
      [1.366, 0.905, 0.059],
    ].map((values) => Math.round(100 * (totalChange(values)?.share ?? Number.NaN)));
    expect(shares).toEqual([-47, 14, 16, -96]);
    expect(totalChange([null, 0, 0.5])).toEqual({ by: 0.5, share: null });
    expect(totalChange([null, 0.5])).toBeNull();
  });

  test('1 − WD of successive rounds is what of the mixture stayed where it was', () => {
    const line = debateLines.find(({ measure }) => measure.id === 'steadiness');
    if (line === undefined) throw new Error('no such measure');
    const mixtures = [
      { X: 0.5, Y: 0.3, Z: 0.2 },
      { X: 0.7, Y: 0.3, Z: 0 },
    ];
    const found = valuesOf(
      line,
      mixtures.map((mixture, index) => ({ ...exchange(index + 1, null), mixture })),
    );
    expect(found[0]).toBeNull();
    expect(found[1]).toBeCloseTo(0.8, 12);
  });

  test('as CSV: a line for each, empty where there is no value', () => {
    const lines = debateCsv([exchange(1, null), exchange(2, 'rounds')]).split('\r\n');
    expect(lines).toHaveLength(debateLines.length + 1);
    expect(lines[0]).toBe('measure,round 1,round 2,total change');
    expect(lines).toContain('Jensen-Shannon divergence (JSD),0.123456,0.123456,0');
    expect(lines).toContain('Information gain,,-0.25,');
    expect(lines).toContain('"CRIT, B",,,');
  });

  test('four digits at most, or two', () => {
    expect([0.123456, 0.5, 0, -0.25, null].map(measureText)).toEqual(['0.1235', '0.5', '0', '−0.25', '–']);
    expect([0.6708, -0.028, 1].map(briefly)).toEqual(['0.67', '−0.03', '1']);
  });
});
