import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { follow, newestOf, type StreamSource } from './streams.ts';

/** A source with ever more entries, of which each look gives a few, until `endless` is taken from it. */
function source() {
  let next = 0;
  let tell: (() => void) | null = null;
  const made = {
    endless: true,
    listening: () => tell !== null,
    listen(changed: () => void) {
      tell = changed;
      return () => {
        tell = null;
      };
    },
    take(): number[] | Promise<number[]> {
      if (!made.endless) return [];
      queueMicrotask(() => tell?.());
      return [next++, next++, next++];
    },
  };
  return made;
}

/** Reads frames in the background. */
function reader<Frame>(frames: AsyncGenerator<Frame, void>) {
  const read: Frame[] = [];
  const ended = (async () => {
    for await (const frame of frames) read.push(frame);
  })();
  return { read, ended };
}

/** Timers fire in the order in which they were set, so a stream that pauses is past its pause after a turn or two. */
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await sleep(1);
};

test('between two looks at a source lies a pause, and nothing is lost in it', async () => {
  const stop = new AbortController();
  const { read, ended } = reader(follow(source(), stop.signal, 20));
  await sleep(110);
  expect(read.length).toBeGreaterThan(0);
  expect(read.length).toBeLessThanOrEqual(3 * 8);
  expect(read).toEqual(read.map((_number, index) => index));
  stop.abort();
  await ended;
});

test('of a state only the newest is told, and one that there is none of is passed over', async () => {
  const state = { one: 0, other: 0 };
  let change: (kind: keyof typeof state) => void = () => undefined;
  const states: StreamSource<string> = newestOf(
    (changed) => {
      change = changed;
      return () => undefined;
    },
    { one: () => `one ${state.one}`, other: () => (state.other === 0 ? null : `other ${state.other}`) },
  );
  const stop = new AbortController();
  const { read, ended } = reader(follow(states, stop.signal, 30));
  await turns(2);
  expect(read).toEqual(['one 0']);
  for (let number = 1; number <= 50; number++) {
    state.other = number;
    change('other');
  }
  await sleep(80);
  expect(read).toEqual(['one 0', 'other 50']);
  stop.abort();
  await ended;
});

test.each(['while it waits for changes', 'while it pauses'])(
  'a stream ends at once %s and leaves nothing behind',
  async (when) => {
    const stop = new AbortController();
    const frames = source();
    frames.endless = when === 'while it pauses';
    const { ended } = reader(follow(frames, stop.signal, 1_000_000));
    await turns(20);
    expect(frames.listening()).toBe(true);
    stop.abort();
    await ended;
    expect(frames.listening()).toBe(false);
  },
);

test('a source that fails ends the stream with its error and is let go', async () => {
  const failing = source();
  failing.take = () => Promise.reject(new Error('the store is gone'));
  await expect(reader(follow(failing, undefined, 0)).ended).rejects.toThrow('the store is gone');
  expect(failing.listening()).toBe(false);
});
