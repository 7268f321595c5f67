import { afterEach, expect, test } from 'vitest';
import { borrowToken, lendToken } from './tokenSharing.ts';

// Node's own channels reach every listener of this process by name: those of a test have its name.
let place = 0;
const open = (name: string) => new BroadcastChannel(`${name}-${place}`);
const token = 'abcdefghijklmnopqrstuvwxyz';
const closing: { close(): void }[] = [];
const lending = (lend: () => string | null) => closing.push(lendToken(open, lend));
const borrow = (patience: number) => borrowToken(open, new AbortController().signal, patience);

afterEach(() => {
  for (const channel of closing.splice(0)) channel.close();
  place += 1;
});

/** Longer than an answer within a process takes; a test that passes does not wait for it. */
const long = 20_000;

test('a tab without a token gets it from one that has it', async () => {
  lending(() => null);
  lending(() => token);
  expect(await borrow(long)).toBe(token);
});

test('a tab whose connection is closed lends nothing, and one without an answer continues without', async () => {
  let asked = 0;
  lending(() => {
    asked += 1;
    return null;
  });
  expect(await borrow(200)).toBeNull();
  expect(asked).toBe(1);
});

test('messages to another tab, and what is not a token, are ignored', async () => {
  const other = open('assize-token');
  closing.push(other);
  other.addEventListener('message', ({ data }: MessageEvent<{ ask: string }>) => {
    other.postMessage({ answer: 'somebody else', token: 'zyxwvutsrqponmlkjihgfedcba' });
    other.postMessage({ answer: data.ask, token: '<script>' });
    other.postMessage({ answer: data.ask, token });
  });
  expect(await borrow(long)).toBe(token);
});

test('a question that is called off has no answer', async () => {
  const controller = new AbortController();
  const borrowed = borrowToken(open, controller.signal, long);
  controller.abort();
  expect(await borrowed).toBeNull();
});
