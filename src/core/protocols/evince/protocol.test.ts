import { describe, expect, test } from 'vitest';
import { criticism } from '../../crit/criticism.fixture.ts';
import { rulingOf } from '../testing/heldTrial.ts';
import { exchanges, hold, placeOf, type Shares, statement, steady } from './debate.fixture.ts';

interface Round {
  readonly a: Shares;
  readonly b: Shares;
  /** As tables 7.2 and 7.3 have it, 0-1. */
  readonly crit: number;
}

/** Says the lists of a debate of chapter 7, and those of its last round ever after. */
const printed = (labels: readonly string[], rounds: readonly Round[]) => (key: string) => {
  const place = placeOf(key);
  const round = place === null ? undefined : (rounds[place.round - 1] ?? rounds.at(-1));
  if (place === null || round === undefined) return null;
  if (place.speaker.startsWith('critic')) return criticism(10 * round.crit);
  return statement(labels, place.speaker === 'agentA' ? round.a : round.b);
};

const fevers = ['Dengue Fever', 'Chikungunya', 'Zika Virus', 'Viral Infection', 'Autoimmune Disease', 'Bacterial Infection'];
const first = { 'Dengue Fever': 60, Chikungunya: 25, 'Zika Virus': 15 };
const agreed = { 'Dengue Fever': 60, Chikungunya: 35, 'Zika Virus': 5 };
/** Appendix 7.D. */
const dengue: readonly Round[] = [
  { a: first, b: { 'Viral Infection': 60, 'Autoimmune Disease': 20, 'Bacterial Infection': 15 }, crit: 0.75 },
  { a: first, b: { 'Dengue Fever': 50, Chikungunya: 30, 'Viral Infection': 20 }, crit: 0.82 },
  { a: agreed, b: agreed, crit: 0.87 },
];

const livers = ['HCV', 'HBV', 'Cirrhosis', 'Obstructive Jaundice', 'Acute Liver Failure', 'Alcoholic Hepatitis', 'HAV'];
const viral = { HCV: 40, HBV: 30, Cirrhosis: 15, 'Obstructive Jaundice': 10, 'Acute Liver Failure': 5 };
const wider = { HBV: 35, HCV: 25, 'Obstructive Jaundice': 20, 'Alcoholic Hepatitis': 15, HAV: 5 };
const joint = { HCV: 35, HBV: 30, Cirrhosis: 20, 'Obstructive Jaundice': 10, 'Acute Liver Failure': 5 };
/** Appendix 7.E. */
const jaundice: readonly Round[] = [
  { a: viral, b: wider, crit: 0.76 },
  { a: wider, b: viral, crit: 0.83 },
  { a: { HCV: 35, HBV: 25, Cirrhosis: 20, 'Obstructive Jaundice': 15, 'Acute Liver Failure': 5 }, b: joint, crit: 0.89 },
  { a: joint, b: joint, crit: 0.92 },
];

describe('the debates of chapter 7', () => {
  test('dengue or chikungunya: three rounds as printed, a fourth in which nothing moves ends it', async () => {
    const { record, end } = await hold({ labels: fevers, says: printed(fevers, dengue) });
    expect(end).toEqual({ outcome: 'decided', incomplete: false });
    const rounds = exchanges(record);
    expect(rounds.map(({ stop }) => stop)).toEqual([null, null, null, 'tolerance']);
    expect(rounds.map(({ contentiousness }) => contentiousness?.toFixed(2))).toEqual(['0.90', '0.67', '0.50', '0.37']);
    expect(rounds.map(({ jsd }) => jsd.toFixed(4))).toEqual(['0.6931', '0.1247', '0.0000', '0.0000']);
    expect(rounds.map(({ wd }) => wd.toFixed(2))).toEqual(['1.00', '0.25', '0.00', '0.00']);
    expect(rounds.map(({ crit }) => crit?.toFixed(2))).toEqual(['0.75', '0.82', '0.87', '0.87']);
    expect(rounds.map(({ sides }) => [sides.agentA.rawSum, sides.agentB.rawSum])).toEqual([
      [100, 95],
      [100, 100],
      [100, 100],
      [100, 100],
    ]);
    // scipy, docs/reference/values/information.json
    expect(rounds[1]?.mi).toBeCloseTo(0.6342156828602441, 9);
    expect(rounds[1]?.nmi).toBeCloseTo(0.6159508826732477, 9);
    expect(rounds[1]?.kl.aToB).toBeCloseTo(2.88773, 5);
    expect(rounds[2]?.nmi).toBeCloseTo(1, 12);
    const { prediction, confidence, belief, source, role } = rulingOf(record);
    expect([prediction, source, role]).toEqual(['Dengue Fever', 'mixture', 'mixture']);
    expect(confidence).toBeCloseTo(0.6, 12);
    expect(belief?.Chikungunya).toBeCloseTo(0.35, 12);
  });

  test('jaundice or hepatitis: swapped lists are as far apart as before', async () => {
    const { record } = await hold({ labels: livers, params: { topK: 5 }, says: printed(livers, jaundice) });
    const rounds = exchanges(record);
    expect(rounds.map(({ jsd }) => jsd.toFixed(4))).toEqual(['0.1568', '0.1568', '0.0037', '0.0000', '0.0000']);
    expect(rounds.map(({ wd }) => wd.toFixed(2))).toEqual(['0.35', '0.35', '0.05', '0.00', '0.00']);
    expect(rounds.map(({ stop }) => stop)).toEqual([null, null, null, null, 'tolerance']);
    expect(rulingOf(record).prediction).toBe('HCV');
    expect(rulingOf(record).confidence).toBeCloseTo(0.35, 12);
    expect(rounds[0]?.change).toBeNull();
    expect(rounds[1]?.change?.jsd).toBeCloseTo(0, 12);
    expect(rounds[2]?.change?.jsd).toBeCloseTo(0.0037 - 0.1568, 3);
  });
});

const labels = ['joy', 'fear', 'love'];
/** Sums to 100, and moves far from round to round, so that nothing settles. */
const moving = (key: string) => {
  const place = placeOf(key);
  if (place === null) return null;
  if (place.speaker.startsWith('critic')) return criticism(5 + (place.round % 2) * 3);
  const sure = place.round % 2 === 0 ? 90 : 40;
  return statement(
    labels,
    place.speaker === 'agentA' ? { joy: sure, fear: 95 - sure, love: 5 } : { fear: 60, joy: 30, love: 10 },
  );
};

describe('contentiousness', () => {
  const levels = async (params: Readonly<Record<string, unknown>>, says: (key: string) => object | null = moving) => {
    const { record } = await hold({ labels, params: { maxRounds: 5, tolerance: 0, ...params }, says });
    return exchanges(record).map(({ contentiousness }) => contentiousness);
  };
  const close = (found: readonly (number | null)[], wanted: readonly number[]) => {
    expect(found).toHaveLength(wanted.length);
    for (const [index, value] of wanted.entries()) expect(found[index]).toBeCloseTo(value, 9);
  };

  test('exponential: 0.9 e^(-l t), l = ln(9/5)/2, so a factor of the root of 5/9 each round', async () => {
    const factor = Math.sqrt(5 / 9);
    close(await levels({}), [0.9, 0.9 * factor, 0.5, 0.5 * factor, 0.9 * (5 / 9) ** 2]);
    close(await levels({ contentiousness: 0.6 }), [0.6, 0.6 * factor, 0.6 * (5 / 9), 0.6 * (5 / 9) * factor, 0.6 * (5 / 9) ** 2]);
  });

  test('linear: 0.2 less each round, and never under 0', async () => {
    close(await levels({ modulation: 'linear' }), [0.9, 0.7, 0.5, 0.3, 0.1]);
    close(await levels({ modulation: 'linear', contentiousness: 0.5 }), [0.5, 0.3, 0.1, 0, 0]);
  });

  test('fixed: as it began', async () => {
    close(await levels({ modulation: 'fixed' }), [0.9, 0.9, 0.9, 0.9, 0.9]);
  });

  test('metric: min(k, 0.3 + 0.6 (JSD/ln 2 + WD)/2), which never rises', async () => {
    const { record } = await hold({ labels, params: { modulation: 'metric', tolerance: 0 }, says: moving });
    const rounds = exchanges(record);
    let k = 0.9;
    for (const [index, { contentiousness, jsd, wd }] of rounds.entries()) {
      expect(contentiousness, `round ${index + 1}`).toBeCloseTo(k, 12);
      k = Math.min(k, 0.3 + 0.6 * ((jsd / Math.LN2 + wd) / 2));
    }
    // Round 1: A 40, 55, 5 and B 30, 60, 10 (joy, fear, love) are 0.1 apart.
    expect(rounds[0]?.wd).toBeCloseTo(0.1, 12);
    // Two that agree continue at 0.3, two with nothing in common at 0.9.
    close(await levels({ modulation: 'metric', maxRounds: 2 }, steady(labels, { joy: 50, fear: 30, love: 20 })), [0.9, 0.3]);
    const apart = steady(labels, { joy: 100, fear: 0, love: 0 }, { fear: 100, joy: 0, love: 0 });
    close(await levels({ modulation: 'metric', maxRounds: 2 }, apart), [0.9, 0.9]);
  });

  test('metric-rising: rises again where they move apart', async () => {
    const says = (key: string) => {
      const place = placeOf(key);
      if (place === null) return null;
      if (place.speaker.startsWith('critic')) return criticism(8);
      const agrees = { joy: 50, fear: 30, love: 20 };
      return statement(labels, place.speaker === 'agentB' && place.round > 1 ? { fear: 100, joy: 0, love: 0 } : agrees);
    };
    const found = await levels({ modulation: 'metric-rising', maxRounds: 3 }, says);
    expect(found[1]).toBeCloseTo(0.3, 12);
    expect(found[2]).toBeGreaterThan(0.5);
    const falling = await levels({ modulation: 'metric', maxRounds: 3 }, says);
    expect(falling[2]).toBeCloseTo(0.3, 12);
  });

  test('reaches every answer but the first, as a number and in words', async () => {
    const { effects } = await hold({ labels, params: { tolerance: 0 }, says: moving });
    const sent = (key: string) => {
      const call = effects.calls.find((each) => each.key === `${key}/attempt-1`);
      const said = call?.request.messages.at(-1)?.content ?? '';
      return /Contentiousness: (\S+) of 1\. Be (.+?)[,.].*\n\nReply to Agent ([AB])/.exec(said)?.slice(1) ?? null;
    };
    expect(sent('round-1/agentA')).toBeNull();
    expect(sent('round-1/agentB')).toEqual(['0.9', 'very confrontational', 'A']);
    expect(sent('round-2/agentA')).toEqual(['0.67', 'confrontational', 'B']);
    expect(sent('round-3/agentB')).toEqual(['0.5', 'balanced', 'A']);
    expect(sent('round-5/agentA')).toEqual(['0.28', 'more agreeable than confrontational', 'B']);
  });

  test('mixture: no debate, no critic, the plain mean, neither knowing what the other says', async () => {
    const { record, effects } = await hold({ labels, params: { modulation: 'mixture' }, says: moving });
    expect(effects.calls.map(({ role }) => role)).toEqual(['agentA', 'agentB', 'agentA', 'agentB']);
    const prompts = effects.calls.slice(0, 2).map(({ request }) => request.messages.at(-1)?.content ?? '');
    for (const prompt of prompts) expect(prompt).not.toContain('so it is');
    expect(prompts[0]?.replace('Agent A', 'Agent B')).toBe(prompts[1]);
    expect(exchanges(record)).toMatchObject([{ round: 1, contentiousness: null, crit: null, stop: 'mixture', change: null }]);
    const { belief, grounds } = rulingOf(record);
    expect(grounds?.mixture).toEqual({ weights: { agentA: 1, agentB: 1 } });
    // (0.40 + 0.30) / 2, (0.55 + 0.60) / 2, (0.05 + 0.10) / 2
    for (const [label, share] of Object.entries({ joy: 0.35, fear: 0.575, love: 0.075 })) {
      expect(belief?.[label]).toBeCloseTo(share, 12);
    }
  });
});

describe('where the debate ends', () => {
  const still = steady(labels, { joy: 50, fear: 30, love: 20 });
  const stops = async (params: Readonly<Record<string, unknown>>, says: (key: string) => object | null = still) => {
    const { record } = await hold({ labels, params, says });
    return exchanges(record).map(({ stop }) => stop);
  };

  test('where nothing moves: after the second round', async () => {
    expect(await stops({})).toEqual([null, 'tolerance']);
  });

  test('where something does: after `maxRounds`', async () => {
    expect(await stops({ maxRounds: 3 }, moving)).toEqual([null, null, 'rounds']);
    expect(await stops({ maxRounds: 1 })).toEqual(['rounds']);
  });

  test('a tolerance of 0 is never undercut', async () => {
    expect(await stops({ tolerance: 0, maxRounds: 4 })).toEqual([null, null, null, 'rounds']);
  });

  test('one measure that moves is enough to continue: CRIT alone, falling', async () => {
    const falling = steady(labels, { joy: 50, fear: 30, love: 20 }, undefined, (round) => 9 - round);
    expect(await stops({ maxRounds: 3 }, falling)).toEqual([null, null, 'rounds']);
  });

  test('figure 7.1 without absolute values would stop here: distances that grow continue', async () => {
    const growing = (key: string) => {
      const place = placeOf(key);
      if (place === null) return null;
      if (place.speaker.startsWith('critic')) return criticism(8);
      return statement(
        labels,
        place.speaker === 'agentA'
          ? { joy: 40 + 10 * place.round, fear: 40 - 10 * place.round, love: 20 }
          : { joy: 50, fear: 30, love: 20 },
      );
    };
    expect(await stops({ maxRounds: 3 }, growing)).toEqual([null, null, 'rounds']);
  });
});
