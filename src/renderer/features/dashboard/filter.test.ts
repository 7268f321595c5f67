import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caseOrders } from '../../../shared/api/caseTable.ts';
import { trialOrders, trialQueues } from '../../../shared/api/experiments.ts';
import { outcomes } from '../../../shared/domain.ts';
import { countedUnits } from '../../charts/kit/figure.ts';
import {
  behindText,
  countedText,
  type DashboardFilter,
  parseFilter,
  parts,
  subsetBehind,
  toFiltered,
  withGroupToggled,
  withinSubset,
  withRange,
  withToggled,
} from './filter.ts';

/** Part and state as written in the address after the `#`. */
function readBack(address: string): DashboardFilter {
  const [, , , part, state] = new URL(`http://x/#${address}`).hash.slice(1).split('/');
  return parseFilter(part, state);
}

const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => text.isWellFormed());
/** What checks the conditions of an address knows no column `__proto__`. */
const columnName = name.filter((text) => text !== '__proto__');
const some = fc.option(fc.uniqueArray(name, { minLength: 1, maxLength: 3 }), { nil: undefined });
const share = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
const range = fc.option(fc.record({ from: share, to: share }), { nil: undefined });
const given = (whole: object) => Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));

test('an address keeps every view, for any names', () => {
  const looks = fc.record({
    part: fc.constantFrom(...parts),
    subset: fc
      .record({
        arms: some,
        models: some,
        outcomes: fc.option(fc.constant([outcomes[0]]), { nil: undefined }),
        known: fc.option(fc.constant(['truth', 'first answer']), { nil: undefined }),
        truths: some,
        first: some,
        paired: some,
        column: columnName,
        values: some,
        confidence: range,
        label: columnName,
        belief: range,
      })
      .map(({ column, values, label, belief, ...rest }) =>
        given({
          ...rest,
          groups: values && { [column]: values },
          beliefs: belief && { [label]: belief },
        }),
      ),
    behind: fc.option(
      fc.record({
        trials: fc.record({
          arm: name,
          counts: fc.record({ n: fc.nat(), of: fc.constantFrom(...countedUnits) }),
          pair: fc.record({ a: name, b: name, baseline: fc.boolean() }),
        }),
        figure: fc.constant('a-b'),
        title: name,
      }),
      { nil: null },
    ),
    list: fc.record({
      queue: fc.constantFrom(...trialQueues),
      outcome: fc.constantFrom('any', ...outcomes),
      correct: fc.constantFrom('any', 'wrong'),
      verdict: name,
      order: fc.constantFrom(...trialOrders),
      search: name,
      rows: fc.constantFrom('trials', 'cases'),
      caseOrder: fc.constantFrom(...caseOrders),
      disagree: fc.boolean(),
      answers: fc.array(fc.record({ arm: name, label: fc.option(name) }), { maxLength: 2 }),
      facts: fc.array(fc.record({ column: name, value: fc.option(fc.string({ maxLength: 5 })) }), { maxLength: 2 }),
      untried: fc.boolean(),
    }),
  });
  fc.assert(
    fc.property(looks, (look) => {
      expect(readBack(toFiltered('a/b c', look as DashboardFilter))).toEqual(look);
    }),
  );
});

test('what an address says rightly is kept despite what it says wrongly', () => {
  const { subset } = parseFilter(
    'figures',
    `outcome=never&arm=court&arm=${'a'.repeat(10_000)}&group.sex=Female&group.__proto__=x`,
  );
  expect(subset).toEqual({ arms: ['court'], groups: { sex: ['Female'] } });
});

test('arm, first answer and group that an earlier version had in the filter of the list are conditions of all', () => {
  const list = { arm: 'court', first: 'NO', group: ['sex', 'f'], verdict: 'YES' };
  expect(parseFilter('trials', `arm=alone&arm=court&list=${JSON.stringify(list)}`)).toMatchObject({
    subset: { arms: ['court'], first: ['NO'], groups: { sex: ['f'] } },
    list: { verdict: 'YES' },
  });
});

test('columns may be called like what every object has', () => {
  const subset = parseFilter('figures', 'group.toString=a').subset;
  expect(withGroupToggled(subset, 'constructor', 'Lotus')).toEqual({ groups: { toString: ['a'], constructor: ['Lotus'] } });
  expect(withinSubset({ subset: { groups: { constructor: ['Lotus'] } } }, subset)).toEqual({
    subset: { groups: { constructor: ['Lotus'], toString: ['a'] } },
  });
});

test.each([
  '%',
  'confidence=2..3',
  'confidence=',
  'belief.__proto__=0..1',
  'behind=%7B',
  'behind={"nonsense":1}',
  'outcome=never',
  'arm',
  'group.__proto__=x',
  'list=',
  'list={"queue":"never"}',
])('an address that says %s is no failure', (state) => {
  expect(parseFilter('figures', state)).toMatchObject({ part: 'figures', behind: null });
});

test('a value that is pressed again is out, and with the last one the condition', () => {
  const one = withToggled({}, 'arms', 'court');
  expect(withToggled(one, 'arms', 'alone')).toEqual({ arms: ['court', 'alone'] });
  expect(withToggled(one, 'arms', 'court')).toEqual({});
  const group = withGroupToggled(one, 'sex', 'Female');
  expect(group).toEqual({ arms: ['court'], groups: { sex: ['Female'] } });
  expect(withGroupToggled(group, 'sex', 'Female')).toEqual(one);
  expect(withToggled({}, 'outcomes', 'never')).toEqual({});
});

test('trials behind a mark of a part are of that part', () => {
  expect(withinSubset({ arm: 'court', correct: true }, { groups: { sex: ['Female'] } })).toEqual({
    correct: true,
    subset: { arms: ['court'], groups: { sex: ['Female'] } },
  });
  expect(withinSubset({ arm: 'court' }, { arms: ['alone'] })).toEqual({ subset: { arms: [] } });
  expect(withinSubset({ trials: [] }, {})).toEqual({ trials: [] });
  const paired = { paired: ['a', 'b'] };
  const counted = { counts: { n: 3, of: 'cases' as const }, pair: { a: 'a', b: 'b', baseline: false } };
  expect(withinSubset({ ...counted, subset: { ...paired, known: ['truth'] } }, { known: ['belief'] })).toEqual({
    subset: { ...paired, known: ['truth', 'belief'] },
  });
});

test('the dashboard is narrowed only to exactly the trials of a mark', () => {
  const bar = { arm: 'court', outcome: 'decided' as const, confidence: { from: 0.9, to: 1 } };
  const subset = { arms: ['court'], outcomes: ['decided'], confidence: { from: 0.9, to: 1 } };
  expect(subsetBehind({ ...bar, counts: { n: 54, of: 'trials' } })).toEqual(subset);
  expect(subsetBehind({ ...bar, truth: 'YES' })).toEqual({ ...subset, truths: ['YES'] });
  expect(subsetBehind({ arm: 'court', status: 'done' })).toEqual({ arms: ['court'] });
  for (const more of [{ correct: true }, { prediction: 'YES' }, { trials: [] }, { status: 'running' as const }]) {
    expect(subsetBehind({ ...bar, ...more }), JSON.stringify(more)).toBeNull();
  }
  expect(withinSubset(bar, { confidence: { from: 0, to: 0.95 } })).toEqual({
    subset: { ...subset, confidence: { from: 0.9, to: 0.95 } },
  });
});

test('a range is set, changed and taken out by itself', () => {
  const range = { from: 0.9, to: 1 };
  const sure = withRange({ arms: ['court'] }, null, range);
  expect(sure).toEqual({ arms: ['court'], confidence: range });
  const both = withRange(sure, 'YES', range);
  expect(both).toEqual({ ...sure, beliefs: { YES: range } });
  expect(withRange(both, 'YES', null)).toEqual(sure);
  expect(withRange(both, null, null)).toEqual({ arms: ['court'], beliefs: { YES: range } });
});

test('a request is described in words', () => {
  expect(behindText({ arm: 'court', status: 'done', correct: false, confidence: { from: 0.5, to: 1 } })).toBe(
    'arm court; confidence 50% to 100%; finished; wrong',
  );
  expect(behindText({ correct: null, subset: { known: ['truth'], first: ['NO'] } })).toBe(
    'known truth; first answer NO; truth not known',
  );
  expect(behindText({})).toBe('all trials');
  expect(countedText({ n: 1, of: 'speeches' }, 1)).toBe('The mark counts 1 speech: this is the trial that it is of.');
  expect(countedText({ n: 12, of: 'cases' }, 24)).toBe('The mark counts 12 cases: these are the trials that they are of.');
  expect(countedText({ n: 1, of: 'pairs of replicates' }, 2)).toBe(
    'The mark counts 1 pair of replicates: these are the trials that it is of.',
  );
  expect(countedText({ n: 7, of: 'trials' }, 7)).toBeNull();
  expect(countedText({ n: 9, of: 'trials' }, 7)).toContain('The mark counts 9 trials');
});
