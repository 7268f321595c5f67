import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mostUnacknowledged } from '../../../shared/api/streams.ts';
import { type Frame, openStreamRegistry, type StreamSource } from './streams.ts';

type Body = { kind: 'entry'; number: number } | { kind: 'value'; number: number } | { kind: 'gap' };

/** A source with ever more entries, of which each look gives a few, and a value that only the newest of matters. */
function source() {
  let next = 0;
  let value: number | null = null;
  let tell: (() => void) | null = null;
  const made: StreamSource<Body> & { listening(): boolean; set(number: number): void; endless: boolean } = {
    endless: true,
    listening: () => tell !== null,
    set(number) {
      value = number;
      tell?.();
    },
    listen(changed) {
      tell = changed;
      return () => {
        tell = null;
      };
    },
    take(replaceable) {
      const bodies: Body[] = [];
      if (made.endless) {
        for (let count = 0; count < 3; count++) bodies.push({ kind: 'entry', number: next++ });
        queueMicrotask(() => tell?.());
      }
      if (replaceable && value !== null) {
        bodies.push({ kind: 'value', number: value });
        value = null;
      }
      return bodies;
    },
    gap: () => ({ kind: 'gap' }),
  };
  return made;
}

/** Reads frames in the background. */
function reader(frames: AsyncGenerator<Frame<Body>, void>) {
  const read: Frame<Body>[] = [];
  const ended = (async () => {
    for await (const frame of frames) read.push(frame);
  })();
  const until = async (count: number) => {
    while (read.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { read, ended, until };
}

/** Timers fire in the order in which they were set, so a stream that pauses is past its pause after a turn or two. */
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await sleep(1);
};

test('who acknowledges nothing gets at most as many frames as are allowed, and then, after acknowledging, one gap', async () => {
  const registry = openStreamRegistry({ intervalMs: 0 });
  const stop = new AbortController();
  const { read, until, ended } = reader(registry.open(source(), stop.signal));
  await until(mostUnacknowledged - 4);
  await turns(20);
  const before = read.length;
  expect(before).toBeLessThanOrEqual(mostUnacknowledged);
  expect(read.map(({ frame }) => frame)).toEqual(read.map((_frame, index) => index));
  expect(read.some(({ body }) => body.kind === 'gap')).toBe(false);

  registry.acknowledge(read[0]?.stream ?? '', before - 1);
  await until(before + 2);
  expect(read[before]?.body).toEqual({ kind: 'gap' });
  expect(read[before + 1]?.body.kind).toBe('entry');
  expect(read.slice(before + 1).some(({ body }) => body.kind === 'gap')).toBe(false);
  stop.abort();
  await ended;
});

test('values that only replace each other never fill the window, and the newest comes when there is room', async () => {
  const registry = openStreamRegistry({ intervalMs: 0 });
  const stop = new AbortController();
  const values = source();
  values.endless = false;
  const { read, ended, until } = reader(registry.open(values, stop.signal));
  for (let number = 0; number < 200; number++) {
    values.set(number);
    await turns(2);
  }
  const before = read.length;
  expect(before).toBeLessThan(mostUnacknowledged / 8);
  registry.acknowledge(read[0]?.stream ?? '', before - 1);
  await until(before + 1);
  expect(read[before]?.body).toEqual({ kind: 'value', number: 199 });
  stop.abort();
  await ended;
});

test('a frame that was never sent cannot be acknowledged', async () => {
  const registry = openStreamRegistry({ intervalMs: 0 });
  const stop = new AbortController();
  const { read, ended, until } = reader(registry.open(source(), stop.signal));
  await until(1);
  registry.acknowledge(read[0]?.stream ?? '', 1_000_000);
  registry.acknowledge('another stream', 5);
  await until(200);
  await turns(200);
  // Had the million been believed, nothing would ever have stopped the stream.
  expect(read.length).toBeLessThanOrEqual(mostUnacknowledged + 8);
  stop.abort();
  await ended;
});

test.each(['while it waits for changes', 'while it waits for room', 'while it pauses'])(
  'a stream ends at once %s and leaves nothing behind',
  async (when) => {
    const registry = openStreamRegistry({ intervalMs: when === 'while it pauses' ? 1_000_000 : 0 });
    const stop = new AbortController();
    const frames = source();
    frames.endless = when !== 'while it waits for changes';
    const { read, ended, until } = reader(registry.open(frames, stop.signal));
    if (when === 'while it waits for room') await until(mostUnacknowledged - 4);
    await turns(50);
    expect(frames.listening()).toBe(true);
    expect(registry.size()).toBe(1);
    stop.abort();
    await ended;
    expect(frames.listening()).toBe(false);
    expect(registry.size()).toBe(0);
    expect(read.length).toBeLessThanOrEqual(mostUnacknowledged);
  },
);

test('a source that fails ends the stream with its error and is let go', async () => {
  const registry = openStreamRegistry({ intervalMs: 0 });
  const failing = source();
  failing.take = () => Promise.reject(new Error('the store is gone'));
  await expect(reader(registry.open(failing, undefined)).ended).rejects.toThrow('the store is gone');
  expect(failing.listening()).toBe(false);
  expect(registry.size()).toBe(0);
});
