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
  ])('are taken out: %s', (message, expected) => {
    expect(withoutFolders(message)).toBe(expected);
  });

  test.each(['answer YES/NO', 'no answer from http://127.0.0.1:11434/api/tags: ECONNREFUSED', '3 / 4 of all', 'and/or', '/'])(
    'and nothing else is: %s',
    (message) => {
      expect(withoutFolders(message)).toBe(message);
    },
  );
});
