// Parquet files and Excel workbooks. The fixtures were written by pyarrow 26.0.1, openpyxl 3.1.5 and msoffcrypto-tool.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import { randomSource } from '../../../core/cases/shuffle.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { datasetSchema } from '../../../shared/experiment.ts';
import { inspectFile } from '../dataFiles/inspection.ts';
import { readDataset } from './dataset.ts';
import { limits } from './limits.ts';
import { cellsAsShown, elapsedStyles } from './sheetXml.ts';

const folder = mkdtempSync(join(tmpdir(), 'assize-tables-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name);
function written(name: string, bytes: Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

const read = (path: string, definition: object) =>
  readDataset(path, datasetSchema.parse({ path, question: 'Which?', id: 'id', ...definition }), { seed: 1 });

async function refusal(path: string, definition: object = { label: { column: 'out' } }): Promise<string> {
  const error: unknown = await read(path, definition).then(
    () => 'no failure',
    (failure: unknown) => failure,
  );
  return error instanceof AssizeError ? error.describe().replace(`${path}:`, '').trimStart() : `not expected: ${String(error)}`;
}

const factsOf = ({ cases }: Awaited<ReturnType<typeof read>>) =>
  cases.map(({ facts }) => Object.fromEntries(facts.map(({ name, value }) => [name, value])));

describe('Parquet', () => {
  const label = { label: { column: 'tags', multiple: 'json' }, exclude: ['nested'] };

  test.each(['snappy', 'zstd', 'gzip', 'brotli', 'none'])(
    '%s: every type is written so that nothing of it is lost',
    async (codec) => {
      const data = await read(fixture(`types.${codec}.parquet`), label);
      expect(data).toMatchObject({ format: 'parquet' });
      expect(data.cases.map(({ id, truth }) => [id, truth])).toEqual([
        ['a', ['x', 'y']],
        ['b', []],
        ['c', ['z']],
      ]);
      expect(factsOf(data)).toEqual([
        {
          big: '9007199254740993',
          single: '0.1',
          double: '0.1',
          price: '0.30',
          day: '2014-05-31',
          moment: '2014-05-31T12:30:00.25',
          yes: 'true',
          text: 'Ünïcode 判決',
          out: 'YES',
        },
        { single: '2.5', price: '12345678.90', moment: '2014-05-31', yes: 'false', out: 'NO' },
        { big: '-1', double: '1e+300', price: '-1.05', day: '1969-12-31', moment: '1969-12-31T23:59:59.999', out: 'YES' },
      ]);
    },
  );

  test('nested columns are named where they are used, and skipped where they are not', async () => {
    const path = fixture('types.snappy.parquet');
    expect(await refusal(path, { label: { column: 'out' }, exclude: ['tags'] })).toMatch(
      /^1: nested: the value of "nested" is an object; values must be text/,
    );
    expect(await refusal(path, { label: { column: 'out' }, exclude: ['nested'] })).toMatch(
      /^1: tags: the value of "tags" is a list/,
    );
    const { columns, guess } = await inspectFile(path);
    expect(columns.find(({ name }) => name === 'nested')).toMatchObject({ examples: [], empty: 3 });
    expect(guess).toMatchObject({ format: 'parquet', id: 'id', label: { column: 'out' } });
  });

  test('decimals keep every digit, times of day are written as such; lists of them are refused', async () => {
    const data = await read(fixture('exact.parquet'), { label: { column: 'out' }, exclude: ['prices'] });
    expect(data.cases.map(({ id }) => id)).toEqual([
      '12345678901234567890123456789012345678',
      '12345678901234567890123456789012345679',
      '-5',
    ]);
    expect(factsOf(data)).toEqual([
      {
        long: '98765432109876543210987654321098765432101234567890.123',
        small: '0.10',
        middle: '9007199254740993.01',
        seconds: '12:30:00',
        micros: '12:30:00.25',
        nanos: '12:30:00.000000001',
      },
      { long: '-0.001', small: '-1.05', middle: '0.00', seconds: '00:00:00', micros: '23:59:59.999999', nanos: '00:00:00' },
      { middle: '-123.45', micros: '00:00:00' },
    ]);
    expect(await refusal(fixture('exact.parquet'), { label: { column: 'prices', multiple: 'json' } })).toBe(
      'prices: this column has lists of decimals or of times of day; write them as text',
    );
  });

  test('security 24: more rows than can be read are refused before a column is read', async () => {
    const { rows } = limits;
    // Nothing of the columns is left: only the end of the file is.
    const zeroed = readFileSync(fixture('exact.parquet'));
    zeroed.fill(0, 4, 200);
    Object.assign(limits, { rows: 2 });
    const message = await refusal(written('rows.parquet', zeroed));
    Object.assign(limits, { rows });
    expect(message).toBe('there are more than 2 rows; take a smaller extract');
  });

  test('unreadable files are reported: another compression, encryption, a damaged file', async () => {
    expect(await refusal(fixture('types.lz4.parquet'))).toMatch(
      /is compressed with LZ4\w*, which Assize does not read; write it with Snappy/,
    );
    const whole = readFileSync(fixture('types.snappy.parquet'));
    expect(await refusal(written('encrypted.parquet', Buffer.concat([Buffer.from('PARE'), whole.subarray(4)])))).toBe(
      'this is an encrypted Parquet file, not a CSV, TSV or JSON Lines file in UTF-8, a Parquet file or an Excel workbook (.xlsx); write it without encryption',
    );
    expect(await refusal(written('cut.parquet', whole.subarray(0, whole.length - 100)))).toMatch(
      /^this Parquet file cannot be read: it is damaged/,
    );
    const zeroed = Buffer.from(whole);
    zeroed.fill(0, 4, 600);
    expect(await refusal(written('zeroed.parquet', zeroed))).toMatch(/^this Parquet file cannot be read: it is damaged/);
    expect(await refusal(fixture('types.snappy.parquet'), { label: { column: 'out' }, format: 'csv' })).toBe(
      'this is a Parquet file, not CSV; set "format" to "parquet"',
    );
  });
});

/** A workbook with one sheet, of which the rows and cells are given as XML. */
function workbook(name: string, sheetData: string, parts: { styles?: string; after?: string } = {}): string {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  return written(
    name,
    zipSync({
      'xl/worksheets/sheet1.xml': strToU8(
        `<worksheet><dimension ref="A1"/><sheetData>${sheetData}</sheetData>${parts.after ?? ''}</worksheet>`,
      ),
      ...(parts.styles === undefined ? {} : { 'xl/styles.xml': strToU8(parts.styles) }),
      'xl/workbook.xml': strToU8(`<workbook><sheets><sheet name="Cases" sheetId="1" r:id="a"/></sheets></workbook>`),
      'xl/_rels/workbook.xml.rels': strToU8(
        `<Relationships><Relationship Id="a" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>${parts.styles === undefined ? '' : `<Relationship Id="b" Type="${office}/styles" Target="styles.xml"/>`}</Relationships>`,
      ),
    }),
  );
}

const textCell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
const headerRow = `<row r="1">${textCell('A1', 'id')}${textCell('B1', 'x')}${textCell('C1', 'out')}</row>`;
const sheetRow = (row: number, x: string) =>
  `<row r="${row}">${textCell(`A${row}`, `c${row}`)}${x}${textCell(`C${row}`, 'YES')}</row>`;

describe('Excel workbooks', () => {
  const label = { label: { column: 'out' } };
  const labels = ['YES', 'NO'];

  test('numbers, dates, truth values, empty cells and empty rows of the sheet that is named', async () => {
    const data = await read(fixture('sheets.xlsx'), { ...label, sheet: 'Cases', exclude: ['sum'] });
    expect(data).toMatchObject({ format: 'xlsx' });
    expect(data.cases.map(({ id, truth }) => [id, truth])).toEqual([
      ['a', 'YES'],
      ['b', 'NO'],
      [' c ', 'YES'],
    ]);
    expect(factsOf(data)).toEqual([
      { age: '41', day: '2014-05-31', moment: '2014-05-31T12:30:00', share: '0.3', paid: 'TRUE', big: '123456789012' },
      { share: '0.1', paid: 'FALSE' },
      { age: '7', day: '1999-01-01', moment: '1999-01-01', share: '0.25', big: '3' },
    ]);
  });

  test('one of several sheets must be named; a first look takes the first table and lists them', async () => {
    expect(await refusal(fixture('sheets.xlsx'))).toMatch(
      /^this workbook has several sheets: "Notes", "Cases", "Empty"; name one/,
    );
    expect(await refusal(fixture('sheets.xlsx'), { ...label, sheet: 'Case' })).toMatch(
      /^sheet: there is no sheet "Case"; this workbook has/,
    );
    expect(await refusal(fixture('sheets.xlsx'), { ...label, sheet: 'Empty' })).toMatch(/the file has no rows/);
    expect(await refusal(fixture('types.none.parquet'), { ...label, sheet: 'Cases' })).toMatch(
      /only an Excel workbook has sheets/,
    );
    expect(await inspectFile(fixture('sheets.xlsx'))).toMatchObject({
      sheets: ['Notes', 'Cases', 'Empty'],
      guess: { sheet: 'Cases' },
    });
    const { guess, rows } = await inspectFile(fixture('sheets.xlsx'), { sheet: 'Cases' });
    expect([rows, guess]).toMatchObject([3, { format: 'xlsx', sheet: 'Cases', id: 'id', label: { column: 'out' } }]);
  });

  test('a password, an older format and a damaged file are reported', async () => {
    expect(await refusal(fixture('password.xlsx'))).toMatch(/^this is an Excel workbook with a password, .*remove its password/);
    expect(await refusal(written('old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex')))).toMatch(
      /with a password, or in the format before 2007/,
    );
    const whole = readFileSync(fixture('sheets.xlsx'));
    expect(await refusal(written('cut.xlsx', whole.subarray(0, 3000)))).toMatch(
      /^this Excel workbook cannot be read, it may be damaged/,
    );
    const types = { '[Content_Types].xml': strToU8('<Types/>') };
    expect(await refusal(written('none.xlsx', zipSync(types)))).toMatch(
      /^this file is no Excel workbook: it has no xl\/workbook.xml/,
    );
    // A Word file may have its own workbook.
    const word = zipSync({
      ...types,
      'word/document.xml': strToU8('<w/>'),
      'word/embeddings/a.xlsx': [zipSync({ 'xl/a': strToU8('x') }), { level: 0 }],
    });
    expect(await refusal(written('text.docx', word))).toMatch(
      /^this is a Word or PowerPoint file, not .*; copy its table into a workbook/,
    );
    expect(await refusal(written('other.zip', zipSync({ 'pixl/a.csv': strToU8('a,b') })))).toMatch(/^this is a zip archive/);
    expect(
      await refusal(
        written('sheet.ods', zipSync({ mimetype: [strToU8('application/vnd.oasis.opendocument.spreadsheet'), { level: 0 }] })),
      ),
    ).toMatch(/^this is an OpenDocument spreadsheet/);
    expect(
      await refusal(
        written('sheet.xlsb', zipSync({ '[Content_Types].xml': strToU8('<Types/>'), 'xl/workbook.bin': strToU8('x') })),
      ),
    ).toMatch(/^this is a binary Excel workbook/);
  });

  test('numbers are written short where no digit is lost, errors are named where they are used', async () => {
    const stored = [
      '0.28999999999999998',
      '1234567890123456789',
      '9007199254740993',
      '1E-3',
      '-2.5000000000000001E-2',
      '0',
      '1e999',
    ];
    const rows = stored.map((text, index) => sheetRow(index + 2, `<c r="B${index + 2}"><v>${text}</v></c>`)).join('');
    const data = await read(workbook('numbers.xlsx', headerRow + rows), { ...label, labels });
    const short = ['0.29', '1234567890123456789', '9007199254740993', '0.001', '-0.025', '0', '1e999'];
    expect(factsOf(data)).toEqual(short.map((x) => ({ x })));

    const failed = workbook('failed.xlsx', headerRow + sheetRow(2, '<c r="B2" s="" t="e"><f>NA()</f><v>#N/A</v></c>'));
    expect(await refusal(failed)).toBe('2: x: this cell holds the error #N/A; correct its formula, or clear the cell');
    expect(factsOf(await read(failed, { ...label, labels, exclude: ['x'] }))).toEqual([{}]);
  });

  test('times are as the sheet shows them: whole seconds, hours beyond a day, and days of 1900', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[h]:mm;@"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="0"/></cellStyleXfs>' +
      `<cellXfs>${[0, 22, 164, 46, 14].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`;
    const stored = [
      [1, '41760.572916666664', '2014-05-01T13:45:00'],
      [1, '0.5', '12:00:00'],
      [2, '1.2291666666666667', '29:30:00'],
      [3, '-0.0625', '-01:30:00'],
      [4, '1', '1900-01-01'],
      [4, '61', '1900-03-01'],
      [0, '1.25', '1.25'],
    ] as const;
    const rows = stored.map(([style, value], index) =>
      sheetRow(index + 2, `<c r="B${index + 2}" s="${style}"><v>${value}</v></c>`),
    );
    const data = await read(workbook('times.xlsx', headerRow + rows.join(''), { styles }), { ...label, labels });
    expect(factsOf(data)).toEqual(stored.map(([, , x]) => ({ x })));
  });

  test('formulas without a result and merged cells are refused where they are used', async () => {
    const row = (cell: string) => headerRow + sheetRow(2, cell);
    const scripted = workbook('scripted.xlsx', row('<c r="B2"><f>A2*2</f><v></v></c>'));
    expect(await refusal(scripted)).toMatch(/^2: x: the formula in this cell was never calculated; open the workbook in Excel/);
    expect(factsOf(await read(scripted, { ...label, labels, exclude: ['x'] }))).toEqual([{}]);
    const results = row('<c r="B2"><f>1+1</f><v>2</v></c>') + sheetRow(3, '<c r="B3" t="str"><f>T(A9)</f><v></v></c>');
    expect(factsOf(await read(workbook('results.xlsx', results), { ...label, labels }))).toEqual([{ x: '2' }, {}]);

    const rows = row('<c r="B2"><v>1</v></c>') + sheetRow(3, '<c r="B3"/>');
    const after = '<mergeCells count="2"><mergeCell ref="A1:C1"/><mergeCell ref="B2:B3"/></mergeCells>';
    const merged = workbook('merged.xlsx', rows, { after });
    expect(await refusal(merged)).toBe(
      '2: x: the cells B2:B3 are merged, and only the first has the value; unmerge them, and fill in each',
    );
    expect(factsOf(await read(merged, { ...label, labels, exclude: ['x'] }))).toEqual([{}, {}]);
  });

  test('a row far down without a value, as LibreOffice writes it, is skipped', async () => {
    const path = workbook(
      'trailing.xlsx',
      `${headerRow}${sheetRow(2, '<c r="B2"><v>1</v></c>')}<row r="1048576"><c r="CV1048576" s="0"/></row>`,
    );
    expect(factsOf(await read(path, { ...label, labels }))).toEqual([{ x: '1' }]);
  }, 30_000);

  test.each([
    ['a cell far off', `${headerRow}<row r="300000">${textCell('CV300000', 'x')}</row>`],
    ['a cell less far off, and few values', `${headerRow}<row r="30000">${textCell('CV30000', 'x')}</row>`],
    ['the last cell of all', `${headerRow}<row r="1048576">${textCell('XFD1048576', 'x')}</row>`],
    ['a row beyond the last', `${headerRow}<row r="999999999"></row>`],
    ['a row that its cell does not name', `${headerRow}<row r="300000"><!-- <row r="1"> -->${textCell('CV5', 'x')}</row>`],
    [
      'a prefix',
      `${headerRow}<x:row x:r='300000'>${textCell('A1', 'x').replaceAll('<c r', '<x:c y:r').replaceAll('</c', '</x:c').replace('A1', 'CV300000')}</x:row>`,
    ],
  ])('security 24: a sheet with %s is refused before its gaps are filled', async (_, sheetData) => {
    expect(await refusal(workbook('far.xlsx', sheetData))).toMatch(
      /^the sheets of this workbook reach too far: [0-9]+ rows, and [0-9]+ cells .*; clear the cells/,
    );
  });

  test.each([
    ['an entity', '<row r="&#57;99999999"></row>'],
    ['a number of another kind', '<row r="9e8"></row>'],
    ['a bracket in a quote', '<row a="><t " r="999999999"></row>'],
    ['an open tag in a quote', '<row a="<t " r="999999999"></row>'],
    ['a cell without a column', '<row r="1"><c r="5"><v>1</v></c></row>'],
  ])('security 24: a sheet that hides its reach behind %s is refused', async (_, sheetData) => {
    expect(await refusal(workbook('hidden.xlsx', sheetData))).toMatch(
      /^this Excel workbook cannot be read, it may be damaged \((a tag is not closed|\S+ is no (row|cell))/,
    );
  });

  test('security 24: white space and openings without an end are read at once', async () => {
    const gap = ' '.repeat(200_000);
    const cell = (inner: string) => headerRow + sheetRow(2, `<c r="B2">${gap}${inner}</c>`);
    const styles = `<styleSheet><cellXfs>${'<cellXfs '.repeat(200_000)}`;
    const begun = performance.now();
    cellsAsShown(`<f/>${cell('<v>7</v>')}${cell(`<is>${gap}</is>`)}<c r="B3">${gap}`, elapsedStyles(styles));
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  test('security 24: what would fill the memory is refused before it is unpacked', async () => {
    const { workbookBytes, unpackedBytes } = limits;
    const mebibyte = 1024 ** 2;
    const bomb = zipSync({
      'xl/workbook.xml': strToU8('<workbook/>'),
      'xl/worksheets/sheet1.xml': new Uint8Array(4 * mebibyte),
    });
    Object.assign(limits, { workbookBytes: mebibyte, unpackedBytes: 3 * mebibyte });
    expect(await refusal(written('bomb.xlsx', bomb))).toMatch(/^this workbook has 4 MiB when it is unpacked, more than 3 MiB/);
    Object.assign(limits, { workbookBytes: 1000 });
    expect(await refusal(fixture('sheets.xlsx'))).toMatch(/^this workbook has 0 MiB, more than/);
    Object.assign(limits, { workbookBytes, unpackedBytes });
  });
});

test.each(['types.none.parquet', 'types.zstd.parquet', 'sheets.xlsx'])(
  'security 24: %s with a changed byte is read, or refused with what is wrong',
  async (name) => {
    const whole = readFileSync(fixture(name));
    const random = randomSource(1, name);
    for (let round = 0; round < 60; round += 1) {
      const changed = Buffer.from(whole);
      const at = Math.floor(random.next() * whole.length);
      changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(random.next() * 8));
      const path = written(`${round}-${name}`, changed);
      const outcome = await inspectFile(path).then(
        () => 'read',
        (error: unknown) => (error instanceof AssizeError ? 'refused' : `byte ${at}: ${String(error)}`),
      );
      expect(['read', 'refused']).toContain(outcome);
    }
  },
);
