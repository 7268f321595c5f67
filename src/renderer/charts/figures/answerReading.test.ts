import { expect, test } from 'vitest';
import type { CountedAnswer } from '../../../core/statistics/answerCounts.ts';
import { answerReadingFigure as figure } from './failures.ts';
import { armOf, dataOf, seriesOf, sourcesOf } from './report.fixture.ts';

const answer = (change: Omit<CountedAnswer, 'key' | 'done'>, attempt = 1, done = 'stop'): CountedAnswer => ({
  key: `judge/attempt-${attempt}`,
  done,
  ...change,
});
const lines = [
  ...armOf('court', [
    ['YES', 'YES'],
    ['NO', '-'],
  ]),
  ...armOf('cot', [['YES', 'YES']]),
  ...armOf('imported', [['YES', 'YES']]),
];
const plain = answer({ method: 'json' });
const answers = new Map([
  [
    'court',
    [
      plain,
      answer({ method: 'embedded-json', flags: ['embedded'] }),
      answer({ rejected: 'truncated' }, 1, 'loop'),
      answer({ rejected: 'truncated' }, 2, 'length'),
      answer({ rejected: 'malformed' }, 3),
    ],
  ],
  ['cot', [plain]],
]);
const data = dataOf(figure, sourcesOf(lines, { answers }));
const rows = { json: [1 / 5, 1], 'embedded-json': [1 / 5, 0], malformed: [1 / 5, 0], truncated: [1 / 5, 0], looped: [1 / 5, 0] };

test('bars are shares of the requests of each arm, diamonds those of the first attempts', () => {
  const series = seriesOf(data);
  for (const [id, shares] of Object.entries(rows)) expect(series[id]?.data, id).toEqual(shares);
  expect(Object.keys(series)).toEqual([...Object.keys(rows), 'first-usable']);
  expect(series['first-usable']?.data).toEqual([
    [2 / 3, 0],
    [1, 1],
  ]);
  expect(data.caption).toMatch(/^1 to 5 requests of ended trials in each arm,/);
});

test('the table has the counts, those of flags too', () => {
  const { columns, rows: cells } = data.table;
  expect(columns.map(({ name }) => name).slice(0, 4)).toEqual(['arm', 'requests', 'first attempts', 'first answers usable']);
  expect(columns.at(-1)?.name).toBe('flag embedded');
  expect(cells).toEqual([
    ['court', 5, 3, 2, 1, 1, 1, 1, 1, 1],
    ['cot', 1, 1, 1, 1, 0, 0, 0, 0, 0],
  ]);
});

test('where there is nothing to show it is absent', () => {
  expect(figure.plot(sourcesOf(lines))).toBeNull();
  expect(figure.plot(sourcesOf(lines, { answers: new Map([['cot', [plain, plain]]]) }))).toBeNull();
});
