import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openChangeLog } from './changes.ts';
import { openProgressBoard } from './progressBoard.ts';
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

test('of a state only the newest is sent, and a missing one is skipped', async () => {
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

test('what changed after a place is sent once per trial, in order, and only for its experiment', () => {
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

test('a trial is watched for as long as someone listens', () => {
  const changes = openChangeLog(1);
  const heard: unknown[] = [];
  const stops = [changes.onTrial('a', (what) => heard.push(what)), changes.onTrial('a', (what) => heard.push(what))];
  expect(changes.watched('a')).toBe(true);
  const call = { key: 'turn-1', role: 'judge', idleSeconds: 120, isAskedAgain: true };
  const listener = changes.call('a', call);
  listener.text('I think');
  stops[0]?.();
  expect(changes.watched('a')).toBe(true);
  changes.trial('one', 'a', 'events');
  stops[1]?.();
  expect(changes.watched('a')).toBe(false);
  changes.trial('one', 'a', 'line');
  expect(heard).toEqual(['writing', 'writing', 'events']);
  // Who comes later learns what is being written too, and what was lost in an outage counts no longer.
  expect(changes.writing('a')).toEqual([{ ...call, text: 'I think', pieces: 1, sentAt: null }]);
  listener.underWay?.(true);
  expect(changes.writing('a')).toMatchObject([{ text: '', pieces: 0, sentAt: expect.any(Number) }]);
  listener.end();
  expect(changes.writing('a')).toEqual([]);
});

test('progress is shown while an action reports it, and listeners hear of each change', async () => {
  const board = openProgressBoard();
  let heard = 0;
  const stop = board.onChange(() => (heard += 1));
  const result = await board.during('one', async (tell) => {
    tell({ share: 0.5, what: 'half' });
    expect(board.of('one')).toEqual({ share: 0.5, what: 'half' });
    expect(board.of('other')).toBeNull();
    return 'done';
  });
  expect([result, board.of('one'), heard]).toEqual(['done', null, 2]);
  stop();
  await board.during('one', async (tell) => tell({ share: 1, what: 'all' }));
  expect(heard).toBe(2);
});

test('it stays until the last action of a name has ended, whichever way', async () => {
  const board = openProgressBoard();
  const { promise, resolve } = Promise.withResolvers<void>();
  const long = board.during('one', async (tell) => {
    tell({ share: 0.1, what: 'long' });
    await promise;
  });
  await expect(board.during('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(board.of('one')).toEqual({ share: 0.1, what: 'long' });
  resolve();
  await long;
  expect(board.of('one')).toBeNull();
});
