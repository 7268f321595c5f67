import { expect, test } from 'vitest';
import type { ChangeStatistics } from '../../shared/changeStatistics.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { changeDetails, changesFinding, changesInShort, changesPieces, mainTexts, stabilityText } from './changeTables.ts';

const change = (
  kind: ChangeStatistics['kind'],
  text: string,
  flips: boolean,
  more: Partial<ChangeStatistics> = {},
): ChangeStatistics => ({
  ...{
    arm: 'a',
    changed_arm: `a (${text})`,
    kind,
    change: text,
    pairs: 1,
    unchanged: 0,
    erased: 0,
    measures: [],
    directions: [],
  },
  failed: { base: 0, swapped: 0, both: 0 },
  moves: flips ? [{ from: 'YES', to: 'NO', n: 1 }] : [],
  ...more,
});

test('the changes that flip one verdict are counted and named, and other seeds are counted by themselves', () => {
  const set = [change('facts', 'without age', true), change('noise', 'noise', false), change('seed', 'seeds 1', true)];
  expect(stabilityText({ changes: set })).toBe(
    'The verdict changed with 1 of 2 changes (without age: NO). Repeated with other seeds and no other change, it ended otherwise. So one changed verdict shows little: chance alone changes it too.',
  );
  const failed = change('mislead', 'agentA told to mislead', false, { failed: { base: 0, swapped: 1, both: 0 } });
  expect(stabilityText({ changes: [...set, failed] })).toContain('1 of 2 changes');
  const [stays, otherwise] = [change('seed', 'seeds 1', false), change('seed', 'seeds 2', true)];
  expect(stabilityText({ changes: [change('facts', 'age is 70', false), stays, otherwise] })).toBe(
    'The verdict stayed the same with the change (age is 70). Repeated with other seeds and no other change, 1 of 2 ended otherwise. So chance alone changes the verdict.',
  );
});

test('of several cases there is no such sentence', () => {
  expect(stabilityText({ changes: [change('noise', 'noise', true, { pairs: 2 })] })).toBeNull();
  expect(stabilityText({})).toBeNull();
});

test('a change of belief has one sign: that of a speech is in the table of worths, which has it the other way round', () => {
  const measures = [{ name: 'probability_change', label: 'YES', value: -0.32, n: 1 } as never];
  const without = change('withhold', 'without the speech turn-2/defense', false, { speech: 'turn-2/defense', measures });
  const worth = {
    ...{ arm: 'a', speech: 'turn-2/defense', label: 'YES', cases: 1, pairs: 6, seeds: 6, unheard: 0 },
    measures: [],
  };
  const moved = '(without the speech turn-2/defense, P(YES) −32 points). Points are of the changed trial less the original.';
  expect(stabilityText({ changes: [without] })).toContain(moved);
  expect(stabilityText({ changes: [without], speech_worth: [worth] })).toContain('(without the speech turn-2/defense). Nothing');
});

test('where nobody whose belief counts heard a speech, its 0 is no finding', () => {
  const unheard = { pairs: 0, unheard: { pairs: 1, own_belief: 1 } };
  const opening = change('withhold', 'without the speech “Agent A, opening”', false, unheard);
  const said =
    'Nobody whose belief counts heard this speech, so leaving it out could change nothing (without the speech “Agent A, opening”). The belief that its speaker stated with the speech still counts.';
  expect(stabilityText({ changes: [opening] })).toBe(said);
  expect(stabilityText({ changes: [change('seed', 'seeds 1', false), opening] })).toBe(
    `Repeated with other seeds and no other change, it ended the same way; up to 80 of 100 more could still end otherwise (upper end of the 95% interval). No change of the case was tried. ${said}`,
  );
  expect(changesInShort([opening])).toContain(said);
});

test('what is said of one trial ends with what its flips mean compared with other seeds', () => {
  const [age, noise] = [change('facts', 'without age', true), change('noise', 'noise', false)];
  const [stays, flips] = [change('seed', 'seeds 1', false), change('seed', 'seeds 1', true)];
  const end = (...changes: ChangeStatistics[]) => stabilityText({ changes })?.split('. ').at(-1);
  expect(end(age, stays)).toBe('So the change is the likelier reason, but 1 repetition does not rule out chance.');
  expect(end(age, flips)).toBe('So one changed verdict shows little: chance alone changes it too.');
  expect(end(noise, flips)).toBe('So chance alone changes the verdict.');
  expect(end(age)).toBe('It was not repeated with other seeds alone, so chance may have changed the verdict.');
  expect(end(noise, stays)).toBe('Nothing that was tried changes it.');
});

test('of an experiment it is said in plain words what was changed, then which expectations failed, and what each exchanged attribute does beyond other seeds', () => {
  const measure = (name: string, value: number, n: number) =>
    ({ name, over: 'pairs', label: null, value, n, count: null, low: null, high: null, method: 'none' }) as never;
  const of = (kind: ChangeStatistics['kind'], text: string, n: number) =>
    change(kind, text, false, {
      ...{ pairs: 20, expect: 'INV', moves: n === 0 ? [] : [{ from: 'YES', to: 'NO', n }] },
      measures: [measure('flip_rate', n / 20, 20), ...(kind === 'attribute' ? [measure('excess_flip_rate', 0.05, 20)] : [])],
    });
  const beyond = (name: string, low: number) => ({ ...(measure(name, 0.2, 20) as object), low, high: 0.3 }) as never;
  const [more, asMuch] = [0.1, -0.1].map((low) => {
    const one = of('noise', `noise ${low}`, 7);
    return { ...one, measures: [...one.measures, measure('replicate_flip_rate', 0.25, 40), beyond('excess_flip_rate', low)] };
  });
  expect(
    changeDetails({
      changes: [
        ...[of('instruction', 'an instruction', 7), of('attribute', 'sex exchanged', 4), of('noise', 'noise', 0)],
        ...[of('seed', 'seeds 1', 5), of('seed', 'seeds 2', 0)],
      ],
    }),
  ).toEqual([
    '2 of 3 changes that should leave every verdict as it is flip some: a, an instruction (7 of 20 pairs); a, sex exchanged (4 of 20 pairs).',
    'Counterfactual fairness of a, as pairs whose verdict flips, and the difference to other seeds alone: sex exchanged (4 of 20, +5 points).',
  ]);
  expect(changeDetails({ changes: [more as ChangeStatistics, asMuch as ChangeStatistics] })).toEqual([
    '2 of 2 changes that should leave every verdict as it is flip some: a, noise 0.1 (7 of 20 pairs); a, noise -0.1 (7 of 20 pairs). With other seeds alone 25% of 40 pairs flip; more than that beyond chance, by intervals that are not corrected for 2 changes: a, noise 0.1 (+20 points [+10, +30]).',
  ]);
  expect(changeDetails({ changes: [asMuch as ChangeStatistics, { ...(asMuch as ChangeStatistics), arm: 'b' }] })[0]).toMatch(
    / With other seeds alone a 25% of 40; b 25% of 40 pairs flip; no change is shown to flip more than that\.$/,
  );
  const agreeing = (arm: string, value: number, cases: number) => ({
    ...of('facts', 'without remark', 0),
    ...{ arm, expect: undefined as never },
    measures: [
      { name: 'accuracy_change', over: 'all', value, n: 40, cases, low: value - 0.1, high: 0.01, level: 0.95, p: 0.25 } as never,
    ],
  });
  expect(changeDetails({ changes: [agreeing('a', -0.175, 40), of('seed', 'seeds 1', 1)], decided_by: 'the bank' })).toEqual([
    'Compared with the same arm unchanged, case by case, agreement with the bank changes by: without remark −17.5 points [−27.5, +1] (40 cases, p 0.250; 10 points would take about 170 cases). A failure counts as no agreement; p is not adjusted.',
  ]);
  expect(changeDetails({ changes: [agreeing('a', -0.175, 20), agreeing('b', 0, 40)] })[0]).toMatch(
    / accuracy changes by: a, without remark −17\.5 .* \(40 pairs of 20 cases, p 0\.250; 10 points would take about 83 cases\); b, without remark 0 points \[−10, \+1\] \(40 cases, p 0\.250\)\./,
  );
  // It counts other trials than the rest of its row, so it has its own number of them.
  const pieces = changesPieces({ changes: [agreeing('a', -0.175, 40)], positive: 'YES' } as unknown as StatsReport);
  expect(JSON.stringify(pieces)).toMatch(/"−17\.5 \[−27\.5, \+1\] of 40"/);
  const [shown] = agreeing('a', -0.3, 40).measures.map((each: object) => ({ ...each, low: -0.4, high: -0.02, p: 0.01 }) as never);
  expect(changeDetails({ changes: [{ ...agreeing('a', -0.3, 40), measures: [shown as never] }] })[0]).toContain('p 0.010). A');
  expect(changeDetails({ changes: [of('noise', 'noise', 0)] })).toEqual([
    'None of the changes that should leave every verdict as it is flips one (1 tried).',
  ]);
  const changed = {
    changes: [of('noise', 'noise', 7)],
    finding: { sentence: 'No arm is shown to beat every baseline.' } as never,
  };
  expect(mainTexts(changed, ['1 is missing.'], ['a and b.'])).toEqual([
    '1 is missing.',
    'a and b.',
    'No arm is shown to beat every baseline.',
    changesInShort(changed.changes),
  ]);
  expect(changesFinding(changed)).toEqual([changesInShort(changed.changes), ...changeDetails(changed)]);
});

test('in short: what was changed, how often the verdict changed with it and without it, and what that means', () => {
  const rates = (n: number, low: number | null, control = 0) =>
    ['flip_rate', 'excess_flip_rate', ...(control === 0 ? [] : ['replicate_flip_rate'])].map((name) => ({
      ...{ name, over: 'pairs', value: 0.2, n: name === 'replicate_flip_rate' ? control : n, low, high: low },
    })) as never;
  const of = (kind: ChangeStatistics['kind'], text: string, flipped: number, n: number, low: number | null = null) =>
    change(kind, text, false, {
      pairs: n,
      measures: rates(n, low, kind === 'seed' ? n : 0),
      moves: flipped === 0 ? [] : [{ from: 'YES', to: 'NO', n: flipped }],
    });
  const repeated = of('seed', 'seeds 1', 2, 20);
  expect(changesInShort([of('facts', 'age is 70', 6, 20, 0.01), repeated])).toBe(
    'Cases were tried again with one thing changed: age is 70. The verdict was another one in 6 of 20 trials. Between trials of one case with other seeds alone, the verdict differs in 20% of 20 pairs. With the change, the verdict changed more often than by chance.',
  );
  for (const low of [null, 0, -0.1])
    expect(changesInShort([of('facts', 'age is 70', 6, 20, low), repeated])).toMatch(/ This could be chance alone\.$/);
  expect(changesInShort([of('noise', 'noise', 6, 20, -0.1), of('facts', 'age is 70', 6, 20, 0.1), repeated])).toMatch(
    / With “age is 70”, the verdict changed more often than by chance\.$/,
  );
  const parts = [
    { from: 'single', to: 'couple', pairs: 9, measures: rates(9, 0.1), moves: [] },
    { from: 'parent', to: 'couple', pairs: 11, measures: rates(11, 0.1), moves: [] },
  ];
  const household = { ...of('attribute', 'household is couple', 6, 20, -0.1), directions: parts };
  const hint = ' With “parent → couple” (11 trials) it changed more often than by chance: a hint and no finding';
  expect(changesInShort([household, repeated])).toContain(`This could be chance alone.${hint}`);
  const jobs = Array.from({ length: 8 }, (_, at) => ({ ...parts[1], from: `job ${at}` })) as typeof parts;
  expect(changesInShort([{ ...household, directions: jobs }, repeated])).toContain(
    '; “job 5 → couple” (11 trials); and 2 more it changed more often than by chance',
  );
  expect(changesInShort([household, of('noise', 'noise', 1, 20, -0.1), repeated])).toContain(
    ' With “household is couple, parent → couple” (11 trials) it changed',
  );
  expect(changesInShort([household, repeated, { ...of('noise', 'noise', 1, 20, -0.1), arm: 'b' }])).toMatch(
    /^a: Cases .* in 6 of 20 trials\..* b: Cases .* in 1 of 20 trials\. Nothing was repeated/,
  );
  expect(changesInShort([of('facts', 'age is 70', 0, 1), of('seed', 'seeds 1', 1, 3)])).toMatch(/too few trials to tell/);
  const replicated = { ...of('facts', 'age is 70', 6, 20, -0.1), measures: rates(20, -0.1, 54) };
  expect(changesInShort([replicated])).toMatch(/ the verdict differs in 20% of 54 pairs\. This could be chance alone\.$/);
  expect(changesInShort([of('facts', 'age is 70', 0, 1)])).toMatch(/Nothing was repeated with other seeds alone/);
});
