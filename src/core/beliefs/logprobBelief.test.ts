import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exhaustive } from '../../shared/exhaustive.fixture.ts';
import type { LabelTokens } from './labelTokens.ts';
import { writtenLabel } from './labelTokens.ts';
import { logprobBelief } from './logprobBelief.ts';

type Masses = Readonly<Record<string, number>>;

/** Makes a place whose steps are written with probabilities: the token written, then all reported ones. */
function place(lead: string, ...steps: readonly (readonly [string, Masses])[]): LabelTokens {
  return {
    path: 'prediction',
    lead,
    steps: steps.map(([token, masses]) => [
      token,
      Math.log(masses[token] ?? 1e-9),
      Object.entries(masses).map(([name, mass]) => [name, Math.log(mass)] as [string, number]),
    ]),
  };
}

const quote = ['"', { '"': 1 }] as const;

describe('by hand', () => {
  test('a logarithm that is no probability gives no belief, and no number that is none', () => {
    const place = { path: 'prediction', lead: '', steps: [['YES', 1000, [['NO', -1]]]] } satisfies LabelTokens;
    expect(logprobBelief(['NO', 'YES'], place)).toEqual({ belief: null, coverage: 0, doubt: 1, missing: [] });
  });

  test('two labels with different first tokens: 0.6 and 0.2 of 0.8', () => {
    expect(logprobBelief(['NO', 'YES'], place('"', quote, ['YES', { YES: 0.6, NO: 0.2, Maybe: 0.2 }]))).toEqual({
      belief: { NO: 0.25, YES: 0.75 },
      coverage: 0.8,
      doubt: 0,
      missing: [],
    });
  });

  test('NO, NOT GUILTY, YES: the mass of NO is divided where the two part', () => {
    // n = 0.5 + 0.3 + 0.1 = 0.9. YES 0.3/0.9; NOT GUILTY 0.1/0.9 + 0.5/0.9 * 0.2/1; NO 0.5/0.9 * 0.8/1.
    const steps = place('"', quote, ['NO', { NO: 0.5, YES: 0.3, NOT: 0.1, I: 0.1 }], ['"', { '"': 0.8, T: 0.2 }]);
    const { belief, coverage, doubt, missing } = logprobBelief(['NO', 'NOT GUILTY', 'YES'], steps);
    expect(belief).toEqual({ NO: 0.444444444, 'NOT GUILTY': 0.222222222, YES: 0.333333333 });
    expect({ coverage, doubt, missing }).toEqual({ coverage: 0.9, doubt: 0, missing: [] });
  });

  test('A1, A2, A10: all begin with A, and A1 ends where A10 continues', () => {
    // A 1; then 1 0.75, 2 0.25; then the quote 0.6, 0 0.3: P(A1) = 0.75 * 0.6/0.9, P(A10) = 0.75 * 0.3/0.9.
    const steps = place('"', quote, ['A', { A: 1 }], ['1', { 1: 0.75, 2: 0.25 }], ['"}', { '"}': 0.6, 0: 0.3, ' ': 0.1 }]);
    expect(logprobBelief(['A1', 'A2', 'A10'], steps)).toEqual({
      belief: { A1: 0.5, A2: 0.25, A10: 0.25 },
      // 0.25 + 0.75 * 0.9
      coverage: 0.925,
      doubt: 0,
      missing: [],
    });
  });

  test('several tokens of one label add up, whether part, whole, or more than it', () => {
    const steps = place('"', quote, ['Y', { Y: 0.2, YES: 0.3, 'YES"}': 0.1, N: 0.1, 'NO",': 0.3 }]);
    expect(logprobBelief(['NO', 'YES'], steps).belief).toEqual({ NO: 0.4, YES: 0.6 });
  });

  test('the token of the opening quote can hold a label as well; white space does not matter', () => {
    // Quote alone 0.5, then NO 0.6 to YES 0.4; and at once `"NO` 0.2, `" YES` is no label, ` "YES` 0.1: n = 0.8.
    const masses = { ' "': 0.5, '"NO': 0.2, ' "YES': 0.1, '" YES': 0.1, '[': 0.1 };
    const { belief, coverage } = logprobBelief(['NO', 'YES'], place(' "', [' "', masses], ['NO', { NO: 0.6, YES: 0.4 }]));
    expect(belief).toEqual({ NO: 0.625, YES: 0.375 });
    // The bracket and the other white space before the label count for nothing.
    expect(coverage).toBe(1);
  });

  test('a label that is not among the reported tokens has all unreported mass, as an upper bound', () => {
    const { belief, doubt, missing, coverage } = logprobBelief(
      ['NO', 'YES', 'X'],
      place('"', quote, ['NO', { NO: 0.72, YES: 0.2 }]),
    );
    expect(belief).toEqual({ NO: 0.72, YES: 0.2, X: 0.08 });
    expect({ doubt, coverage }).toEqual({ doubt: 0.08, coverage: 0.92 });
    expect(missing).toEqual(['X']);
    // Two missing labels share it: together they cannot have more.
    expect(logprobBelief(['NO', 'YES', 'X', 'Z'], place('"', quote, ['NO', { NO: 0.72, YES: 0.2 }])).belief).toEqual({
      NO: 0.72,
      YES: 0.2,
      X: 0.04,
      Z: 0.04,
    });
  });

  test('what several labels share behind a token that was not written is divided evenly, and is doubt', () => {
    // B 0.06 fits both B1 and B2: 0.03 each, and a doubt of 0.06.
    const { belief, doubt } = logprobBelief(['A', 'B1', 'B2'], place('"', quote, ['A', { A: 0.9, B: 0.06, B1: 0.04 }]));
    expect(belief).toEqual({ A: 0.9, B1: 0.07, B2: 0.03 });
    expect(doubt).toBeCloseTo(0.06, 9);
  });

  test('a token that the server did not list counts by its own probability', () => {
    const steps: LabelTokens = {
      path: 'p',
      lead: '"',
      steps: [
        ['"', 0, []],
        ['NO', Math.log(0.3), [['YES', Math.log(0.6)]]],
      ],
    };
    expect(logprobBelief(['NO', 'YES'], steps)).toMatchObject({ belief: null, coverage: 0.9, doubt: 0.1 });
  });

  test('a letter outside of ASCII is compared by its bytes', () => {
    const steps = place('"', quote, ['n\u00c3', { 'n\u00c3': 1 }], ['\u00a9', { '\u00a9': 0.7, '\u00a8': 0.3 }]);
    expect(logprobBelief(['né', 'nè'], steps).belief).toEqual({ né: 0.7, nè: 0.3 });
  });
});

test('what a later step leaves open weighs as much as the chance to come there, among labels', () => {
  // A 0.64 of the 0.8 on labels; behind it 0.1 is open: 0.8 * 0.1. Coverage 0.16 + 0.64 * 0.9.
  const steps = place('"', quote, ['A', { A: 0.64, B: 0.16, I: 0.2 }], ['1', { 1: 0.7, 2: 0.2 }]);
  const { belief, doubt, coverage } = logprobBelief(['A1', 'A2', 'B'], steps);
  expect(doubt).toBeCloseTo(0.08, 8);
  expect(coverage).toBeCloseTo(0.736, 8);
  // All labels are listed, so no label has the open 0.1: 0.8 * 7/9, 0.8 * 2/9, 0.2.
  expect(belief).toEqual({ A1: 0.622222222, A2: 0.177777778, B: 0.2 });
});

test('no token that is not listed is likelier than the last one listed', () => {
  // 0.1 is not listed, but X, X" and, for each of three labels, what is left of NO and YES and two tokens past the quote,
  // have at most 0.001 each: N, NO", Y, YE, YES", X, X" are 7, and 3 * 2 more: 0.013.
  const { doubt, missing } = logprobBelief(['NO', 'YES', 'X'], place('"', quote, ['NO', { NO: 0.5, YES: 0.399, I: 0.001 }]));
  expect(missing).toEqual(['X']);
  expect(doubt).toBeCloseTo(0.013 / (0.899 + 0.013), 8);
});

test('a written token at the end of the list says nothing of those that are not listed', () => {
  // vLLM lists YES, Perhaps and then NO, which was drawn though others, not listed, are likelier: 0.06 of 1 is not
  // reported, and a label that is missing can have all of it, for X alone could have up to 0.04.
  const steps = place('"', quote, ['NO', { YES: 0.899, Perhaps: 0.04, NO: 0.001 }]);
  const { doubt, missing, belief } = logprobBelief(['NO', 'YES', 'X'], steps);
  expect(missing).toEqual(['X']);
  expect(doubt).toBeCloseTo(0.06 / 0.96, 8);
  expect(belief?.X).toBeCloseTo(0.06 / 0.96, 8);
  // An end of the list that was not written still bounds them: what fits is 13 texts of 0.001 each.
  const bounded = place('"', quote, ['NO', { YES: 0.9, NO: 0.039, Perhaps: 0.001 }]);
  expect(logprobBelief(['NO', 'YES', 'X'], bounded).doubt).toBeCloseTo(0.013 / (0.939 + 0.013), 8);
});

describe('not available rather than a guess', () => {
  test('where the model was not about to name a label', () => {
    const { belief, coverage } = logprobBelief(['NO', 'YES'], place('"', quote, ['NO', { NO: 0.3, YES: 0.1, The: 0.6 }]));
    expect(belief).toBeNull();
    expect(coverage).toBeCloseTo(0.4, 9);
  });

  test('where too much was not reported', () => {
    const { belief, doubt } = logprobBelief(['NO', 'YES'], place('"', quote, ['NO', { NO: 0.6, YES: 0.2 }]));
    expect(belief).toBeNull();
    expect(doubt).toBeCloseTo(0.2, 9);
  });

  test('where labels stay mixed behind a token', () => {
    expect(logprobBelief(['A', 'B1', 'B2'], place('"', quote, ['A', { A: 0.5, B: 0.5 }])).belief).toBeNull();
  });

  test.each([
    ['the tokens spell no label', place('"', quote, ['MAYBE', { MAYBE: 1 }])],
    ['the tokens end before one label is left', place('"', quote)],
    ['there are no tokens', place('"')],
    ['the lead is not where it should be', place('":"', quote, ['NO', { NO: 1 }])],
  ])('where %s', (_name, steps) => {
    expect(logprobBelief(['NO', 'YES'], steps)).toEqual({ belief: null, coverage: 0, doubt: 1, missing: [] });
  });
});

/**
 * A model that is known whole: at each point every label that is still possible can be continued by
 * tokens of one to three characters, each with its own mass, and some mass is on other words. Its
 * true belief is found by following every branch.
 */
interface Model {
  readonly labels: readonly string[];
  readonly weight: (written: string, token: string) => number;
  readonly foreign: number;
}

function nextTokens({ labels, weight, foreign }: Model, sofar: string): Map<string, number> {
  const tokens = new Set(
    labels.flatMap((label) => {
      const whole = writtenLabel(label);
      return whole.startsWith(sofar) ? [1, 2, 3].map((length) => whole.slice(sofar.length, sofar.length + length)) : [];
    }),
  );
  const weights = [...tokens].filter((token) => token !== '').map((token) => [token, weight(sofar, token)] as const);
  const sum = weights.reduce((all, [, mass]) => all + mass, 0);
  return new Map(weights.map(([token, mass]) => [token, (mass / sum) * (1 - foreign)]));
}

function trueBelief(model: Model, sofar = '', reach = 1, found = new Map<string, number>()): Map<string, number> {
  const tokens = nextTokens(model, sofar);
  const sum = [...tokens.values()].reduce((all, mass) => all + mass, 0);
  for (const [token, mass] of tokens) {
    const written = sofar + token;
    const done = model.labels.find((label) => writtenLabel(label) === written);
    const share = (reach * mass) / sum;
    if (done === undefined) trueBelief(model, written, share, found);
    else found.set(done, (found.get(done) ?? 0) + share);
  }
  return found;
}

/** What a server that lists so many tokens reports when the model writes the label. */
function reported(model: Model, label: string, cuts: readonly number[], listed: number): LabelTokens {
  const whole = writtenLabel(label);
  const steps: LabelTokens['steps'] = [['"', 0, [['"', 0]]]];
  let sofar = '';
  for (let index = 0; sofar !== whole; index++) {
    const token = whole.slice(sofar.length, sofar.length + (cuts[index % cuts.length] ?? 1));
    const ranked = [...nextTokens(model, sofar), ['\u00ff', model.foreign] as const]
      .filter(([, mass]) => mass > 0)
      .toSorted((one, other) => other[1] - one[1]);
    const own = ranked.find(([name]) => name === token)?.[1] ?? 0;
    steps.push([token, Math.log(own), ranked.slice(0, listed).map(([name, mass]) => [name, Math.log(mass)] as [string, number])]);
    sofar += token;
  }
  return { path: 'prediction', lead: '"', steps };
}

const models = fc
  .record({
    labels: fc.uniqueArray(fc.stringMatching(/^[AB1]{1,4}$/), { minLength: 2, maxLength: 6 }),
    seed: fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 17, maxLength: 17 }),
    steep: fc.integer({ min: 1, max: 6 }),
    foreign: fc.double({ min: 0, max: 0.4, noNaN: true }),
  })
  .map(({ labels, seed, steep, foreign }): Model => {
    const place = (text: string) => [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 17, 7);
    return { labels, foreign, weight: (sofar, token) => (seed[place(`${sofar}|${token}`)] ?? 1) ** steep };
  });

describe('against a model that is known whole', () => {
  const cases = fc.tuple(
    models,
    fc.nat(),
    fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
    fc.integer({ min: 1, max: 20 }),
  );

  test('no probability is off by more than the doubt, and a belief sums to 1', () => {
    let withBelief = 0;
    fc.assert(
      fc.property(cases, ([model, choice, cuts, listed]) => {
        const label = model.labels[choice % model.labels.length] ?? '';
        const { belief, doubt, coverage } = logprobBelief(model.labels, reported(model, label, cuts, listed));
        expect(coverage).toBeLessThanOrEqual(1);
        if (belief === null) return;
        withBelief += 1;
        const truth = trueBelief(model);
        for (const name of model.labels) {
          expect(Math.abs((belief[name] ?? -1) - (truth.get(name) ?? 0))).toBeLessThanOrEqual(doubt + 1e-6);
        }
        expect(Object.values(belief).reduce((sum, mass) => sum + mass, 0)).toBeCloseTo(1, 6);
      }),
      { numRuns: exhaustive ? 400 : 100 },
    );
    expect(withBelief).toBeGreaterThan(40);
  });

  test('with one way to write each label and all tokens reported, the belief is exact for any label written', () => {
    const single = models.map(
      (model): Model => ({ ...model, weight: (sofar, token) => (token.length === 1 ? model.weight(sofar, token) : 0) }),
    );
    fc.assert(
      fc.property(single, fc.nat(), (model, choice) => {
        const labels = model.labels.filter(
          (label) => !model.labels.some((other) => other !== label && other.startsWith(label.charAt(0))),
        );
        fc.pre(labels.length === model.labels.length);
        const label = labels[choice % labels.length] ?? '';
        const { belief, doubt } = logprobBelief(labels, reported(model, label, [1], 20));
        expect(doubt).toBeLessThan(1e-9);
        const truth = trueBelief(model);
        for (const name of labels) expect(belief?.[name]).toBeCloseTo(truth.get(name) ?? -1, 6);
      }),
    );
  });
});

test('never throws, for any tokens', () => {
  const token = fc.string({ maxLength: 6, unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) });
  const masses = fc.array(fc.tuple(token, fc.double({ noNaN: true, max: 0 })), { maxLength: 6 });
  fc.assert(
    fc.property(token, fc.array(fc.tuple(token, fc.double({ noNaN: true }), masses), { maxLength: 5 }), (lead, steps) => {
      const { belief, coverage, doubt } = logprobBelief(['NO', 'NOT', 'YES'], { path: 'p', lead, steps });
      for (const mass of Object.values(belief ?? {})) expect(mass).toBeGreaterThanOrEqual(0);
      expect(coverage).toBeGreaterThanOrEqual(0);
      expect(doubt).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: exhaustive ? 1000 : 200 },
  );
});
