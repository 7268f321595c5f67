import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AssizeError } from '../../../shared/errors.ts';
import { datasetSchema } from '../../../shared/experiment.ts';
import { readDataset } from './dataset.ts';
import { limits } from './limits.ts';

const real = { ...limits };
let folder = '';

beforeAll(async () => {
  // Lower limits are met by the same code, in a fraction of the time.
  Object.assign(limits, { rows: 50_000, columns: 200 });
  folder = await mkdtemp(join(tmpdir(), 'assize-refusals-'));
});

afterAll(async () => {
  Object.assign(limits, real);
  await rm(folder, { recursive: true });
});

const outcome = { id: 'id', label: { column: 'out' } };

async function refusalOf(path: string, definition: object): Promise<string> {
  const reading = readDataset(path, datasetSchema.parse({ path: 'x', question: 'Which?', ...definition }), { seed: 1 });
  const error: unknown = await reading.then(
    () => 'no failure',
    (failure: unknown) => failure,
  );
  if (!(error instanceof AssizeError)) return `not an expected failure: ${String(error)}`;
  expect(error.code).toBe('bad-input');
  if (error.place.field?.startsWith('dataset') !== true) expect(error.place.file).toBe(path);
  return error.describe().replace(`${path}:`, '').trimStart();
}

async function refusal(content: string | Uint8Array, definition: object = outcome): Promise<string> {
  const path = join(folder, 'data');
  await writeFile(path, content);
  return await refusalOf(path, definition);
}

describe('files', () => {
  it('takes nothing nested from a field that is used', async () => {
    const texts = { ...outcome, kind: 'text' };
    expect(await refusal('{"id":1,"text":{"a":1},"out":"A"}\n', texts)).toMatch(/^1: text: the value of "text" is an object/);
    const grouped = { ...outcome, exclude: ['x'], groups: ['x'] };
    expect(await refusal('{"id":1,"x":[1],"out":"A"}\n', grouped)).toMatch(/^1: x: the value of "x" is a list/);
  });

  it('names a missing file, a folder, and an irregular file', async () => {
    expect(await refusalOf(join(folder, 'none.csv'), outcome)).toBe('there is no such file');
    await writeFile(join(folder, 'plain'), 'x');
    expect(await refusalOf(join(folder, 'plain', 'none.csv'), outcome)).toBe('there is no such file');
    await mkdir(join(folder, 'sub'));
    expect(await refusalOf(join(folder, 'sub'), outcome)).toMatch(/^this is a folder; name the data file in it/);
  });

  it.skipIf(process.platform === 'win32')('does not wait for a named pipe', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    expect(await refusalOf(path, outcome)).toBe('this is not a regular file');
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('names a file without permission', async () => {
    const path = join(folder, 'locked.csv');
    await writeFile(path, 'id,out\n');
    await chmod(path, 0);
    expect(await refusalOf(path, outcome)).toBe('the file cannot be read: no permission');
  });

  it('refuses empty files and files without rows', async () => {
    for (const content of ['', '\n\r\n  \n', '\ufeff']) expect(await refusal(content)).toMatch(/^the file is empty/);
    expect(await refusal('id,x,out\n\n')).toMatch(/^the file has a header and no rows/);
    expect(await refusal(`${'\n'.repeat(70_000)}`)).toMatch(/^the file has no rows/);
    expect(await refusal('', { ...outcome, format: 'jsonl' })).toMatch(/^the file is empty/);
  });

  it('refuses a file of more than 1 GiB without reading it', async () => {
    const path = join(folder, 'huge.csv');
    const handle = await open(path, 'w');
    await handle.truncate(1024 ** 3 + 1);
    await handle.close();
    expect(await refusalOf(path, outcome)).toMatch(/^the file is larger than 1 GiB/);
    await rm(path);
  });

  it.each<[string, Uint8Array]>([
    ['a gzip archive', gzipSync('id,out\n1,A\n')],
    ['a zip archive', Buffer.from('PK\x03\x04....data.csv')],
    ['an SQLite database', Buffer.from('SQLite format 3\0....')],
    ['UTF-16 text', Buffer.from('\ufeffid,out\n1,A\n', 'utf16le')],
    ['UTF-16 text', Buffer.from('\ufeffid,out\n1,A\n', 'utf16le').swap16()],
    ['UTF-16 text', Buffer.from('id,out\n1,A\n', 'utf16le')],
    ['a binary file', Buffer.from('id,out\n1,\0\0\0\n')],
  ])('recognises %s by its first bytes', async (what, content) => {
    expect(await refusal(content)).toMatch(new RegExp(`^this is ${what}, not a CSV.*; (unpack|export|save|give)`));
  });

  it('refuses text that is not UTF-8, with line and byte', async () => {
    const latin = Buffer.from('id,x,out\n1,caf\xe9,A\n', 'latin1');
    expect(await refusal(latin)).toMatch(/^2: byte 14 is not valid UTF-8; save/);
    const bad: readonly (readonly number[])[] = [
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
      [0x80],
      [0xe2, 0x82],
    ];
    for (const bytes of bad) {
      const content = Buffer.concat([Buffer.from('\ufeffid,x,out\r\n1,'), Buffer.from(bytes), Buffer.from(',A\r\n')]);
      expect(await refusal(content)).toMatch(/^2: byte 15 is not valid UTF-8/);
    }
    expect(await refusal(Buffer.concat([Buffer.from('id,x,out\n1,2,A'), Buffer.from([0xf0, 0x9f])]))).toMatch(/^2: byte 14 /);
    const far = Buffer.concat([Buffer.from(`id,x,out\n${'1é,2,A\r\n'.repeat(20_000)}`), Buffer.from([0xff])]);
    expect(await refusal(far, { ...outcome, id: undefined })).toMatch(`20002: byte ${far.length - 1} is not valid UTF-8`);
  });
});

describe('tables', () => {
  it.each([
    ['id;x;out\n1;2;A\n', undefined, /^1: the header has one column .* commas, but 3 .* semicolons; save the file with commas/],
    ['id|x|out\n1|2|A\n', undefined, /3 when it is split at vertical bars/],
    ['id\tx\tout\n1\t2\tA\n', 'csv', /3 when it is split at tabs; set "format" to "tsv"/],
    ['id,x,out\n1,2,A\n', 'tsv', /3 when it is split at commas; set "format" to "csv"/],
    ['{"id":1}\n', 'csv', /^1: this is JSON Lines, not CSV; set "format" to "jsonl"/],
    ['[\n {"id":1}]\n', undefined, /^1: this is one JSON array; write one JSON object per line/],
    ['id,x,out\n1,2,A\n', 'jsonl', /^1: this line is not valid JSON/],
  ])('says what a wrong format should be: %j as %s', async (content, format, message) => {
    expect(await refusal(content, { ...outcome, format })).toMatch(message);
  });

  it('says that a title above the header can be the fault', async () => {
    const below = '; if the header is further down, remove the lines above it';
    const [found, stray] = [{ id: 'id', label: { column: 'out' } }, 'this row has a value, but its column has no name'];
    expect(await refusal('Report 2014\n\nid,out\n1,A\n', found)).toMatch(`(columns: "Report 2014")${below}`);
    expect(await refusal('Report 2014,,\n,,\nid,x,out\n', { ...found, labels: ['A', 'B'] })).toMatch(
      /remove the lines above it$/,
    );
    expect(await refusal('id,out,\n1,A,5\n', found)).toBe(`2: cell 3 of ${stray}; give it one in the header${below}`);
  });

  it('names missing columns and the nearest one there is', async () => {
    const table = '\n\nId,lable,x\n1,A,2\n';
    expect(await refusal(table, { label: { column: 'label' } })).toBe(
      '3: label: there is no column "label", which "label" names; did you mean "lable"? (columns: "Id", "lable", "x")',
    );
    expect(await refusal(table, { id: 'id', label: { column: 'lable' } })).toMatch(/"id", which "id" names; did you mean "Id"\?/);
    const found = { label: { column: 'lable' } };
    expect(await refusal(table, { ...found, groups: ['race'] })).toMatch(/no column "race", which "groups" names \(columns/);
    expect(await refusal(table, { ...found, exclude: ['y'] })).toMatch(/"y", which "exclude" names/);
    expect(await refusal(table, { ...found, kind: 'text' })).toMatch(/"text", which "columns.text" names by default/);
    expect(await refusal(table, { ...found, kind: 'pair' })).toMatch(/"premise", which "columns.premise" names by default/);
    expect(await refusal(table, { ...found, kind: 'sections', sections: ['x', 'claim'] })).toMatch(/"claim", which "sections"/);
    expect(await refusal(table, { kind: 'open' })).toMatch(/"question", which "question" names/);
  });

  it('refuses columns that cannot be distinguished', async () => {
    expect(await refusal('id,x,x,out\n1,2,3,A\n')).toMatch(/^1: x: columns 2 and 3 are both named "x"; rename/);
    expect(await refusal(',id,out\n0,1,A\n')).toMatch(/^1: column 1 has no name; give it one/);
    const wide = Array.from({ length: 201 }, (_, index) => `c${index}`).join(',');
    expect(await refusal(`${wide}\n1\n`)).toMatch(/^1: there are 201 columns; at most 200/);
    const both = 'premise,hypothesis,question,passage,out\n1,2,3,4,A\n';
    expect(await refusal(both, { kind: 'pair', label: { column: 'out' } })).toMatch(/^1: the file has both .* "columns"$/);
  });

  it('refuses ids that are empty or not unique, with both lines', async () => {
    expect(await refusal('id,x,out\n1,"a\r\nb",A\r\n\n2,b,B\n1,c,A\n')).toMatch(/^6: id: the id "1" is in line 2 too/);
    expect(await refusal('id,x,out\n1,a,A\n ,b,B\n')).toMatch(/^3: id: the id is empty/);
  });

  it('refuses rows of another length', async () => {
    expect(await refusal('id,x,out\n1,"a\nb",A\n2,b,c,B\n')).toMatch(/^4: this row has 4 cells, but the header has 3; a cell/);
    expect(await refusal('id,x,out\n1,A\n')).toMatch(/^2: this row has 2 cells/);
  });

  it('refuses unbalanced quotes at the line where they start', async () => {
    expect(await refusal('id,x,out\n1,"a\nb",A\r\n\r\n2,"b,B\n3,c,A\n')).toMatch(
      /^5: x: the double quote that opens this cell is never/,
    );
    expect(await refusal('id,y,x,out\n1,"a\r\nb","c,A\n2,b,d,B\n')).toMatch(/^3: x: .* never closed/);
    expect(await refusal('id,x,out\n1,"a,A\n2,"b",B\n')).toMatch(/^2: x: the double quote that opens this cell is closed by one/);
    expect(await refusal('id,x,out\n1,5" pipe,A\n')).toMatch(/^2: x: there is a double quote in a cell that does not begin/);
    expect(await refusal('id,"x,out\n1,2,3\n')).toMatch(/^1: column 2: .* never closed/);
  });

  it('refuses cells that are too long', async () => {
    const long = 'x'.repeat(1024 ** 2 + 1);
    expect(await refusal(`id,x,out\n1,${long.slice(1)},A\n2,b,B\n3,"${long}",A\n`)).toMatch(
      /^4: x: this cell has 1048577 characters; a cell may have at most 1048576/,
    );
    expect(await refusal(`id,${long},out\n1,2,A\n`)).toMatch(/^1: column 2: this cell has/);
    const endless = `id,x,out\n1,2,A\n2,"${'x'.repeat(9_000_000)}",B\n`;
    expect(await refusal(endless)).toMatch(/^3: x: the row grows beyond 8388608 characters in this cell/);
  });

  it('refuses more rows than the limit', async () => {
    expect(await refusal(`out\n${'A\n'.repeat(50_001)}`, { label: { column: 'out' } })).toMatch(
      /^50002: there are more than 50000 rows/,
    );
  });

  it('refuses endless empty lines', { tags: 'exhaustive' }, async () => {
    expect(await refusal(`id,x,out\n${'\n'.repeat(9_000_000)}`)).toMatch(/^there are more than 8388608 empty lines/);
  });
});

describe('JSON Lines', () => {
  it.each([
    ['{"id":1,"out":"A"}\n\n{"id":2,', /^3: this line is not valid JSON/],
    [`{"id":1,"out":"A","x":${'['.repeat(10_000)}${']'.repeat(10_000)}}\n`, /^1: this line is nested too deeply/],
    ['{"id":1,"out":"A"}\n[1]\n', /^2: this line is not a JSON object/],
    ['{"id":1,"out":"A"}\nnull\n', /^2: this line is not a JSON object/],
    ['{"id":1,"x":{"y":1}}\n', /^1: x: the value of "x" is an object; values must be text, numbers/],
    ['{"id":1,"out":"A"}\n{"id":2,"out":"B","x":[1]}\n', /^2: x: the value of "x" is a list/],
    ['{"id":1,"out":"__proto__"}\n', /^1: out: "__proto__" cannot be a label/],
    [
      '{"id":1,"out":["A"]}\n',
      /^1: out: the value of "out" is a list; a list is allowed only in the label column \("multiple": "json" in a file\); leave other/,
    ],
    ['{"id":1,"":2}\n', /^1: column 2 has no name/],
    ['{"id":1,"out":"A"}\n{"id":"1","out":"B"}\n', /^2: id: the id "1" is in line 1 too/],
    ['{"Id":1,"out":"A"}\n', /^1: id: there is no column "id", which "id" names; did you mean "Id"\?/],
    ['{"id":1,"out":"A"}\n{"out":"B"}\n', /^2: id: the id is empty/],
    ['{"id":1,"outt":"A"}\n{"id":2}\n', /^out: there is no column "out".* did you mean "outt"/],
    [`{"id":1,"out":"${'x'.repeat(1024 ** 2 + 1)}"}`, /^1: out: this cell has 1048577 characters/],
    [`{"id":1,"out":"A"}\n{"id":2,"x":"${'x'.repeat(9_000_000)}"}`, /^2: this line is longer than 8388608 bytes/],
  ])('refuses %.60j', async (content, message) => {
    expect(await refusal(content)).toMatch(message);
  });

  it('refuses more fields than the limit over all rows', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => `{"id":${index},"f${index}":1,"out":"A"}`).join('\n');
    expect(await refusal(rows)).toMatch(/^199: there are 201 columns; at most 200/);
  });

  it('refuses nesting that would exhaust the stack', async () => {
    expect(await refusal(`{"id":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toMatch(/^1: /);
  });

  it('refuses an open case without a question', async () => {
    const open = { kind: 'open', columns: { question: 'ask' } };
    expect(await refusal('{"ask":"Why?"}\n{"ask":null}\n', open)).toMatch(/^2: ask: the question is empty/);
    expect(await refusal('{"asks":"Why?"}\n', open)).toMatch(/^1: ask: there is no column "ask".*did you mean "asks"/);
  });
});

describe('labels', () => {
  const table = 'id,x,out\n1,a,"Y"\n2,b,maybe\n';

  it.each<[object, RegExp]>([
    [
      { labels: ['Y', 'N'] },
      /^3: out: "maybe" is not a known label \(known: "Y", "N"\); correct the cell, or add it to "labels"/,
    ],
    [{ label: { column: 'out', map: { Y: 'YES', N: 'NO' } } }, /^3: out: "maybe" .*known: "Y", "N".* to the "map" of "label"/],
    [{ labels: ['Y', 'maybee'] }, /did you mean "maybee"\?/],
    [{ positive: 'N' }, /^dataset.positive: "N" is not among the labels "Y", "maybe"/],
    [{ label: { column: 'out', multiple: 'json' } }, /^2: out: "Y" is not a JSON list of labels such as \["a", "b"\]/],
    [
      { labels: ['Y', 'N', 'maybe'], positive: 'Y', label: { column: 'out', multiple: '|' } },
      /^dataset.positive: where a case can have several labels none of them is the positive one/,
    ],
    [{ labels: ['Y', 'N'], label: { column: 'out', multiple: '|' } }, /^3: out: "maybe" is not a known label/],
  ])('refuses values that are no labels: %j', async (parts, message) => {
    expect(await refusal(table, { ...outcome, ...parts })).toMatch(message);
  });

  it('refuses data sets with fewer than two labels or more than a thousand', async () => {
    expect(await refusal('id,out\n1,A\n2,A\n')).toMatch(/^out: every labelled case has the label "A"; name all possible/);
    expect(await refusal('id,out\n1,\n2,\n')).toMatch(/^out: no case has a label; name all possible labels/);
    const many = Array.from({ length: 1001 }, (_, index) => `${index},v${index}\n`).join('');
    expect(await refusal(`id,out\n${many}`)).toMatch(/^1002: out: there are more than 1000 different labels/);
  });
});

describe('definitions', () => {
  const table = 'id,x,text,out\n1,a,b,A\n2,c,d,B\n';

  it.each<[object, RegExp]>([
    [{ ...outcome, groups: ['out'] }, /^dataset.groups: "out" is the label column, which models never see/],
    [{ ...outcome, id: 'out' }, /^dataset.id: "out" is the label column/],
    [{ ...outcome, kind: 'text', columns: { text: 'out' } }, /^dataset.columns: "out" is the label column/],
    [{ kind: 'text', label: { column: 'text' } }, /^dataset.label.column: "text" is the label column/],
    [{ ...outcome, kind: 'sections', sections: ['x', 'out'] }, /^dataset.sections: "out" is the label column/],
    [{ ...outcome, kind: 'sections', sections: ['x', 'x'] }, /^dataset.sections: "x" is named twice/],
    [{ ...outcome, kind: 'sections' }, /^dataset.sections: kind "sections" needs the names/],
    [{ ...outcome, sections: ['x'] }, /^dataset.sections: only kind "sections" has sections/],
    [{ ...outcome, columns: { text: 'x' } }, /^dataset.columns.text: kind "tabular" has no use for this name/],
    [{ ...outcome, kind: 'text', columns: { passage: 'x' } }, /^dataset.columns.passage: .* it has "text"/],
    [{ ...outcome, kind: 'text', exclude: ['text'] }, /^dataset.exclude: "text" is the "text" of the cases and cannot/],
    [{ ...outcome, kind: 'pair', columns: { premise: 'x', passage: 'text' } }, /^dataset.columns: a pair is either/],
    [{ ...outcome, kind: 'pair', columns: { premise: 'x', hypothesis: 'x' } }, /^dataset.columns: "x" is named twice/],
    [{ ...outcome, groups: ['x', 'x'] }, /^dataset.groups: "x" is named twice/],
    [{ ...outcome, labels: ['A', 'B'], positive: 'C' }, /^dataset.positive: "C" is not among the labels "A", "B"/],
    [{ labels: ['A', 'B'], label: { column: 'out', map: { A: 'a' } } }, /^dataset.label.map: "A" becomes "a", which is not/],
    [{ ...outcome, question: undefined }, /^dataset.question: kind "tabular" needs the question/],
    [{ id: 'id' }, /^dataset.labels: without a label column/],
    [{ ...outcome, kind: 'open' }, /^dataset.label: an open data set has questions and no labels/],
    [{ kind: 'open', labels: ['A', 'B'] }, /^dataset.labels: an open data set/],
  ])('refuses %j', async (definition, message) => {
    expect(await refusal(table, definition)).toMatch(message);
  });
});
