import { expect, test } from 'vitest';
import { cutName, cutNames, dodge, fewCases, reachOf, shownName, smallN } from './axes.ts';
import { chartSvg, pictureSvg } from './draw.ts';
import { chunksOf, saveFigure } from './FigureMenu.tsx';
import { linkedMarks, marksIn } from './linkedMarks.ts';
import { dot } from './marks.ts';
import { paintOf } from './paint.ts';
import { figure, heightAt, optionOf, table } from './plot.ts';
import { interval } from './shapes.ts';
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
    ['a', 0.6699999999999999],
    ['one, two', null],
    ['-1', -0.5],
  ];
  expect(tableCsv({ columns, rows }, false)).toBe(
    'arm,\'=share,standin\r\n"\'=HYPERLINK(""x"")",0.123456789,false\r\na,0.67,false\r\n"one, two",,false\r\n\'-1,-0.5,false\r\n',
  );
});

test('security 23: cells that start a formula in any locale, or would be split in one, are guarded', () => {
  const texts = ['\r=1', '\n=1', '\t=1', 'a;=1', 'a\t=1', '＝1', '＋1', '－1', '＠1', '@1', '+1', '1=1', ' ='];
  const table = { columns: [{ name: 'text', as: 'text' }], rows: texts.map((text) => [text]) } as const;
  const cells = `"'\r'=1" "'\n'=1" "'\t'=1" "a;'=1" "a\t'=1" '＝1 '＋1 '－1 '＠1 '@1 '+1 1=1`.split(/ /);
  expect(tableCsv(table, false)).toBe(`text,standin\r\n${[...cells, ' ='].map((cell) => `${cell},false\r\n`).join('')}`);
});

test('cells are written as what they are', () => {
  expect(cellText(0.705, { name: '', as: 'share' })).toBe('70.5%');
  expect(cellText(12_345, { name: '', as: 'count' })).toBe('12,345');
  expect(cellText(-0.123456, { name: '', as: 'number' })).toBe('−0.1235');
  expect(cellText(null, { name: '', as: 'number' })).toBe('–');
});

test('few cases are said, from the written number on they are not', () => {
  expect(smallN(fewCases - 1)).toBe(` Only ${fewCases - 1} cases: a few more could change the result.`);
  expect(smallN(1)).toContain('1 case:');
  expect(smallN(fewCases)).toBe('');
});

test('names are cut by letters and never turn the text around', () => {
  expect(cutName('abcdef', 4)).toBe('abc…');
  expect(cutName('👩👩👩', 3)).toBe('👩👩👩');
  expect(cutNames(['abcdefghi', 'abc'], 5)).toEqual(['ab…hi', 'abc']);
  expect(shownName('a\u202Eb')).not.toContain('\u202E');
});

test('names that would be cut to the same letters keep their difference', () => {
  const names = ['court on the second floor, strict judge, by day', 'court on the second floor, mild judge, by day'];
  expect(cutNames([...names, 'alone'], 20)).toEqual(['…strict judge…by day', '… mild judge, by day', 'alone']);
});

test('a scale of differences reaches to the next round number beyond them, however small they are', () => {
  expect([[], [0.012, -0.004, null], [-0.03], [0.11, undefined], [0.95], [-1]].map(reachOf)).toEqual([
    0.02, 0.02, 0.05, 0.2, 1, 1,
  ]);
});

test('marks side by side are around their place', () => {
  expect([0, 1, 2].map((index) => dodge(index, 3, 10))).toEqual([-10, 0, 10]);
});

interface Custom {
  readonly data: readonly (readonly unknown[])[];
  renderItem(params: unknown, api: object): { readonly children: readonly { readonly shape: object }[] } | undefined;
}

const ends = { id: 'accuracy', low: ({ low }: Row) => low, high: ({ high }: Row) => high, at: (_row: Row, at: number) => at };
interface Row {
  readonly low: number | null;
  readonly high: number | null;
}

test('an interval is drawn from its low to its high end, and not at all where it has none', () => {
  const rows = [
    { low: 0.2, high: 0.4 },
    { low: null, high: null },
  ];
  const drawn = interval({ ...ends, rows, along: 'x', colour: 0, offset: 3, ends: 2 });
  const { renderItem, data } = drawn.series(paint, { width: 1, height: 1 }) as Custom;
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
    interval({ ...ends, rows: [{ low: 0.5, high: 1 }], along: 'y', colour: 0 }).series(paint, { width: 300, height: 200 }),
  ],
};

test('the same option gives the same SVG, after any other drawing', () => {
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
  expect(svg).toContain('>DEMO MODEL: no model was asked');
  expect(svg).not.toContain('<b>');
  expect(svg).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(svg).toContain('<rect width="332"');
  expect(svg.match(/<text[^>]*>word/g)?.length).toBeGreaterThan(3);
});

test('a figure is its declaration: words, trials and table of a mark come from its channels', () => {
  const rows = [
    { arm: 'one', value: 0.5 },
    { arm: 'two', value: null },
    { arm: 'three', value: 1 },
  ];
  type Each = (typeof rows)[number];
  const behind = ({ arm }: Each) => (arm === 'three' ? null : { arm });
  const declared = figure({
    id: 'shares',
    title: 'Shares',
    requires: 'arms with shares',
    needs: ['protocols'],
    plot: () => ({
      caption: 'Three arms.',
      height: 100,
      layout: () => ({ xAxis: { type: 'value' }, yAxis: { type: 'value' } }),
      legend: ['share'],
      marks: [
        dot({
          id: 'share',
          name: 'share',
          rows,
          x: ({ value }) => value,
          y: (_row, at) => at,
          colour: 1,
          tip: ({ arm }) => arm,
          behind,
        }),
      ],
      table: table(rows, [{ name: 'share', as: 'share', of: ({ value }: Each) => value }], behind),
    }),
  });
  expect(declared.plot({ protocols: null } as never)).toBeNull();
  const plot = declared.plot({ protocols: {} } as never);
  if (plot === null) throw new Error('There is nothing to draw.');
  const drawn = optionOf(plot, paint, { width: 300, height: 100 });
  // What is not drawn leads nowhere, nor what has no trials.
  expect(linkedMarks(plot, drawn)).toEqual([
    { mark: { seriesIndex: 0, seriesId: 'share', dataIndex: 0 }, behind: { arm: 'one' }, words: 'share' },
  ]);
  expect(marksIn(drawn)).toBe(3);
  const { formatter } = drawn.tooltip as { formatter(mark: object): string };
  expect(formatter({ seriesId: 'share', dataIndex: 2 })).toBe('three');
  expect(formatter({ seriesId: 'none', dataIndex: 2 })).toBe('');
  expect(plot.table).toMatchObject({ columns: [{ name: 'share', as: 'share' }], rows: [[0.5], [null], [1]] });
  expect([0, 2, 3].map((row) => plot.table.behind(row))).toEqual([{ arm: 'one' }, null, null]);
});

test('a legend has as many rows as its names need, each whole, and the drawing goes below them', () => {
  const names = ['stays right', 'wrong, then right', 'right, then wrong', 'stays wrong', 'no first answer', 'failed', 'a', 'b'];
  const grid = { top: 34, bottom: 10 };
  const plot = { height: 100, layout: () => ({ grid }), legend: names, marks: [] } as never;
  const drawnAt = (width: number) => {
    const size = { width, height: heightAt(plot, width) };
    type Part = { type: string; top: number; data: string[]; formatter(name: string): string };
    return { size, ...(optionOf(plot, paint, size) as { legend: Part[]; grid: typeof grid }) };
  };
  const [broad, narrow] = [drawnAt(1200), drawnAt(300)];
  expect(broad).toMatchObject({ size: { height: 100 }, grid, legend: [{ data: names }] });
  expect(narrow.legend.flatMap(({ data }) => data)).toEqual(names);
  expect(narrow.legend.flatMap(({ data, formatter }) => data.map(formatter))).toEqual(names);
  expect(narrow.legend.every(({ type }) => type === 'plain')).toBe(true);
  expect(narrow.grid.top - grid.top).toBe(narrow.legend.at(-1)?.top);
  expect(narrow.size.height - 100).toBe(narrow.legend.at(-1)?.top);
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
