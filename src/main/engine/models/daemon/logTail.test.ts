import { expect, test } from 'vitest';
import { lastReason, openLogTail } from './daemonProcess.ts';

const at = '2026-11-21T12:00:00.000Z';
const open = () => openLogTail(() => new Date(at));
const texts = (log: ReturnType<typeof open>) => log.read().lines.map(({ text }) => text);

test('lines are put together from pieces, each stream by itself, and bear the time they came', () => {
  const log = open();
  log.write('stderr', 'one\r\ntw');
  log.write('stdout', 'other');
  log.write('stderr', 'o\nthr');
  expect(log.read()).toEqual({
    lines: [
      { at, text: 'one' },
      { at, text: 'two' },
    ],
    dropped: 0,
  });
  log.flush();
  expect(texts(log)).toEqual(['one', 'two', 'other', 'thr']);
});

test('only the newest lines are kept, and the others counted', () => {
  const log = open();
  for (let number = 0; number < 1000; number++) log.write('stderr', `line ${number}\n`);
  const { lines, dropped } = log.read();
  expect(lines).toHaveLength(400);
  expect(dropped).toBe(600);
  expect(lines[0]?.text).toBe('line 600');
  expect(lines.at(-1)?.text).toBe('line 999');
});

test('a line that is too long is cut, also one that never ends', () => {
  const log = open();
  log.write('stdout', `${'x'.repeat(5_000)}\n`);
  for (let piece = 0; piece < 1000; piece++) log.write('stderr', 'y'.repeat(1_000));
  log.flush();
  expect(texts(log)).toEqual([`${'x'.repeat(500)}…`, `${'y'.repeat(500)}…`]);
});

test('colours, bells, titles and other control characters are taken out', () => {
  const log = open();
  log.write('stderr', '\u001b[31mred\u001b[0m\u0007 \u001b]0;title\u0007a\tb\u0000\u202e\u200bc\n\n \n');
  expect(texts(log)).toEqual(['red a bc']);
});

test('the reason is the last line that names an error, else the last one', () => {
  const log = open();
  expect(lastReason(log.read())).toBeNull();
  log.write('stderr', 'starting\n');
  expect(lastReason(log.read())).toBe('starting');
  log.write('stderr', 'Error: no such thing\ngoodbye\n');
  expect(lastReason(log.read())).toBe('Error: no such thing');
});
