import { expect, test } from 'vitest';
import { conditionsOf, narrowedByName, rangesOf } from './conditions.ts';

const arm = (name: string, model: string) => ({ name, models: { '*': model } });
const view = (outcomes: Record<string, number>) =>
  ({ arms: [arm('court', 'a:1b'), arm('alone', 'a:1b')], summary: { outcomes }, labels: [] }) as never;
const report = {
  arms: [
    {
      groups: [
        { attribute: 'sex', value: 'male' },
        { attribute: 'sex', value: '' },
      ],
    },
    {
      groups: [
        { attribute: 'sex', value: 'male' },
        { attribute: 'town', value: 'York' },
      ],
    },
  ],
} as never;
const same = (outcome: string) => outcome;

test('only what differs between trials can be filtered by: more than one value, and not too many', () => {
  const titles = conditionsOf(view({ decided: 3 }), report, {}, same).map(({ title }) => title);
  expect(titles).toEqual(['arm', 'sex']);
  const named = { ...(report as object), column_titles: { sex: 'Gender' } } as never;
  expect(conditionsOf(view({}), named, {}, same).map(({ title }) => title)).toEqual(['arm', 'Gender']);
  expect(conditionsOf(view({ decided: 3, timeout: 1 }), undefined, {}, same).map(({ title }) => title)).toEqual([
    'arm',
    'outcome',
  ]);
  const many = {
    arms: [{ groups: Array.from({ length: 61 }, (_none, index) => ({ attribute: 'id', value: `${index}` })) }],
  } as never;
  expect(conditionsOf(view({}), many, {}, same).map(({ title }) => title)).toEqual(['arm']);
});

test('models are a condition only where they divide the trials in another way than arms do', () => {
  const titles = (...models: string[]) => {
    const arms = models.map((model, place) => arm(`arm ${place}`, model));
    return conditionsOf({ arms, summary: { outcomes: {} }, labels: [] } as never, undefined, {}, same).map(({ title }) => title);
  };
  expect(titles('a:1b', 'b:1b')).toEqual(['arm']);
  expect(titles('a:1b', 'b:1b', 'b:1b')).toEqual(['arm', 'model']);
});

test('a chosen condition stays removable, with any trials', () => {
  const chosen = conditionsOf(view({}), undefined, { models: ['gone'], groups: { town: ['Hull'] } }, same);
  expect(chosen.map(({ title, values }) => [title, values.filter(({ isChosen }) => isChosen).map(({ value }) => value)])).toEqual(
    [
      ['arm', []],
      ['model', ['gone']],
      ['town', ['Hull']],
    ],
  );
  expect(chosen[2]?.values[0]?.toggled).toEqual({ models: ['gone'] });
});

test('a column called like what every object has is a condition like others', () => {
  const teams = { arms: [{ groups: ['Lotus', 'McLaren'].map((value) => ({ attribute: 'constructor', value })) }] } as never;
  const [, constructors] = conditionsOf(view({}), teams, { groups: { sex: ['male'] } }, same);
  expect(constructors?.values.map(({ value, isChosen }) => [value, isChosen])).toEqual([
    ['Lotus', false],
    ['McLaren', false],
  ]);
});

test('an empty value of a group is named', () => {
  const [, sex] = conditionsOf(view({}), report, {}, same);
  expect(sex?.values.map(({ label }) => label)).toEqual(['not stated', 'male']);
});

test('a name of a legend narrows to the arm or value that bears it, and any other name to nothing', () => {
  const conditions = conditionsOf(view({}), report, {}, same);
  expect(narrowedByName('court', conditions)).toEqual({ arms: ['court'] });
  expect(narrowedByName('male', conditions)).toEqual({ groups: { sex: ['male'] } });
  expect(narrowedByName('accuracy', conditions)).toBeNull();
});

test('truths, first answers and what is known are conditions if they differ between trials', () => {
  const labelled = { ...(view({}) as object), labels: ['NO', 'YES'] };
  const of = (protocol: string) =>
    ({ ...labelled, arms: [{ name: 'court', protocol, models: {} }] }) as unknown as Parameters<typeof conditionsOf>[0];
  const partly = { arms: [{ groups: [], without_truth: 2 }] } as never;
  const titles = (protocol: string) => conditionsOf(of(protocol), partly, {}, same).map(({ title }) => title);
  expect(titles('courtroom')).toEqual(['truth', 'first answer', 'only where known']);
  expect(titles('standard')).toEqual(['truth', 'only where known']);
  const decided = { arms: [], decided_by: 'the board' } as never;
  expect(conditionsOf(of('standard'), decided, {}, same).map(({ title }) => title)).toEqual(['decision of the board']);
  const chosen = conditionsOf(of('standard'), undefined, { known: ['belief'], paired: ['court', 'alone'] }, same);
  expect(chosen.map(({ title, values }) => [title, values.map(({ value, toggled }) => [value, toggled])])).toEqual([
    [
      'truth',
      [
        ['NO', { known: ['belief'], paired: ['court', 'alone'], truths: ['NO'] }],
        ['YES', { known: ['belief'], paired: ['court', 'alone'], truths: ['YES'] }],
      ],
    ],
    [
      'also tried by',
      [
        ['court', { known: ['belief'], paired: ['alone'] }],
        ['alone', { known: ['belief'], paired: ['court'] }],
      ],
    ],
    ['only where known', [['belief', { paired: ['court', 'alone'] }]]],
  ]);
});

test('confidence, and the probability of one of two labels, can be filtered by where they are stated', () => {
  const stated = { arms: [{ confidence_bins: [{ correct: 1, wrong: 0, unknown: 0 }] }] } as never;
  const two = { labels: ['YES', 'NO'], positive: 'YES' };
  expect(rangesOf(two, stated, {}).map(({ title, range }) => [title, range])).toEqual([
    ['confidence', null],
    ['probability of YES', null],
  ]);
  expect(rangesOf({ ...two, labels: ['YES', 'NO', 'MAYBE'] }, stated, {}).map(({ title }) => title)).toEqual(['confidence']);
  const chosen = { from: 0, to: 0.2 };
  const [only, ...none] = rangesOf(two, undefined, { beliefs: { NO: chosen } });
  expect([only?.title, only?.range, none]).toEqual(['probability of NO', chosen, []]);
  expect(only?.changed(null)).toEqual({});
});
