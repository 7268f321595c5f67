import { expect, test } from 'vitest';
import { court, debateOverSets, figuresOf, setTerms } from '../../../core/figures/deliberation.fixture.ts';
import { deliberationFiguresSchema } from '../../../shared/api/deliberation.ts';
import { behindMark, optionOf } from '../kit/plot.ts';
import { beliefTimelinesFigure as figure, mostLines } from './beliefTimelines.ts';
import { sourcesOf } from './deliberation.fixture.ts';
import { manyBeliefs } from './manyLines.fixture.ts';
import { dataOf, drawnIn, mark, paint, size } from './report.fixture.ts';

const grouped = (count: number) => count.toLocaleString('en-GB');

const trials = [
  court('a', [0.6, 0.4, 0.7, 0.3], 0.2),
  court('b', [0.2, 0.3, 0.4, 0.1], 0.1, { truth: 'YES' }),
  court('c', [0.6, null, 0.7, 0.8], 0.9, { truth: null }),
];
const data = dataOf(figure, sourcesOf(figuresOf(trials)));
const option = optionOf(data, paint, size);

test('each trial is a line over the steps, by its verdict, and a lost update is passed over', () => {
  const series = drawnIn(data);
  expect(series['right:0']).toEqual([
    {
      coords: [
        [0, 0.6],
        [1, 0.4],
        [2, 0.7],
        [3, 0.3],
        [4, 0.2],
      ],
    },
  ]);
  expect(series['wrong:0']).toEqual([
    {
      coords: [
        [0, 0.2],
        [1, 0.3],
        [2, 0.4],
        [3, 0.1],
        [4, 0.1],
      ],
    },
  ]);
  expect(series['unknown:0']).toEqual([
    {
      coords: [
        [0, 0.6],
        [2, 0.7],
        [3, 0.8],
        [4, 0.9],
      ],
    },
  ]);
});

test('median and quartiles are over the trials that have the step', () => {
  expect(data.table.rows).toEqual([
    // 0.2, 0.6, 0.6
    ['court', 'P1', 3, expect.closeTo(0.4, 9), 0.6, 0.6],
    // 0.3, 0.4
    ['court', 'D1', 2, expect.closeTo(0.325, 9), expect.closeTo(0.35, 9), expect.closeTo(0.375, 9)],
    ['court', 'P2', 3, expect.closeTo(0.55, 9), 0.7, 0.7],
    ['court', 'D2', 3, expect.closeTo(0.2, 9), 0.3, expect.closeTo(0.55, 9)],
    ['court', 'verdict', 3, expect.closeTo(0.15, 9), 0.2, expect.closeTo(0.55, 9)],
  ]);
  const series = drawnIn(data);
  expect(series['median:0']?.[1]).toEqual([1, expect.closeTo(0.35, 9)]);
  // The band is stacked on its lower edge.
  expect(series['band:0']?.[1]).toEqual([1, expect.closeTo(0.05, 9)]);
});

test('the caption counts the crossings, what is missing, and few cases', () => {
  const tied = dataOf(figure, sourcesOf(figuresOf([...trials, court('d', [0.4, 0.5, 0.5, 0.4], 0.4)])));
  expect(tied.caption).toContain('1 of 4 trials crosses the line at least once; 1 trial only reaches 50%, where');
  expect(data.caption).not.toContain('only reach');
  const caption = data.caption;
  expect(caption).toContain('1 of 3 trials crosses the line at least once');
  expect(caption).toContain('Every trial is drawn');
  expect(caption).toContain('Only 3 cases: a few more could change the result.');
  // Also used in files, which are not moved.
  expect(caption).not.toMatch(/drag|wheel/i);
});

test('what the pointer is on is shown in words and never as HTML', () => {
  const { tooltip } = option as unknown as { tooltip: { renderMode: string; formatter(mark: object): string } };
  expect(tooltip.renderMode).toBe('richText');
  expect(tooltip.formatter({ seriesId: 'wrong:0', dataIndex: 0 })).toBe(
    'case b, verdict wrong\nP1 20%, D1 30%, P2 40%, D2 10%, verdict 10%',
  );
  expect(tooltip.formatter({ seriesId: 'median:0', dataIndex: 1 })).toContain('D1, n = 2');
});

test('where nothing was held it is absent, and where it was recalled', () => {
  const recalled = figuresOf(trials.map(({ line }) => ({ line, decided: null })));
  expect(figure.plot(sourcesOf(recalled))).toBeNull();
  const memory = { ...recalled, rows: { ...recalled.rows, recalled: [1, 1, 1] } };
  expect(figure.plot(sourcesOf(memory))).toBeNull();
});

test('where several labels can apply the axis, the table and the caption name the labels that are followed', () => {
  const truth = { truth: ['damp', 'heating'], prediction: ['heating'] };
  const first = [0.9, 0.5, 0.3] as const;
  const sets = figuresOf([debateOverSets('a', [first, [0.6, 0.8, 0.7]], truth)], setTerms);
  const drawnSets = dataOf(figure, sourcesOf(sets));
  expect(drawnSets.caption).toMatch(
    /^Several labels can apply to a case: a line is the mean probability of the labels that are true of the case, .*\. 1 trial\. Every trial is drawn/,
  );
  expect(drawnSets.table.columns.map(({ name }) => name)).toContain('mean P(true labels), median');
  const { yAxis } = optionOf(drawnSets, paint, size) as { yAxis: { name: string }[] };
  expect(yAxis.map(({ name }) => name)).toEqual(['mean P(true labels)']);
  const unknown = dataOf(
    figure,
    sourcesOf(figuresOf([debateOverSets('a', [first, first], { ...truth, truth: null })], setTerms)),
  );
  expect(unknown.caption).toContain('of the labels that its verdict names');
  expect(unknown.table.columns.map(({ name }) => name)).toContain('mean P(labels of the verdict), median');
});

test('of a hundred thousand beliefs some lines are drawn, which is said, and every number is of all', () => {
  const many = deliberationFiguresSchema.parse(manyBeliefs(100_000));
  const whole = dataOf(figure, sourcesOf(many));
  const series = drawnIn(whole);
  const lines = ['right:0', 'wrong:0', 'unknown:0'].flatMap((id) => series[id] ?? []);
  expect(lines).toHaveLength(mostLines);
  expect(whole.caption).toContain(`${grouped(mostLines)} of 12,500 trials are drawn, chosen at random`);
  const crossed = many.rows.flips.filter((flips) => flips > 0).length;
  expect(whole.caption).toContain(`${grouped(crossed)} of 12,500 trials cross the line at least once`);
  expect(whole.table.rows.every(([, , n]) => n === 12_500)).toBe(true);
  // What is drawn is what a click opens.
  const [first] = (behindMark(whole, mark('wrong:0', 0))?.trials ?? []) as string[];
  const row = many.rows.trial.indexOf(first ?? '');
  expect(many.rows.correct[row]).toBe(0);
  const [drawn] = (series['wrong:0'] ?? []) as { coords: number[][] }[];
  expect(drawn?.coords.map(([, value]) => value)).toEqual(
    many.points.value.slice(many.lines.from[row], many.lines.from[row + 1]),
  );
  const again = drawnIn(dataOf(figure, sourcesOf(many)));
  expect(again['wrong:0']).toEqual(series['wrong:0']);
  // Each kind has about its share: one in fifty has no known truth.
  expect((series['unknown:0'] ?? []).length).toBeGreaterThan(mostLines / 50 / 2);
});
