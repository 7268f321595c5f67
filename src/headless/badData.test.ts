import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runReportSchema } from '../shared/commandOutputs.ts';
import { changed, errorOf, labelColumn, openBench, sampleData, sampleExperiment, snapshot } from './testing.ts';

const bench = await openBench();

const header = `id,age,sex,${labelColumn}\n`;
const good = 'a,30,male,True\nb,40,female,False\n';

type Refusal = readonly [name: string, data: string | Buffer, line: number | null, field: string | null, message: RegExp];

const refusals: readonly Refusal[] = [
  [
    'no label column',
    sampleData().replace(labelColumn, 'zz_outcomes'),
    1,
    labelColumn,
    /there is no column "zz_outcome", which "label" names; did you mean "zz_outcomes"\?/,
  ],
  ['two equal ids', `${header}${good}\na,50,male,True\n`, 5, 'id', /the id "a" is in line 2 too/],
  ['too many cells', `${header}${good}c,50,male,True,x\n`, 4, null, /5 cells, but the header has 4/],
  ['not UTF-8', Buffer.from(`${header}${good}c,50,m\xe4nnlich,True\n`, 'latin1'), 4, null, /byte \d+ is not valid UTF-8/],
];

test.concurrent.for(refusals)(
  '%s: exit 2 with line and column, nothing written',
  async ([name, data, line, field, message], { expect }) => {
    const { room, run } = bench.project(name, sampleExperiment, data);
    const before = snapshot(room);
    const ended = await run();
    expect(ended.code, ended.errors).toBe(2);
    expect(errorOf(ended)).toMatchObject({ code: 'bad-input', file: join(room, 'data.csv'), line, field });
    expect(ended.errors).toMatch(message);
    expect(snapshot(room)).toEqual(before);
  },
);

test('byte order mark, CRLF, blank lines at the end and quoted line breaks are no errors; notes say what is odd', async () => {
  const data = `\uFEFF${sampleData()}c17,"4,\n0",,\n`.replaceAll('\n', '\r\n').concat('\r\n \r\n');
  const { run, lines: linesOf } = bench.project(
    'crlf',
    changed(sampleExperiment, ['"from": "test", "n": 3', '"from": "all"']),
    data,
  );
  const ended = await run('--concurrency', '8');
  expect(ended.code, ended.errors).toBe(0);
  expect(runReportSchema.parse(JSON.parse(ended.output))).toMatchObject({
    planned: 17,
    done: 17,
    notes: ['1 case has no label', '1 empty cell of facts is left out of the whole data set'],
  });
  const lines = await linesOf();
  expect(lines.map((line) => line.case).toSorted()).toEqual(
    Array.from({ length: 17 }, (_, index) => `c${String(index + 1).padStart(2, '0')}`),
  );
  expect(lines.find((line) => line.case === 'c17')).toMatchObject({ truth: null, correct: null, groups: { sex: '' } });
  expect(lines.filter(({ truth }) => truth === 'YES')).toHaveLength(6);
});
