import { expect, test } from 'vitest';
import { accuracyByArmFigure } from '../accuracyByArm/accuracyByArmFigure.ts';
import { cutName, dodge, fewCases, shownName, smallN, whiskers } from './axes.ts';
import { chartSvg, pictureSvg } from './draw.ts';
import { linkedMarks, marksIn } from './marks.ts';
import { paintOf } from './paint.ts';
import { chunksOf, saveFigure } from './saveFigure.ts';
import { cellText, tableCsv } from './tableCells.ts';

const tokens: Readonly<Record<string, string>> = { sans: '"Inter", sans-serif', serif: 'serif' };
const paint = paintOf('light', (token) => tokens[token] ?? '#123456');

test('a CSV has the numbers themselves, quotes what needs it, and runs no formula', () => {
  const columns = [
    { name: 'arm', as: 'text' },
    { name: '=share', as: 'share' },
  ] as const;
  const rows = [
    ['=HYPERLINK("x")', 0.123456789],
    ['one, two', null],
    ['-1', -0.5],
  ];
  expect(tableCsv({ columns, rows }, false)).toBe(
    'arm,\'=share,standin\r\n"\'=HYPERLINK(""x"")",0.123456789,false\r\n"one, two",,false\r\n\'-1,-0.5,false\r\n',
  );
});

test('cells are written as what they are', () => {
  expect(cellText(0.705, { name: '', as: 'share' })).toBe('70.5%');
  expect(cellText(12_345, { name: '', as: 'count' })).toBe('12,345');
  expect(cellText(-0.123456, { name: '', as: 'number' })).toBe('−0.1235');
  expect(cellText(null, { name: '', as: 'number' })).toBe('–');
});

test('few cases are said, from the written number on they are not', () => {
  expect(smallN(fewCases - 1)).toBe(` Only ${fewCases - 1} cases: one more could change the picture.`);
  expect(smallN(1)).toContain('1 case:');
  expect(smallN(fewCases)).toBe('');
});

test('names are cut by letters and never turn the text around', () => {
  expect(cutName('abcdef', 4)).toBe('abc…');
  expect(cutName('👩👩👩', 3)).toBe('👩👩👩');
  expect(shownName('a\u202Eb')).not.toContain('\u202E');
});

test('marks beside each other stand around their place', () => {
  expect([0, 1, 2].map((index) => dodge(index, 3, 10))).toEqual([-10, 0, 10]);
});

test('a whisker is drawn from its low to its high end, and not at all where it has none', () => {
  const { renderItem, data } = whiskers({
    id: 'x',
    colour: 'red',
    sideways: true,
    offset: 3,
    ends: 2,
    points: [
      { at: 0, low: 0.2, high: 0.4 },
      { at: 1, low: null, high: null },
    ],
  });
  const api = (index: number) => ({
    value: (dimension: number) => Number(data[index]?.[dimension]),
    coord: ([x, y]: [number, number]): [number, number] => [x * 100, y * 10],
  });
  expect(renderItem(null, api(0))?.children.map(({ shape }) => shape)).toEqual([
    { x1: 20, y1: 3, x2: 40, y2: 3 },
    { x1: 20, x2: 20, y1: 1, y2: 5 },
    { x1: 40, x2: 40, y1: 1, y2: 5 },
  ]);
  expect(renderItem(null, api(1))).toBeUndefined();
});

/** What is left of a text without its well-formed tags. */
const withoutTags = (svg: string) => svg.replaceAll(/<\/?[\w:]+(?:\s+[\w:-]+="[^"<]*")*\s*\/?>/g, '');

const option = {
  textStyle: { fontFamily: paint.colour('sans') },
  xAxis: { type: 'category', data: ['<b>a</b>', 'b'] },
  yAxis: { type: 'value' },
  series: [
    { type: 'bar', id: 'accuracy', name: 'share', data: [1, '-'] },
    { ...whiskers({ id: 'accuracy-interval', colour: 'red', points: [{ at: 0, low: 0.5, high: 1 }] }) },
  ],
};

test('the same option gives the same SVG, whatever was drawn before', () => {
  const size = { width: 300, height: 200 };
  const first = chartSvg(option, size);
  chartSvg(option, { width: 100, height: 100 });
  expect(chartSvg(option, size)).toBe(first);
  expect(first).toMatch(/^<svg /);
});

test('a picture has ground, title and caption, and nothing in it is markup but its own', () => {
  const svg = pictureSvg(
    {
      option,
      size: { width: 300, height: 200 },
      title: '<script>alert(1)</script>',
      caption: `n = 3 "of" ${'word '.repeat(40)}`,
      standin: true,
    },
    paint,
  );
  expect(withoutTags(svg)).not.toContain('<');
  expect(withoutTags('<text style="font-family:"Inter"">a</text>')).toContain('<');
  expect(svg).not.toContain('<script');
  expect(svg).toContain('>STAND-IN: no model was asked');
  expect(svg).not.toContain('<b>');
  expect(svg).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(svg).toContain('<rect width="332"');
  expect(svg.match(/<text[^>]*>word/g)?.length).toBeGreaterThan(3);
});

test('marks that are drawn and lead to trials are told apart from the others', () => {
  const row = { value: 1, low: 0, high: 1, n: 3 };
  const data = {
    rows: [
      { arm: 'one', cases: 3, accuracy: row, f1: row },
      { arm: 'two', cases: 3, accuracy: row, f1: row },
    ],
    baselines: [],
    level: 0.95,
    withIntervals: true,
  };
  expect(linkedMarks(accuracyByArmFigure, data as never, option)).toEqual([
    {
      mark: { seriesIndex: 0, seriesId: 'accuracy', dataIndex: 0 },
      behind: { arm: 'one', status: 'done', subset: { known: ['truth'] }, counts: { n: 3, of: 'trials' } },
      words: 'share',
    },
  ]);
  expect(marksIn(option)).toBe(3);
});

test('a long file goes in pieces that come together as it was, letters whole', async () => {
  const content = 'ab👩cd'.repeat(3);
  for (const most of [2, 3, 4, 5]) {
    const chunks = chunksOf(content, most);
    expect(chunks.join('')).toBe(content);
    expect(chunks.every((chunk) => chunk.length <= most && chunk.isWellFormed())).toBe(true);
  }
  expect(chunksOf('')).toEqual(['']);
  const sent: (string | null)[] = [];
  const saved = await saveFigure(
    {
      exports: {
        figure: (input: { file: string | null; chunk: string }) => {
          sent.push(input.file, input.chunk.slice(0, 3));
          return Promise.resolve({ file: 'handle', fileName: 'x.csv' });
        },
      },
    } as never,
    { saveExport: (file, fileName) => Promise.resolve(file === 'handle' && fileName === 'x.csv') },
    { experiment: 'x', figure: 'y', format: 'csv', content: `abc${'d'.repeat(400_000)}` },
  );
  expect(saved).toBe('x.csv');
  expect(sent).toEqual([null, 'abc', 'handle', 'ddd']);
});
