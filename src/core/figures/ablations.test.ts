import * as fc from 'fast-check';
import { assert, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ArmSettings, Setting } from '../../shared/api/protocolFigures.ts';
import { ablationsOf, differingIn, settingGrid, settingTitle, severalSettings } from './ablations.ts';

const arm = (name: string, settings: Record<string, Setting>, more: Partial<ArmSettings> = {}): ArmSettings => ({
  arm: name,
  protocol: 'courtroom',
  version: 1,
  swap: null,
  settings: { judges: 3, deliberation: 'sequential', model: 'm', ...settings },
  defaults: { judges: 3, deliberation: 'sequential' },
  ...more,
});

describe('ablations', () => {
  test('are arms that differ in one setting, a line for each way in which the others are set', () => {
    const found = ablationsOf([
      arm('s5', { judges: 5 }),
      arm('s1', { judges: 1 }),
      arm('s3', {}),
      arm('p3', { deliberation: 'parallel' }),
      arm('p5', { judges: 5, deliberation: 'parallel' }),
    ]);
    const shown = found.map(({ lines, ...ablation }) => ({
      ...ablation,
      lines: lines.map(
        ({ protocol, title, usual, arms }) =>
          `${protocol} ${title}, usual ${usual}: ${arms.map(({ arm, value }) => `${arm} ${JSON.stringify(value)}`).join(', ')}`,
      ),
    }));
    expect(shown).toEqual([
      {
        setting: 'judges',
        numeric: true,
        values: [1, 3, 5],
        lines: ['courtroom sequential, usual s3: s1 1, s3 3, s5 5', 'courtroom parallel, usual p3: p3 3, p5 5'],
      },
      {
        setting: 'deliberation',
        numeric: false,
        values: ['sequential', 'parallel'],
        lines: [
          'courtroom judges 5, usual s5: s5 "sequential", p5 "parallel"',
          'courtroom judges 3, usual s3: s3 "sequential", p3 "parallel"',
        ],
      },
    ]);
  });

  test('are none between arms that differ in two settings, in the protocol or its version, or in what is exchanged', () => {
    expect(ablationsOf([arm('a', {}), arm('b', { judges: 5, deliberation: 'parallel' })])).toEqual([]);
    expect(ablationsOf([arm('a', {}), arm('b', { judges: 5 }, { protocol: 'vote' })])).toEqual([]);
    expect(ablationsOf([arm('a', {}), arm('b', { judges: 5 }, { version: 2 })])).toEqual([]);
    expect(ablationsOf([arm('a', {}), arm('b', { judges: 5 }, { swap: 'sides' })])).toEqual([]);
  });

  test('have no usual arm if no arm has the default, or where the protocol has none', () => {
    const [judges] = ablationsOf([arm('a', { judges: 1 }), arm('b', { judges: 5 })]);
    expect(judges?.lines[0]?.usual).toBeNull();
    const [models] = ablationsOf([arm('a', {}), arm('b', { model: 'n' })]);
    expect(models).toMatchObject({ setting: 'model', values: ['m', 'n'], lines: [{ title: '', usual: null }] });
  });

  test('never join arms that differ in more than one setting, and miss no pair that differs in one', () => {
    const settings = fc.record({
      judges: fc.constantFrom(1, 3, 5),
      deliberation: fc.constantFrom('sequential', 'parallel'),
      model: fc.constantFrom('m', 'n'),
    });
    const some = fc
      .uniqueArray(settings, { maxLength: 10, selector: (each) => JSON.stringify(each) })
      .map((all) => all.map((each, index) => arm(`arm ${index}`, each)));
    assert(
      property(some, (arms) => {
        const byName = new Map(arms.map((each) => [each.arm, each.settings]));
        const differing = (one: string, other: string) =>
          Object.keys(byName.get(one) ?? {}).filter((name) => byName.get(one)?.[name] !== byName.get(other)?.[name]);
        const pairs = new Set<string>();
        for (const { setting, lines } of ablationsOf(arms))
          for (const { arms: line } of lines)
            for (const { arm: one } of line)
              for (const { arm: other } of line) {
                if (one === other) continue;
                expect(differing(one, other)).toEqual([setting]);
                pairs.add(`${one}/${other}`);
              }
        const expected = arms.flatMap(({ arm: one }) =>
          arms.flatMap(({ arm: other }) => (differing(one, other).length === 1 ? [`${one}/${other}`] : [])),
        );
        expect([...pairs].sort()).toEqual(expected.sort());
      }),
    );
  });
});

test('two arms that differ in one setting need no sentence; of two protocols the parameters that both have are named', () => {
  const one = {
    protocol: 'agentic-sim, version 1',
    turns: 3,
    temperature: 0.7,
    mask: null,
    options: '{"temperature":0.5,"top_p":0.9}',
  };
  expect(severalSettings(one, { ...one, temperature: 0 })).toEqual([]);
  const { turns: _own, ...rest } = one;
  const other = { ...rest, protocol: 'standard, version 2', style: 'system1' };
  expect(severalSettings(one, other)).toEqual([]);
  expect(severalSettings(one, { ...other, mask: 'names', temperature: 0, options: '{}' })).toEqual([
    'protocol',
    'temperature (0.7; 0)',
    'mask (none; names)',
    'options',
  ]);
});

test('a setting that only one of two arms has, and has at none, is no difference', () => {
  expect(differingIn({ turns: 3, memory: 'none', mask: null }, { turns: 1, style: 'direct' })).toEqual([
    { name: 'turns', a: 3, b: 1 },
    { name: 'style', a: null, b: 'direct' },
  ]);
});

test('a grid has structures in rows and the values of a setting in columns', () => {
  const single = (name: string, shots: number) => ({
    ...arm(name, {}, { protocol: 'single', defaults: { shots: 0 } }),
    settings: { shots, model: 'm' },
  });
  const grid = settingGrid([single('zero', 0), single('one', 1), arm('court', { shots: 1 })], 'shots');
  expect(grid).toEqual({
    values: [0, 1],
    rows: [
      { title: 'single', arms: ['zero', 'one'] },
      { title: 'courtroom', arms: [null, 'court'] },
    ],
  });
  expect(settingGrid([single('zero', 0), single('one', 1)], 'shots')).toBeNull();
  expect(settingGrid([single('one', 1), arm('court', { shots: 1 })], 'shots')).toBeNull();
  // What an arm has and does not use is no value of it.
  expect(settingGrid([single('zero', 0), { ...single('one', 1), idle: ['shots'] }, arm('court', { shots: 1 })], 'shots')).toEqual(
    {
      values: [0, 1],
      rows: [
        { title: 'single', arms: ['zero', null] },
        { title: 'courtroom', arms: [null, 'court'] },
      ],
    },
  );
  expect(ablationsOf([single('one', 1), { ...single('two', 2), idle: ['shots'] }])).toEqual([]);
});

test('a setting that changes nothing in an arm is no value of it, neither in an ablation nor in a grid', () => {
  const idle = { idle: ['shots'] };
  const some = [
    arm('cot', { style: 'cot', shots: 30 }, idle),
    arm('cot again', { style: 'cot', shots: 5 }, idle),
    arm('few', { style: 'few-shot', shots: 5 }),
    arm('more', { style: 'few-shot', shots: 30 }),
  ];
  const ofShots = ablationsOf(some).find(({ setting }) => setting === 'shots');
  expect(ofShots?.lines.map(({ arms }) => arms.map((each) => each.arm))).toEqual([['few', 'more']]);
  expect(
    settingGrid([...some, arm('parallel', { style: 'few-shot', shots: 5, deliberation: 'parallel' })], 'shots')?.rows,
  ).toEqual([
    { title: 'sequential', arms: ['few', 'more'] },
    { title: 'parallel', arms: ['parallel', null] },
  ]);
  // What shows none can still be compared with what does.
  expect(ablationsOf(some).find(({ setting }) => setting === 'style')?.lines).toHaveLength(2);
});

test('names of parameters are shown as words', () => {
  expect(settingTitle('argumentWords')).toBe('argument words');
});
