import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AssizeError } from '../../../shared/errors.ts';
import { datasetSchema } from '../../../shared/experiment.ts';
import { readDataset } from './dataset.ts';
import { decodeWindows1252, undefinedIn1252 } from './source.ts';

const folder = mkdtempSync(join(tmpdir(), 'assize-windows1252-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const file = (content: string): string => {
  files += 1;
  const path = join(folder, `${files}.csv`);
  writeFileSync(path, Buffer.from(content, 'latin1'));
  return path;
};
const read = (content: string, given: Record<string, unknown> = {}) => {
  const path = file(content);
  const definition = { path, id: 'id', label: { column: 'out' }, question: 'Which?', encoding: 'windows-1252', ...given };
  return readDataset(path, datasetSchema.parse(definition), { seed: 1 });
};
const refusal = async (content: string, given: Record<string, unknown> = {}) => {
  const error: unknown = await read(content, given).then(
    () => null,
    (failure: unknown) => failure,
  );
  if (!(error instanceof AssizeError)) throw new Error(`the file was not refused: ${String(error)}`);
  return { line: error.place.line, field: error.place.field, message: error.message };
};

describe('Windows-1252', () => {
  it('has its 27 characters where Latin-1 has control characters, and Latin-1 elsewhere', () => {
    // Byte and character from https://encoding.spec.whatwg.org/index-windows-1252.txt
    const pairs: [number, string][] = [
      [0x80, '€'],
      [0x85, '…'],
      [0x8a, 'Š'],
      [0x92, '’'],
      [0x93, '“'],
      [0x96, '–'],
      [0x9f, 'Ÿ'],
      [0xa0, '\u00a0'],
      [0xe4, 'ä'],
      [0xff, 'ÿ'],
      [0x41, 'A'],
    ];
    for (const [byte, character] of pairs) expect(decodeWindows1252(Buffer.from([byte]))).toBe(character);
    const all = Buffer.from(
      Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => undefinedIn1252([byte] as never) < 0),
    );
    expect(all).toHaveLength(251);
    expect(new Set(decodeWindows1252(all)).size).toBe(251);
  });

  it('is read cell by cell, with lines counted in the file', async () => {
    const { cases } = await read('id,x,out\r\n1,caf\xe9 \x80,A\r\n2,\x84\xfc\x93,B\r\n');
    expect(cases.map(({ facts }) => facts[0]?.value)).toEqual(['café €', '„ü“']);
    expect(await refusal('id,x,out\n1,\xe4\xe4\xe4\x80\x80,A\n2,"\xe4,B\n')).toMatchObject({
      line: 3,
      field: 'x',
      message: expect.stringContaining('never closed'),
    });
    expect(await refusal('id,x,out\n1,\xe4,A\n2,\x81,B\n')).toMatchObject({
      line: 3,
      message: expect.stringContaining('byte 17 is no character of Windows-1252'),
    });
  });

  it('leaves the hash that of the bytes', async () => {
    const content = 'id,x,out\n1,a,A\n2,b,B\n';
    expect((await read(content)).fileHash).toBe((await read(content, { encoding: undefined })).fileHash);
  });
});

describe('a delimiter', () => {
  it('is the text between cells, and in quotes a part of one', async () => {
    const { cases } = await read('id;x;out\n1;a,b;A\n2;"c;d";B\n', { delimiter: ';' });
    expect(cases.map(({ facts }) => facts[0]?.value)).toEqual(['a,b', 'c;d']);
    const bars = await read('id|x|out\n1|a;b|A\n2|c|B\n', { delimiter: '|', format: 'csv' });
    expect(bars.cases[0]?.facts[0]?.value).toBe('a;b');
  });

  it('belongs only to CSV, and a wrong one is reported with the one that would fit', async () => {
    expect(await refusal('id\tx\tout\n1\ta\tA\n', { delimiter: ';', format: 'tsv' })).toMatchObject({
      field: 'dataset.delimiter',
    });
    const { message } = await refusal('id;x;out\n1;a;A\n', { id: undefined });
    expect(message).toMatch(/3 when it is split at semicolons; .*set "delimiter" to ";"/);
    expect((await refusal('id,x,out\n1,a,A\n', { delimiter: ';' })).message).toMatch(/set "delimiter" to ","/);
  });
});
