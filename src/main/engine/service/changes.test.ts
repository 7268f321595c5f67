import { expect, test } from 'vitest';
import { openChangeLog } from './changes.ts';

test('what changed after a place is told once per trial, in order, and for its experiment alone', () => {
  const changes = openChangeLog(1);
  const start = changes.cursor();
  for (const trial of ['a', 'b', 'a']) changes.trial('one', trial, 'line');
  changes.trial('two', 'c', 'line');
  changes.trial('one', 'd', 'events');
  const found = changes.after(start, 'one', 10);
  expect(found?.trials).toEqual(['a', 'b']);
  expect(changes.after(found?.cursor ?? '', 'one', 10)).toEqual({ trials: [], cursor: changes.cursor() });
  expect(changes.after(start, 'two', 10)?.trials).toEqual(['c']);
});

test('many changes come in parts that leave none out', () => {
  const changes = openChangeLog(1);
  let cursor = changes.cursor();
  const all = Array.from({ length: 25 }, (_, index) => `t${index}`);
  for (const trial of all) changes.trial('one', trial, 'line');
  const parts: string[][] = [];
  for (;;) {
    const part = changes.after(cursor, 'one', 10);
    if (part === null || part.trials.length === 0) break;
    parts.push(part.trials);
    cursor = part.cursor;
  }
  expect(parts.map(({ length }) => length)).toEqual([10, 10, 5]);
  expect(parts.flat()).toEqual(all);
});

test('a place too long ago, of another process, or made up is unknown', () => {
  const changes = openChangeLog(1);
  const old = changes.cursor();
  for (let index = 0; index < 60_000; index++) changes.trial('one', `t${index}`, 'line');
  expect(changes.after(old, 'one', 10)).toBeNull();
  expect(changes.after(changes.cursor(), 'one', 10)).not.toBeNull();
  expect(openChangeLog(1).after(changes.cursor(), 'one', 10)).toBeNull();
  const [epoch] = changes.cursor().split(':');
  for (const cursor of ['', ':', 'x:1', `${epoch}:-1`, `${epoch}:99999999`, `${epoch}:1e3`]) {
    expect(changes.after(cursor, 'one', 10), cursor).toBeNull();
  }
});

test('a trial is watched for as long as somebody listens', () => {
  const changes = openChangeLog(1);
  const heard: unknown[] = [];
  const stops = [changes.onTrial('a', (what) => heard.push(what)), changes.onTrial('a', (what) => heard.push(what))];
  expect(changes.watched('a')).toBe(true);
  changes.tokens('a', 'turn-1', 'judge', 'I think');
  stops[0]?.();
  expect(changes.watched('a')).toBe(true);
  changes.trial('one', 'a', 'events');
  stops[1]?.();
  expect(changes.watched('a')).toBe(false);
  changes.trial('one', 'a', 'line');
  const tokens = { key: 'turn-1', role: 'judge', text: 'I think' };
  expect(heard).toEqual([tokens, tokens, 'events']);
});
