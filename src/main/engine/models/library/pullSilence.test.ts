import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { until } from '../../lab/testing/laboratory.ts';
import { kept } from '../../testing/kept.ts';
import { createDispatcher } from '../dispatcher.ts';
import { serve } from '../testing/server.ts';
import { ollamaLibrary } from './client.ts';
import { openPullManager, type PullClock } from './pullManager.ts';

/** A clock that moves on request. */
function handClock() {
  let now = 0;
  const due = new Set<{ readonly at: number; readonly action: () => void }>();
  const clock: PullClock = {
    now: () => now,
    after(milliseconds, action) {
      const entry = { at: now + milliseconds, action };
      due.add(entry);
      return () => void due.delete(entry);
    },
    wait: async () => {},
  };
  const advance = (seconds: number) => {
    const end = now + seconds * 1000;
    for (;;) {
      const [next] = [...due].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      due.delete(next);
      now = Math.max(now, next.at);
      next.action();
    }
    now = end;
  };
  return { clock, advance, waiting: () => due.size };
}

/** A pull from a server that says what the test has it say, in one answer for each connection. */
async function pullFrom() {
  const answers: ServerResponse[] = [];
  const server = await serve((_request, response) => {
    response.writeHead(200);
    answers.push(response);
  });
  kept(server);
  const dispatcher = kept(createDispatcher({ allowedHosts: [] }));
  const { clock, advance, waiting } = handClock();
  let lines = 0;
  const manager = openPullManager({
    library: async () => ollamaLibrary(dispatcher, { url: server.url }),
    diskFree: async () => null,
    onChange: () => {
      lines += 1;
    },
    onPulled: () => undefined,
    clock,
  });
  kept(manager);
  manager.add(['quiet:1b']);
  const pull = () => {
    const [only] = manager.list();
    if (only === undefined) throw new Error('there is no pull');
    return only;
  };
  const connection = (number: number) => until(() => answers.length === number);
  return {
    pull,
    manager,
    advance,
    waiting,
    connection,
    aborted: server.aborted,
    /** Says a line on the newest connection and waits until it has come. */
    async say(line: object) {
      const before = lines;
      answers.at(-1)?.write(`${JSON.stringify(line)}\n`);
      await until(() => lines > before);
    },
    end: (line: object) => answers.at(-1)?.end(`${JSON.stringify(line)}\n`),
  };
}

const layer = (completed: number) => ({ status: 'pulling aa', digest: 'sha256:aa', total: 100, completed });

test('after "pulling manifest" a server may say nothing for a minute, which is shown; then it is asked again', async () => {
  const { pull, manager, advance, waiting, connection, aborted, say, end } = await pullFrom();
  await connection(1);
  await say({ status: 'pulling manifest' });
  advance(9);
  expect(pull()).toMatchObject({ status: 'pulling manifest', silent_seconds: null });
  advance(6);
  expect(pull().silent_seconds).toBeGreaterThanOrEqual(10);
  advance(44);
  expect(pull()).toMatchObject({ resumed: 0, silent_seconds: 59 });
  advance(1);
  await connection(2);
  expect(aborted()).toBe(1);
  expect(pull()).toMatchObject({ state: 'pulling', resumed: 1, silent_seconds: null });
  end({ status: 'success' });
  await manager.idle();
  expect(pull()).toMatchObject({ state: 'done', problem: null });
  expect(waiting()).toBe(0);
});

test('a word ends the silence; a layer that does not move is left after a minute and continued', async () => {
  const { pull, advance, connection, say } = await pullFrom();
  await connection(1);
  await say(layer(10));
  advance(30);
  expect(pull().silent_seconds).toBeGreaterThanOrEqual(25);
  expect(pull()).toMatchObject({ bytes_per_second: null, seconds_left: null });
  await say(layer(20));
  expect(pull()).toMatchObject({ silent_seconds: null, completed: 20 });
  advance(59);
  expect(pull().resumed).toBe(0);
  advance(1);
  await connection(2);
  expect(pull()).toMatchObject({ resumed: 1, completed: 20, total: 100 });
});

test.each(['verifying sha256 digest', 'writing manifest'])('"%s" may take half an hour, and is no silence', async (status) => {
  const { pull, advance, connection, say } = await pullFrom();
  await connection(1);
  await say(layer(100));
  await say({ status });
  advance(1799);
  expect(pull()).toMatchObject({ state: 'verifying', resumed: 0, silent_seconds: null });
  advance(1);
  await connection(2);
  expect(pull().resumed).toBe(1);
});

test('a server that never says anything is finally given up, with the reason', async () => {
  const { pull, manager, advance, waiting, connection } = await pullFrom();
  for (let tries = 1; tries <= 10; tries += 1) {
    await connection(tries);
    advance(60);
  }
  await manager.idle();
  expect(pull().state).toBe('failed');
  expect(pull().problem).toContain('after 10 tries that brought nothing: the server said nothing for 60 s');
  expect(waiting()).toBe(0);
});
