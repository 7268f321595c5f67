import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runReportSchema } from '../shared/commandOutputs.ts';
import { changed, errorOf, labelColumn, openBench, sampleData, sampleExperiment, snapshot } from './testing.ts';

const bench = await openBench();

test('an error in the data is reported with line and column, and nothing is written', async () => {
  const data = `id,age,sex,${labelColumn}\na,30,male,True\nb,40,female,False\n\na,50,male,True\n`;
  const { room, run } = bench.project('two equal ids', sampleExperiment, data);
  const before = snapshot(room);
  const ended = await run();
  expect(ended.code, ended.errors).toBe(2);
  expect(errorOf(ended)).toMatchObject({ code: 'bad-input', file: join(room, 'data.csv'), line: 5, field: 'id' });
  expect(ended.errors).toMatch(/the id "a" is in line 2 too/);
  expect(snapshot(room)).toEqual(before);
});

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
    notes: ['1 case has no label (c17)', '1 cell of facts is empty in the whole data set: its case stays, without this fact'],
  });
  const lines = await linesOf();
  expect(lines.map((line) => line.case).toSorted()).toEqual(
    Array.from({ length: 17 }, (_, index) => `c${String(index + 1).padStart(2, '0')}`),
  );
  expect(lines.find((line) => line.case === 'c17')).toMatchObject({ truth: null, correct: null, groups: { sex: '' } });
  expect(lines.filter(({ truth }) => truth === 'YES')).toHaveLength(6);
});
