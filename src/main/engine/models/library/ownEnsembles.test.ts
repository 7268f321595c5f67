import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { keptFolder } from '../../testing/kept.ts';
import { knownEnsembles, readEnsembles } from './ensembles.ts';

const resources = resolve(import.meta.dirname, '../../../../../resources');
let folder: string;
beforeEach(() => {
  folder = keptFolder();
});

const write = (name: string, content: object | string) =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
const list = (id: string, ...names: string[]) => ({ id, title: `List ${id}`, models: names.map((name) => ({ name })) });
const own = () => knownEnsembles(resources, folder).filter((each) => each.own);

test('stand behind those of the program, with what the file leaves out filled in', () => {
  write('mine.json', list('mine', 'llama3.1:8b', 'hf.co/owner/name:Q4'));
  write('notes.txt', 'no list');
  const all = knownEnsembles(resources, folder);
  expect(all.map(({ id }) => id)).toEqual([...readEnsembles(resources).map(({ id }) => id), 'mine']);
  expect(all.at(-1)).toEqual({
    id: 'mine',
    title: 'List mine',
    source: 'A list of your own.',
    models: [
      { name: 'llama3.1:8b', called: 'llama3.1:8b', note: null, bytes: null },
      { name: 'hf.co/owner/name:Q4', called: 'hf.co/owner/name:Q4', note: null, bytes: null },
    ],
    own: true,
    problem: null,
  });
});

test('a missing folder is an empty one', () => {
  expect(knownEnsembles(resources, join(folder, 'nowhere')).some((each) => each.own)).toBe(false);
});

test('a folder that cannot be read, for example because it is a file, is reported by its name', () => {
  write('store.ensembles', 'no folder');
  const [listed, ...more] = knownEnsembles(resources, join(folder, 'store.ensembles')).filter((each) => each.own);
  expect(listed).toMatchObject({ id: 'store.ensembles', models: [], problem: expect.stringContaining('cannot be read') });
  expect(listed?.problem).not.toContain(folder);
  expect(more).toEqual([]);
});

test.each<[string, () => void, RegExp]>([
  ['no JSON', () => write('bad.json', '{\n"id": "bad",\n'), /^line 3: this is not valid JSON/],
  ['nothing', () => write('bad.json', ''), /^The file is empty/],
  ['another id than its name', () => write('bad.json', list('other', 'a:1b')), /^Its id is "other"; call the file other\.json/],
  ['an id that is none', () => write('bad.json', list('Bad One', 'a:1b')), /^line 1: id: small letters, digits and dashes/],
  ['no models', () => write('bad.json', list('bad')), /^line 1: models: /],
  ['a name that is none', () => write('bad.json', list('bad', '../a')), /^line 1: models\[0\]\.name: a model is named like/],
  ['a model twice', () => write('bad.json', list('bad', 'a', 'A:latest')), /^line 1: models: a model occurs twice/],
  ['a key that is unknown', () => write('bad.json', { ...list('bad', 'a:1b'), modles: [] }), /unknown key "modles"/],
  ['more than a list', () => write('bad.json', ' '.repeat(2e6)), /larger than 1 MB/],
  ['a folder', () => mkdirSync(join(folder, 'bad.json')), /not a regular file/],
  ['a link that leads nowhere', () => symlinkSync(join(folder, 'gone'), join(folder, 'bad.json')), /link that leads nowhere/],
])('a file with %s is reported by its name and hides no other', (_, spoil, problem) => {
  write('good.json', list('good', 'a:1b'));
  spoil();
  const [bad, good] = own();
  expect(bad).toMatchObject({ id: 'bad.json', title: 'bad.json', models: [], problem: expect.stringMatching(problem) });
  expect(bad?.problem).not.toContain(folder);
  expect(good).toMatchObject({ id: 'good', problem: null });
});

test('no list takes the place of one of the program', () => {
  write('agenticsim-16.json', list('agenticsim-16', 'a:1b'));
  expect(own()).toMatchObject([{ id: 'agenticsim-16.json', problem: expect.stringContaining('another id and name') }]);
});
