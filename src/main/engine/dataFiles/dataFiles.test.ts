import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CaseDefinition, caseDefinitionSchema } from '../../../shared/api/dataFiles.ts';
import { failureOf, openEngineRoom } from '../service/testing/engineRoom.ts';

let room: ReturnType<typeof openEngineRoom>;
beforeAll(() => {
  room = openEngineRoom({ name: 'docket' });
});
afterAll(() => room.close());

const table = 'id,age,place,guilty\n1,20,Köln,no\n2,31,"Paris, France",yes\n3,44,Oslo,no\n4,,東京,yes\n';
const definition = (given: Partial<CaseDefinition> = {}): CaseDefinition =>
  caseDefinitionSchema.parse({ id: 'id', label: { column: 'guilty' }, question: 'Did they do it?', ...given });

const add = (name: string, content: string, given: Partial<CaseDefinition> = {}) =>
  room.client.dataFiles.add({ upload: room.upload(`${name}.csv`, content), name, definition: definition(given) });

test('what comes with the program is in the list of data sets, without a store', async () => {
  const list = await room.client.dataFiles.list({});
  expect(list.map(({ id, bundled, cases }) => [id, bundled, cases])).toEqual([
    ['deposits', true, 24],
    ['nlsy97', true, 60],
    ['notices', true, 24],
    ['questions', true, 12],
    ['symptoms', true, 40],
  ]);
  expect(list.every(({ source }) => source?.includes('MIT'))).toBe(true);
  expect(existsSync(room.path('store.db'))).toBe(false);
});

describe('inspecting a file', () => {
  const inspected = async (name: string, content: string) =>
    room.client.dataFiles.inspect({ upload: room.upload(name, content) });

  test('counts what is in each column', async () => {
    const { format, rows, columns } = await inspected('table.csv', table);
    expect([format, rows]).toEqual(['csv', 4]);
    expect(columns[1]).toEqual({
      name: 'age',
      values: ['20', '31', '44'],
      rowsOfValues: [1, 1, 1],
      numbers: { least: 20, greatest: 44, whole: true },
      examples: ['20', '31', '44'],
      empty: 1,
      longest: 2,
    });
    expect(columns[2]).toMatchObject({ values: ['Köln', 'Paris, France', 'Oslo', '東京'], longest: 13 });
  });

  test('finds the column of which every case has each value once, in any order of the rows', async () => {
    const cases = Array.from({ length: 6 }, (_, index) => index);
    const rows = ['B', 'A'].flatMap((tool) =>
      cases.map((id) => `P${id},${tool},${id % 2 === 0 ? 'f' : 'm'},${id > 2 ? 'no' : 'yes'}`),
    );
    const found = async (lines: readonly string[]) => {
      const { columns } = await inspected('tools.csv', ['patient,tool,sex,flagged', ...lines].join('\n'));
      return columns.map(({ eachOncePer, variesPer }) => [eachOncePer ?? null, variesPer ?? null]);
    };
    const constant = [null, null];
    expect(await found(rows)).toEqual([constant, ['patient', 'patient'], constant, constant]);
    expect(await found([...rows.slice(1), 'P5,A,m,'])).toEqual([constant, [null, 'patient'], constant, constant]);
    const many = Array.from({ length: 10 }, (_, index) => [`Q${index},A,f,no`, `Q${index},B,f,no`]).flat();
    expect((await found([...many, 'Q10,A,f,no']))[1]).toEqual(['patient', 'patient']);
    expect(await found([...rows, 'P5,A,m,yes'])).toEqual([constant, [null, 'patient'], constant, [null, 'patient']]);
  });

  test('names values up to 50 with their rows, and none of long texts', async () => {
    const lines = Array.from({ length: 51 }, (_, index) => `${index},${index % 50},${'x'.repeat(index === 7 ? 201 : 1)}`);
    const { columns } = await inspected('many.csv', ['a,b,c', ...lines].join('\n'));
    expect(columns.map(({ values }) => values?.length ?? null)).toEqual([null, 50, null]);
    expect(columns[2]?.longest).toBe(201);
    expect(columns.map(({ rowsOfValues }) => rowsOfValues?.slice(0, 2))).toEqual([undefined, [2, 1], undefined]);
  });
});

describe('a file of another program', () => {
  const older = Buffer.from('Nr;Straße;Betrag;label\r\n1;Köln, Dom;3,50 \x80;ja\r\n2;\x93Zülpich\x94;4,00;nein\r\n', 'latin1');

  test('is read with semicolons and in Windows-1252, and the guess says so', async () => {
    const upload = room.upload('older.csv', older);
    const { format, columns, guess } = await room.client.dataFiles.inspect({ upload });
    expect([format, guess.delimiter, guess.encoding]).toEqual(['csv', ';', 'windows-1252']);
    expect(columns.map(({ name }) => name)).toEqual(['Nr', 'Straße', 'Betrag', 'label']);
    expect(columns[1]?.values).toEqual(['Köln, Dom', '“Zülpich”']);
    expect(columns[2]?.values).toEqual(['3,50 €', '4,00']);
    const entry = await room.client.dataFiles.add({ upload, name: 'Older', definition: { ...guess, question: 'Is it?' } });
    expect(entry.definition).toMatchObject({ delimiter: ';', encoding: 'windows-1252' });
    const { cases } = await room.client.dataFiles.cases({ entry: entry.id, search: 'zülpich' });
    expect(cases.map(({ facts }) => facts.map(({ value }) => value))).toEqual([['“Zülpich”', '4,00']]);
    await room.client.dataFiles.remove({ entry: entry.id });
  });

  test('is read as the user says', async () => {
    const upload = room.upload('mixed.csv', 'a;b,c\n1;2,x\n2;3,y\n');
    const names = async (reading: { delimiter?: ';' | ','; encoding?: 'utf-8' | 'windows-1252' }) => {
      const { columns, guess } = await room.client.dataFiles.inspect({ upload, ...reading });
      return [columns.map(({ name }) => name), guess.delimiter, guess.encoding];
    };
    expect(await names({})).toEqual([['a;b', 'c'], undefined, undefined]);
    expect(await names({ delimiter: ';' })).toEqual([['a', 'b,c'], ';', undefined]);
    expect(await names({ encoding: 'windows-1252' })).toEqual([['a;b', 'c'], undefined, 'windows-1252']);
    const wrong = room.upload('wrong.csv', older);
    expect(await failureOf(room.client.dataFiles.inspect({ upload: wrong, delimiter: ',' }))).toMatchObject({
      message: expect.stringMatching(/4 when it is split at semicolons/),
      line: 1,
    });
    expect(await failureOf(room.client.dataFiles.inspect({ upload: wrong, encoding: 'utf-8' }))).toMatchObject({
      message: expect.stringMatching(/not valid UTF-8.*set "encoding" to "windows-1252"/),
      line: 1,
    });
  });
});

describe('previewing a file', () => {
  const preview = (given: Partial<CaseDefinition>) =>
    room.client.dataFiles.preview({ upload: room.upload('preview.csv', table), definition: definition(given) });

  test('shows what the definition makes of it', async () => {
    const found = await preview({ groups: ['place'], split: { test: 0.5, train: 0.5, validation: 0 } });
    expect(found).toMatchObject({
      kind: 'tabular',
      question: 'Did they do it?',
      cases: 4,
      labels: ['no', 'yes'],
      // Nothing is taken for the prosecution's answer before it was chosen.
      positive: null,
      byLabel: [
        { label: 'no', cases: 2 },
        { label: 'yes', cases: 2 },
      ],
      bySplit: [
        { split: 'test', cases: 2 },
        { split: 'train', cases: 2 },
      ],
      notes: ['1 cell of facts is empty in the whole data set: its case stays, without this fact'],
    });
    expect(found.first[1]).toMatchObject({
      id: '2',
      facts: [
        { name: 'age', value: '31' },
        { name: 'place', value: 'Paris, France' },
      ],
      truth: 'yes',
      groups: { place: 'Paris, France' },
    });
  });

  test('names the key of the definition, or line and column, of what does not fit', async () => {
    expect(await failureOf(preview({ labels: ['no', 'maybe'] }))).toMatchObject({ code: 'bad-input', line: 3, field: 'guilty' });
    expect(await failureOf(preview({ positive: 'maybe' }))).toMatchObject({ field: 'definition.positive', line: null });
    expect(await failureOf(preview({ id: 'ident' }))).toMatchObject({ field: 'ident', line: 1 });
  });
});

describe('adding a file', () => {
  test('copies it next to the store, readable only by its owner, and says what it has', async () => {
    const entry = await add('Four people', table);
    expect(entry).toMatchObject({
      name: 'Four people',
      bundled: false,
      format: 'csv',
      cases: 4,
      labels: ['no', 'yes'],
      positive: 'yes',
      source: null,
      experiments: [],
    });
    expect(new Date(entry.addedAt ?? '').getTime()).toBeGreaterThan(0);
    const hash = createHash('sha256').update(table).digest('hex');
    const kept = room.path(`store.data/${hash}.csv`);
    expect(readFileSync(kept, 'utf8')).toBe(table);
    expect((statSync(kept).mode & 0o777).toString(8)).toBe('600');
    expect((statSync(room.path('store.data')).mode & 0o777).toString(8)).toBe('700');
    expect((await room.client.dataFiles.list({})).at(-1)).toEqual(entry);
  });

  test('the same file twice is two entries and one copy', async () => {
    const before = readdirSync(room.path('store.data'));
    const entry = await add('Same again', table, { exclude: ['age'] });
    expect(readdirSync(room.path('store.data'))).toEqual(before);
    expect(entry.definition.exclude).toEqual(['age']);
  });

  test('a temporary file is removed when it has been added, another is left', async () => {
    for (const temporary of [true, false]) {
      const upload = room.upload(`kept-${temporary}.csv`, table, { temporary });
      await room.client.dataFiles.add({ upload, name: 'x', definition: definition() });
      expect(existsSync(room.path(`uploads/kept-${temporary}.csv`))).toBe(!temporary);
      expect(await failureOf(room.client.dataFiles.inspect({ upload }))).toMatchObject({ code: 'not-found' });
    }
  });

  test('a failed addition leaves nothing behind, and can be tried again', async () => {
    const before = [readdirSync(room.path('store.data')), await room.client.dataFiles.list({})];
    const upload = room.upload('retry.csv', `${table}5,50,Rom,perhaps\n`);
    const labels = ['no', 'yes'];
    const attempt = (given: Partial<CaseDefinition>) =>
      room.client.dataFiles.add({ upload, name: 'Retry', definition: definition(given) });
    expect(await failureOf(attempt({ labels }))).toMatchObject({ code: 'bad-input', line: 6, field: 'guilty' });
    expect(await failureOf(attempt({ question: undefined }))).toMatchObject({ field: 'definition.question' });
    expect([readdirSync(room.path('store.data')), await room.client.dataFiles.list({})]).toEqual(before);
    expect(await attempt({ labels: [...labels, 'perhaps'] })).toMatchObject({ cases: 5 });
  });

  test('a copy that was changed on the disk is made good when the file is added again', async () => {
    const content = `${table}9,90,Bonn,no\n`;
    const hash = createHash('sha256').update(content).digest('hex');
    await add('Changed', content);
    writeFileSync(room.path(`store.data/${hash}.csv`), 'id,guilty\n1,no\n');
    await add('Mended', content);
    expect(readFileSync(room.path(`store.data/${hash}.csv`), 'utf8')).toBe(content);
  });
});

describe('an entry', () => {
  test('is renamed, taken off and put back', async () => {
    const { id } = await add('Before', table);
    expect(await room.client.dataFiles.rename({ entry: id, name: 'After' })).toMatchObject({ id, name: 'After' });
    await room.client.dataFiles.remove({ entry: id });
    const ids = async () => (await room.client.dataFiles.list({})).map((entry) => entry.id);
    expect(await ids()).not.toContain(id);
    expect(await failureOf(room.client.dataFiles.cases({ entry: id }))).toMatchObject({ code: 'not-found', field: 'entry' });
    expect(await room.client.dataFiles.restore({ entry: id })).toMatchObject({ id, name: 'After' });
    expect(await ids()).toContain(id);
    expect((await room.client.dataFiles.cases({ entry: id })).total).toBe(4);
  });

  test('has names of columns for people, which change and leave what models read', async () => {
    const { id } = await add('Named', table);
    const facts = async () => (await room.client.dataFiles.cases({ entry: id })).cases[0]?.facts;
    const before = await facts();
    const names = { age: 'Age in years' };
    expect(await room.client.dataFiles.nameColumns({ entry: id, names })).toMatchObject({ definition: { names } });
    expect(await facts()).toEqual(before?.map((fact) => (fact.name === 'age' ? { ...fact, shown: 'Age in years' } : fact)));
    expect(await failureOf(room.client.dataFiles.nameColumns({ entry: id, names: { nowhere: 'X' } }))).toMatchObject({
      code: 'bad-input',
    });
    expect((await room.client.dataFiles.nameColumns({ entry: id })).definition).not.toHaveProperty('names');
    expect(await facts()).toEqual(before);
  });

  test('that comes with the program, or is not there, cannot be changed', async () => {
    for (const [entry, code] of [
      ['nlsy97', 'bad-input'],
      ['nowhere', 'not-found'],
    ] as const) {
      for (const request of [
        () => room.client.dataFiles.rename({ entry, name: 'Mine' }),
        () => room.client.dataFiles.nameColumns({ entry, names: {} }),
        () => room.client.dataFiles.remove({ entry }),
        () => room.client.dataFiles.restore({ entry }),
      ]) {
        expect(await failureOf(request())).toMatchObject({ code, field: 'entry' });
      }
    }
  });

  test('shows its cases page by page, in the order of the file', async () => {
    const page = (offset: number, limit: number) => room.client.dataFiles.cases({ entry: 'nlsy97', offset, limit });
    const [all, middle, beyond] = [await page(0, 500), await page(20, 7), await page(60, 10)];
    expect([all.total, all.cases.length, beyond.cases]).toEqual([60, 60, []]);
    expect(middle).toEqual({ ...all, cases: all.cases.slice(20, 27) });
    expect(all.byLabel).toEqual([
      { label: 'NO', cases: 43 },
      { label: 'YES', cases: 17 },
    ]);
    expect(new Set(all.cases.map(({ split }) => split))).toEqual(new Set(['test', 'train', 'validation']));
  });

  test('is searched in ids, facts and labels, in upper or lower case', async () => {
    const found = async (search: string) => {
      const { total, cases } = await room.client.dataFiles.cases({ entry: 'deposits', search });
      expect(total).toBe(cases.length);
      return cases.map(({ id }) => id);
    };
    expect(await found('d07')).toEqual(['D07']);
    expect(await found('SKYLIGHT')).toEqual(['D18']);
    expect(await found('landlord')).toHaveLength(24);
    expect(await found('no such words')).toEqual([]);
  });
});

describe('at a start a day later', () => {
  test('a removed data set is gone, with files that nothing needs; the rest is there', async () => {
    const alone = await add('Alone', `${table}7,70,Wien,no\n`);
    const shared = await add('Shared', table);
    for (const { id } of [alone, shared]) {
      await room.client.dataFiles.remove({ entry: id });
      await room.service.store.write((store) => store.write(() => store.dataFiles.setRemoved(id, '2026-01-01T00:00:00.000Z')));
    }
    const old = new Date('2026-01-01');
    for (const file of readdirSync(room.path('store.data'))) utimesSync(join(room.path('store.data'), file), old, old);
    const hashOf = (content: string) => `${createHash('sha256').update(content).digest('hex')}.csv`;
    const again = await room.reopen(1);
    await again.service.recover();
    const files = readdirSync(again.path('store.data'));
    expect(files).not.toContain(hashOf(`${table}7,70,Wien,no\n`));
    expect(files).toContain(hashOf(table));
    expect(await failureOf(again.client.dataFiles.restore({ entry: alone.id }))).toMatchObject({ code: 'not-found' });
    expect((await again.client.dataFiles.list({})).map(({ name }) => name)).toContain('Four people');
    room = { ...room, ...again };
  });
});
