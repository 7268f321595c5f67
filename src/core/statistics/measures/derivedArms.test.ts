import { describe, expect, test } from 'vitest';
import dawidSkeneReference from '../../../../docs/reference/values/dawidSkene.json' with { type: 'json' };
import majorityReference from '../../../../docs/reference/values/majority.json' with { type: 'json' };
import { randomSource } from '../../cases/shuffle.ts';
import { derivedArms } from './derivedArms.ts';
import { heldTrials } from './heldTrials.ts';
import { againstText, derivedNote } from './shownAgreement.ts';
import { answered, drawing, line } from './trials.fixture.ts';

const terms = { labels: ['A', 'B', 'C'], positive: null, multiLabel: false, groups: [] };

/** Verdicts of an arm, one letter a case, `-` for a failure and a space for none at all. */
const arm = (name: string, truths: string, verdicts: string, replicate = 0) => ({
  name,
  imported: false,
  lines: answered([...truths].map((truth, index) => [truth, verdicts[index] ?? ' '])).flatMap((each) =>
    each.prediction === ' ' ? [] : [line(name, each, { replicate })],
  ),
});
const derive = (arms: Parameters<typeof derivedArms>[0], change = {}) => derivedArms(arms, { ...terms, ...change }, drawing(300));
const accuracy = ({ measures }: ReturnType<typeof derive>[number]) =>
  measures.find(({ name, over }) => name === 'accuracy' && over === 'all');

/** Derived arms of rated units whose truths are the labels that crowd-kit found, with a silent arm where raters are few. */
function derivedFrom({ ratings, verdicts }: { ratings: readonly number[][]; verdicts: readonly number[] }) {
  const letters = 'ABCDEF';
  const raters = Math.max(3, ratings[0]?.length ?? 0);
  const truths = verdicts.map((verdict) => letters[verdict]).join('');
  const said = (rater: number) => ratings.map((unit) => letters[unit[rater] ?? -1] ?? '-').join('');
  return derive(
    Array.from({ length: raters }, (_, rater) => arm(`m${rater}`, truths, said(rater))),
    { labels: [...letters] },
  );
}
const decidedAccuracy = ({ measures }: ReturnType<typeof derive>[number]) =>
  measures.find(({ name, over }) => name === 'accuracy' && over === 'decided')?.value;
/** Units of which several labels are equally likely: crowd-kit takes one of them, and we none. */
const tiesIn = (probabilities: readonly number[][]) =>
  probabilities.filter((unit) => unit.filter((share) => share > Math.max(...unit) - 1e-9).length > 1).length;

describe.each([
  ['majority', 0, majorityReference.sets],
  ['dawid-skene', 1, dawidSkeneReference.sets],
] as const)('%s has the labels of crowd-kit, and is undecided where several are equally likely', (method, place, sets) => {
  test.each(sets)('$name', (set) => {
    const derived = derivedFrom(set)[place];
    const ties = tiesIn(set.probabilities);
    expect(derived).toMatchObject({ method, n: set.ratings.length, undecided: { ties, without_verdict: 0 } });
    expect(derived && decidedAccuracy(derived)).toBe(ties === set.ratings.length ? null : 1);
  });
});

test('the label that most arms name; a tie and a case without any verdict are undecided and wrong, failures are missing', () => {
  const truths = 'AABBCCA';
  const [majority] = derive([
    arm('x', truths, 'AAB-C-A'),
    arm('y', truths, 'ABBBC-B'),
    arm('z', truths, 'BCCAC- '),
    arm('none', '', ''),
  ]);
  expect(majority).toMatchObject({
    method: 'majority',
    arms: ['x', 'y', 'z'],
    ...{ n: 6, cases: 6, decided: 3 },
    undecided: { ties: 2, without_verdict: 1 },
    fit: null,
  });
  expect(majority && accuracy(majority)).toMatchObject({ value: 0.5, n: 6, interval_method: 'wilson' });
});

test('its accuracy is held against that of each arm on the cases that both have, as arms are compared', () => {
  const truths = 'AABBCCA';
  const arms = [arm('x', truths, 'AAB-C-A'), arm('y', truths, 'ABBBC-B'), arm('z', truths, 'BCCAC- ')];
  // As the report has them.
  const [majority] = derive(arms.map((each) => ({ ...each, lines: heldTrials(each.lines) })));
  const x = majority?.against?.find((each) => each.arm === 'x');
  // Of six cases the majority has A, B and C right; x these and one more, where the others outvote or tie it.
  expect(x).toMatchObject({ paired_cases: 7 - 1, derived: 0.5, of_arm: 4 / 6, mcnemar: { a_only: 0, b_only: 1, p: 1 } });
  expect(x?.difference.value).toBeCloseTo(-1 / 6, 12);
  expect(majority?.against?.map((each) => each.arm)).toEqual(['x', 'y', 'z']);
});

test('each difference says whether it is shown, and the note how many arms had each case', () => {
  const truths = 'A'.repeat(16);
  const says = (name: string, verdicts: string) => arm(name, truths, verdicts);
  const [majority] = derive([
    says('x', truths),
    says('y', truths),
    says('z', 'B'.repeat(16)),
    // Its four cases are ties, which are wrong: four of 16, with an interval that leaves out 0 and a p of 0.125.
    says('few', `BBBB${' '.repeat(12)}`),
  ]);
  if (majority === undefined) throw new Error('it is derived');
  const text = againstText(majority, {});
  expect(text).toMatch(/x −25 points \([^)]* interval −[\d.]+ to −[\d.]+, n = 16, p 0\.125\): not shown to differ;/);
  expect(againstText(majority, { part: 'truth YES' })).not.toContain('not shown');
  const early = majority.against?.map((each) => ({ ...each, difference: { ...each.difference, low: null, high: null } }));
  expect(againstText({ ...majority, against: early }, {})).toMatch(/x −25 points \([^)]* n = 16, p 0\.125\);/);
  expect(text).toMatch(/z \+75 points \([^)]*p < 0\.001\);/);
  expect(derivedNote(majority, [majority, { method: 'dawid-skene' }])).toContain(
    'have finished (12 cases by three, 4 by all four); neither sees the truth',
  );
  expect(derivedNote({ ...majority, cases: 8 }, [majority])).toMatch(/have finished; it does not see the truth\.$/);
});

test('the estimate trusts the arm that is better without seeing the truth, and two bad ones do not outvote it', () => {
  const random = randomSource(3, 'arms');
  const truths = Array.from({ length: 300 }, () => (random.below(2) === 0 ? 'A' : 'B'));
  const says = (right: number) => truths.map((truth) => (random.next() < right ? truth : truth === 'A' ? 'B' : 'A')).join('');
  const arms = [0.95, 0.9, 0.6, 0.55, 0.55].map((right, place) => arm(`m${place}`, truths.join(''), says(right)));
  const [majority, estimate] = derive(arms);
  if (majority === undefined || estimate === undefined) throw new Error('both are derived');
  expect(estimate).toMatchObject({ method: 'dawid-skene', n: 300, fit: { converged: true } });
  expect(accuracy(estimate)?.value).toBeGreaterThan((accuracy(majority)?.value ?? 1) + 0.03);
  // With every truth turned round the verdicts are the same ones.
  const turned = arms.map((each) => ({
    ...each,
    lines: each.lines.map((own) => ({ ...own, truth: own.truth === 'A' ? 'B' : 'A' })),
  }));
  expect(accuracy(derive(turned)[1] as typeof estimate)?.value).toBeCloseTo(1 - (accuracy(estimate)?.value ?? 0), 12);
});

test('with replicates an arm is compared with others of the same replicate, and intervals resample cases', () => {
  const both = (name: string, first: string, second: string) => ({
    ...arm(name, 'AB', first),
    lines: [...arm(name, 'AB', first).lines, ...arm(name, 'AB', second, 1).lines],
  });
  const [majority] = derive([both('x', 'AB', 'BB'), both('y', 'AB', 'BA'), both('z', 'BB', 'BB')]);
  expect(majority).toMatchObject({ n: 4, cases: 2, decided: 4 });
  expect(majority && accuracy(majority)).toMatchObject({ value: 0.75, n: 4, cases: 2, resamples: 300 });
});

test('nothing is derived from two arms, or of cases that can have several labels', () => {
  const arms = ['x', 'y', 'z'].map((name) => arm(name, 'AB', 'AB'));
  expect(derive(arms.slice(0, 2))).toEqual([]);
  expect(derive(arms, { multiLabel: true })).toEqual([]);
  expect(derive(arms)).toHaveLength(2);
});
