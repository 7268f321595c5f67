import { describe, expect, test, vi } from 'vitest';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { toldFailure, withoutFolders } from './failures.ts';

const told = (error: unknown) => {
  const keep = vi.fn();
  return { json: JSON.parse(JSON.stringify(toldFailure(error, keep))), keep };
};

test('an expected failure keeps its code, sentence, field and line, and loses the file', () => {
  const { json, keep } = told(badInput('"x" is no number', { file: '/home/someone/data.csv', line: 7, field: 'age' }));
  expect(json).toMatchObject({ code: 'bad-input', message: '"x" is no number', data: { field: 'age', line: 7 } });
  expect(JSON.stringify(json)).not.toContain('someone');
  expect(keep).not.toHaveBeenCalled();
});

test('options of the command line are told as fields', () => {
  expect(told(badInput('the facts are empty', { field: '--facts' })).json.data.field).toBe('facts');
});

test('any other error becomes a plain sentence, and its details go to the log', () => {
  const error = new TypeError('cannot read /home/someone/assize.db');
  const { json, keep } = told(error);
  expect(json).toMatchObject({ code: 'internal', data: { field: null, line: null } });
  expect(JSON.stringify(json)).not.toMatch(/someone|TypeError|stack/);
  expect(keep).toHaveBeenCalledExactlyOnceWith(error);
});

test('an internal error that has a sentence for the user is kept too', () => {
  const { json, keep } = told(new AssizeError('internal', 'the disk is full'));
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
