import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { exhaustive } from '../../../shared/exhaustive.fixture.ts';
import { checkRecord } from '../commandText.ts';
import { keptFolder } from '../testing/kept.ts';
import { logFile } from './errorLog.ts';
import { hideFolders, replacePaths, screenMessage, toldFailure, withoutFolders } from './failures.ts';

const shown = (error: unknown) => {
  const keep = vi.fn();
  return { json: JSON.parse(JSON.stringify(toldFailure(error, keep))), keep };
};

test('an expected failure keeps its code, sentence, field and line, and loses the file', () => {
  const { json, keep } = shown(badInput('"x" is no number', { file: '/home/someone/data.csv', line: 7, field: 'age' }));
  expect(json).toMatchObject({ code: 'bad-input', message: '"x" is no number', data: { field: 'age', line: 7 } });
  expect(JSON.stringify(json)).not.toContain('someone');
  expect(keep).not.toHaveBeenCalled();
});

test('options of the command line are shown as fields', () => {
  expect(shown(badInput('the facts are empty', '--facts')).json.data.field).toBe('facts');
});

test('any other error becomes a plain sentence, and its details go to the log', () => {
  const error = new TypeError('cannot read /home/someone/assize.db');
  const { json, keep } = shown(error);
  expect(json).toMatchObject({ code: 'internal', data: { field: null, line: null } });
  expect(JSON.stringify(json)).not.toMatch(/someone|TypeError|stack/);
  expect(keep).toHaveBeenCalledExactlyOnceWith(error);
});

test('an internal error that has a sentence for the user is kept too', () => {
  const { json, keep } = shown(new AssizeError('internal', 'the disk is full'));
  expect(json.message).toBe('the disk is full');
  expect(keep).toHaveBeenCalledOnce();
});

describe('folders in messages', () => {
  test.each([
    ["ENOENT: no such file, mkdir '/root/secret/place'", "ENOENT: no such file, mkdir 'place'"],
    ['cannot open C:\\Users\\someone\\data.csv now', 'cannot open data.csv now'],
    ['cannot open \\\\server\\share\\data.csv', 'cannot open data.csv'],
    ['(/tmp/a/b.db)', '(b.db)'],
    ["cannot open '/home/Jane Doe/x.db'", "cannot open 'x.db'"],
    ['cannot open "/home/Jane Doe/my cases.csv": locked', 'cannot open "my cases.csv": locked'],
    ["rename '/home/O'Brien/x.db' -> '/home/O'Brien/y.db'", "rename 'x.db' -> 'y.db'"],
    ['`/home/jane/a`', '`a`'],
    ["'C:\\Users\\Jane Doe\\a.db' is locked", "'a.db' is locked"],
    ['C:\\Users\\Jane Doe\\a.db', 'a.db'],
    ['C:/Users/Jane Doe/a.db is locked', 'a.db is locked'],
    ['\\\\?\\C:\\Users\\jane\\a.db', 'a.db'],
    ['/tmp/My Secret Folder/a.db: locked', 'a.db: locked'],
    ['from /home/Jane (work)/a.db to /home/jane/b.db', 'from a.db to b.db'],
    ["/home/O'Brien/x.db", 'x.db'],
    ['/home/jane/data.csv has no YES/NO column', 'data.csv has no YES/NO column'],
    ['file:///home/jane/a.db', 'a.db'],
    ['file:///C:/Users/jane/a.db', 'a.db'],
    ["at 'file:///home/Jane Doe/a.db'", "at 'a.db'"],
    ['path=/home/jane/a.db', 'path=a.db'],
    ['[/home/jane/a.db]', '[a.db]'],
    ['mkdir:/home/jane/a', 'mkdir:a'],
    ['/secret.db', 'secret.db'],
    ['/home/jane/', 'jane'],
    ['http://127.0.0.1:11434/api, /home/jane/a.db', 'http://127.0.0.1:11434/api, a.db'],
  ])('are taken out: %s', (message, expected) => {
    expect(withoutFolders(message)).toBe(expected);
  });

  test.each([
    'answer YES/NO',
    'no answer from http://127.0.0.1:11434/api/tags: ECONNREFUSED',
    'no answer from "http://127.0.0.1:11434/api"',
    'redirected to http://[::1]:11434/a?next=/b/c',
    'app://assize/index.html',
    '3 / 4 of all',
    'and/or',
    '/',
    "'/'",
    './cases/a.csv and ../b.csv',
    'the answer holds </think> and <b>x</b>',
    'arm A: no model "llama3.2:1b"',
  ])('and nothing else is: %s', (message) => {
    expect(withoutFolders(message)).toBe(message);
  });

  test('are taken out of a path of many words whose quote is never closed', () => {
    const words = `${'a '.repeat(50_000)}/${'b '.repeat(50_000)}`;
    expect(withoutFolders(`'/${words}`)).not.toContain("'/a");
  });
});

const marked = (text: string) => replacePaths(text, (path) => `<${path}>`);

test.each([
  ['open /home/jane/a.db now', 'open </home/jane/a.db> now'],
  ['file://localhost/home/jane/a.db', '<file://localhost/home/jane/a.db>'],
  ['logfile:///home/jane/a.db', 'log<file:///home/jane/a.db>'],
  ['a\n/b/c\r\n/d e/f', 'a\n</b/c>\r\n</d e/f>'],
  ["'/a b/c", "'</a b/c>"],
  ['\\\\\\\\server\\\\share\\\\x', '<\\\\\\\\server\\\\share\\\\x>'],
  ['http://x/y, and/or, ./z', 'http://x/y, and/or, ./z'],
])('%j', (text, expected) => {
  expect(marked(text)).toBe(expected);
});

const pieces = [...'/\\\'"` aé\u{1F600}:(),<\n', 'C:', '.db', '://', 'file:', '</a'];

test('text that is no path is not changed by a character', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
      const text = parts.join('');
      expect(replacePaths(text, (path) => path)).toBe(text);
    }),
  );
});

test.each([
  ['/home/jane.doe', /\/home\/jane\.doe/u],
  ['/home/jäne', /\/home\/jäne/u],
  ['C:\\Users\\Jane Doe', /C:[\\/]Users[\\/]Jane Doe/iu],
])('the home %s never survives, in any surrounding text', (home, pattern) => {
  const hide = hideFolders(home);
  const around = fc.array(fc.constantFrom(...pieces, home, `${home}/x y/z.db`, 'http://h', '%'), { maxLength: 12 });
  fc.assert(
    fc.property(around, around, (before, after) => {
      expect(hide(`${before.join('')}${home}${after.join('')}`)).not.toMatch(pattern);
    }),
    { numRuns: exhaustive ? 2000 : 200 },
  );
  expect(hide(`see x${home}/a.db`)).toContain('see x~');
});

test.each(['/home/a-b_c.d', '/h/(x) [y] {z}+$^|*?', 'C:\\Users\\J. R. (work)-2', '/', ''])(
  'a home called %j can be hidden',
  (home) => {
    const hidden = hideFolders(home)(`see x${home}/y/a.db`);
    expect(hidden).toContain('a.db');
    if (home.length > 1) expect(hidden).not.toContain(home);
  },
);

// A search that starts again at each character takes hours for these.
const starts = ['', "'/", 'file:', `'file:${'/'.repeat(90)}`, '('];
test.each(
  pieces.map(
    (piece, turn) => [piece, exhaustive ? starts : starts.filter((_, place) => place === turn % starts.length)] as const,
  ),
)('a line of 100 KB of %j is looked through', (piece, some) => {
  for (const start of some) {
    const line = `${start}${piece.repeat(100_000 / piece.length)}/b`;
    expect(replacePaths(line, (path) => path)).toHaveLength(line.length);
    const mixed = `${start}${piece}`.repeat(100_000 / (start.length + piece.length));
    expect(replacePaths(mixed, (path) => path)).toHaveLength(mixed.length);
  }
});

test.each([
  ['linux', {}, '/home/u/.local/state/assize/assize.log'],
  ['linux', { XDG_STATE_HOME: '/state' }, '/state/assize/assize.log'],
  ['linux', { XDG_STATE_HOME: 'state' }, '/home/u/.local/state/assize/assize.log'],
  ['linux', { ASSIZE_LOG_DIR: '/logs' }, '/logs/assize.log'],
  ['darwin', {}, '/home/u/Library/Logs/Assize/assize.log'],
  ['win32', { LOCALAPPDATA: '/local' }, '/local/Assize/Logs/assize.log'],
  ['win32', {}, '/home/u/AppData/Local/Assize/Logs/assize.log'],
] as const)('on %s with %j the log is %s', (platform, env, expected) => {
  expect(logFile(env, platform, '/home/u')).toBe(expected);
});

test('it is the file that the command line writes its errors to', () => {
  const home = keptFolder();
  const program = resolve(import.meta.dirname, '../../../../bin/assize.js');
  const env = { PATH: process.env.PATH, HOME: home, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
  // An error that no command expects.
  const broken = 'data:text/javascript,process.stdout.write = () => { throw new Error("broken"); }';
  const { status } = spawnSync(process.execPath, ['--import', broken, program, 'help'], { env });
  expect(status).toBe(70);
  expect(existsSync(logFile(env, process.platform, home))).toBe(true);
});

test('a screen gets the remedy of the screens, and the command line its own', () => {
  const fault = new AssizeError('store-unreadable', 'text x is missing', { remedy: checkRecord('to see what else is') });
  expect([fault.advice, screenMessage(fault)]).toEqual([
    'text x is missing; run assize verify to see what else is',
    'text x is missing; check the record in the settings to see what else is',
  ]);
});
