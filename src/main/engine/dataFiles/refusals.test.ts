import { truncateSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caseDefinitionSchema } from '../../../shared/api/dataFiles.ts';
import { failureOf, openEngineRoom, resources } from '../service/testing/engineRoom.ts';
import { bundledSamples } from './entries.ts';

let room: ReturnType<typeof openEngineRoom>;
beforeAll(() => {
  room = openEngineRoom({ name: 'refusals' });
});
afterAll(() => room.close());

const definition = caseDefinitionSchema.parse({ label: { column: 'y' }, question: 'Which?' });

/** The failures of all three requests that read an upload. */
async function refusals(upload: string) {
  const { dataFiles } = room.client;
  return Promise.all([
    failureOf(dataFiles.inspect({ upload })),
    failureOf(dataFiles.preview({ upload, definition })),
    failureOf(dataFiles.add({ upload, name: 'x', definition })),
  ]);
}

const samples = bundledSamples(resources);
const zip = Buffer.from('504b030414000000080000002100', 'hex');
const wide = (columns: number) => Array.from({ length: columns }, (_, index) => `c${index}`).join(',');

describe('security 24: a file that is no table is refused by all readers, which name its kind', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['gzip', gzipSync('x,y\n1,a\n2,b\n'), 'a gzip archive'],
    ['workbook', Buffer.concat([zip, Buffer.from('[Content_Types].xml')]), 'Excel workbook cannot be read'],
    ['pdf', '%PDF-1.7\n', 'a PDF file'],
    ['binary junk', Uint8Array.from({ length: 4096 }, (_, index) => (index * 37) % 256), 'a binary file'],
    ['nothing', '', 'empty'],
  ])('%s', async (name, content, what) => {
    for (const { code, message } of await refusals(room.upload(`${name}.csv`, content))) {
      expect(code).toBe('bad-input');
      expect(message).toContain(what);
    }
  });
});

describe('security 24: a table that is absurd is refused with its place', () => {
  test('a row with more cells than the header', async () => {
    for (const failure of await refusals(room.upload('ragged.csv', `x,y\n1,a\n${wide(50_000)}\n`))) {
      expect(failure).toMatchObject({ code: 'bad-input', line: 3 });
      expect(failure.message).toContain('50000 cells');
    }
  });

  test('bytes that are neither UTF-8 nor Windows-1252, far from the beginning', async () => {
    const rows = Array.from({ length: 40_000 }, (_, index) => `${index},a`).join('\n');
    const content = Buffer.concat([Buffer.from(`x,y\n${rows}\n1,`), Buffer.from([0x81, 0xfe]), Buffer.from('\n')]);
    for (const failure of await refusals(room.upload('latin.csv', content))) {
      expect(failure).toMatchObject({ code: 'bad-input', line: 40_002 });
    }
  });
});

describe('security 24, security 29: a path that is no readable file is refused', () => {
  test('a file of more than a gibibyte, before it is read', async () => {
    const path = room.path('huge.csv');
    writeFileSync(path, 'x,y\n');
    truncateSync(path, 1024 ** 3 + 1);
    const { dataFiles } = room.client;
    const upload = room.announce(path);
    expect((await failureOf(dataFiles.inspect({ upload }))).message).toBe(
      'the file is larger than 1 GiB; take a smaller extract',
    );
    expect((await failureOf(dataFiles.add({ upload, name: 'x', definition }))).message).toContain('larger than 1 GiB');
  });

  test.skipIf(process.platform === 'win32').each(['/dev/zero', '/dev/null', '/', '/nowhere/at/all.csv'])('%s', async (path) => {
    for (const { code, message } of await refusals(room.announce(path))) {
      expect(code).toBe('bad-input');
      expect(message).not.toContain('/');
    }
  });

  test.each(['\\\\server\\share\\x.csv', '//server/share/x.csv', '\\\\?\\C:\\x.csv', '\\\\.\\pipe\\x'])(
    'UNC and device path %s',
    async (path) => {
      for (const { code, message } of await refusals(room.announce(path))) {
        expect([code, message]).toEqual(['bad-input', 'UNC and device paths are not accepted; use a path on a local disk']);
      }
    },
  );

  test('an unknown handle, and a path in place of one', async () => {
    for (const failure of await refusals('A'.repeat(43))) expect(failure.code).toBe('not-found');
    for (const failure of await refusals('../../../../../../etc/passwd')) {
      expect(failure).toMatchObject({ code: 'bad-input', field: 'upload' });
    }
  });
});

test('no refusal was an error of the program, and none left a file next to the store', async () => {
  expect(room.kept).toEqual([]);
  const listed = await room.client.dataFiles.list({});
  expect(listed.map(({ id }) => id).toSorted()).toEqual(samples.map(({ id }) => id).toSorted());
});
