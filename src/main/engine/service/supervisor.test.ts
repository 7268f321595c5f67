import { expect, test } from 'vitest';
import type { ToEngine } from '../../../shared/api/control.ts';
import { type EngineProcess, superviseEngine } from './supervisor.ts';

/** Processes that do what the test says, in virtual time. */
function bench() {
  const processes: { sent: ToEngine[]; killed: boolean; say(message: unknown): void; exit(code: number | null): void }[] = [];
  const timers: { at: number; action: () => void; off: boolean }[] = [];
  let now = 0;
  const states: string[] = [];
  const reasons: (string | null)[] = [];
  const supervisor = superviseEngine({
    spawn(incarnation) {
      expect(incarnation).toBe(processes.length + 1);
      let onMessage: (message: unknown) => void = () => undefined;
      let onExit: (code: number | null) => void = () => undefined;
      const made = {
        sent: [] as ToEngine[],
        killed: false,
        say: (message: unknown) => onMessage(message),
        exit: (code: number | null) => onExit(code),
      };
      processes.push(made);
      const engine: EngineProcess = {
        send: (message) => void made.sent.push(message),
        onMessage(listener) {
          onMessage = listener;
        },
        onExit(listener) {
          onExit = listener;
        },
        kill() {
          made.killed = true;
          onExit(null);
        },
      };
      return engine;
    },
    clock: {
      now: () => now,
      after(milliseconds, action) {
        const timer = { at: now + milliseconds, action, off: false };
        timers.push(timer);
        return () => {
          timer.off = true;
        };
      },
    },
  });
  supervisor.onState((state, { incarnation, reason }) => {
    states.push(`${state} ${incarnation}`);
    reasons.push(reason);
  });
  return {
    supervisor,
    processes,
    states,
    reasons,
    last() {
      const process = processes.at(-1);
      if (process === undefined) throw new Error('no process was started');
      return process;
    },
    pass(milliseconds: number) {
      const until = now + milliseconds;
      for (;;) {
        const due = timers.filter(({ off, at }) => !off && at <= until).toSorted((one, other) => one.at - other.at)[0];
        if (due === undefined) break;
        now = Math.max(now, due.at);
        due.off = true;
        due.action();
      }
      now = until;
    },
  };
}

test('messages go to a ready engine only, and nothing is kept for later', () => {
  const { supervisor, last } = bench();
  expect(supervisor.send({ kind: 'connect', connection: 1 })).toBe(false);
  supervisor.start();
  expect(supervisor.send({ kind: 'connect', connection: 1 })).toBe(false);
  last().say({ kind: 'ready' });
  expect(supervisor.send({ kind: 'connect', connection: 2 })).toBe(true);
  expect(last().sent).toEqual([{ kind: 'connect', connection: 2 }]);
});

test('a dead engine comes back at once, then later each time, and after five deaths in a minute not at all', () => {
  const { supervisor, processes, states, reasons, last, pass } = bench();
  supervisor.start();
  for (const delay of [0, 1_000, 3_000, 10_000]) {
    last().say({ kind: 'ready' });
    const before = processes.length;
    last().exit(70);
    if (delay > 0) {
      pass(delay - 1);
      expect(processes).toHaveLength(before);
    }
    pass(1);
    expect(processes).toHaveLength(before + 1);
  }
  last().exit(null);
  pass(1_000_000);
  expect(processes).toHaveLength(5);
  expect(supervisor.state()).toBe('given-up');
  expect(reasons.at(-1)).toContain('5 times within a minute');
  expect(states.slice(0, 4)).toEqual(['starting 0', 'ready 1', 'restarting 1', 'ready 2']);
  supervisor.start();
  expect(processes).toHaveLength(6);
});

test('deaths that are over a minute apart never add up', () => {
  const { supervisor, processes, last, pass } = bench();
  supervisor.start();
  for (let death = 0; death < 20; death++) {
    last().exit(null);
    pass(61_000);
  }
  expect(processes).toHaveLength(21);
  expect(supervisor.state()).not.toBe('given-up');
});

test('an ordered end is no death', async () => {
  const { supervisor, processes, last, pass } = bench();
  supervisor.start();
  last().say({ kind: 'ready' });
  const stopped = supervisor.stop(5_000);
  expect(last().sent).toEqual([{ kind: 'stop' }]);
  expect(supervisor.send({ kind: 'connect', connection: 1 })).toBe(false);
  last().exit(0);
  await stopped;
  pass(100_000);
  expect(processes).toHaveLength(1);
  expect(last().killed).toBe(false);
  expect(supervisor.state()).toBe('stopped');
});

test('an engine that does not end is ended', async () => {
  const { supervisor, last, pass } = bench();
  supervisor.start();
  const stopped = supervisor.stop(5_000);
  pass(4_999);
  expect(last().killed).toBe(false);
  pass(1);
  await stopped;
  expect(last().killed).toBe(true);
});

test('stopping between a death and the restart leaves nothing running', async () => {
  const { supervisor, processes, last, pass } = bench();
  supervisor.start();
  last().exit(1);
  await supervisor.stop(5_000);
  pass(100_000);
  expect(processes).toHaveLength(1);
  expect(supervisor.state()).toBe('stopped');
});

test('an engine that refuses to start is not started again', () => {
  const { supervisor, processes, reasons, last, pass } = bench();
  supervisor.start();
  last().say({ kind: 'refuse', code: 'store-newer', message: 'the store is newer' });
  last().exit(2);
  pass(100_000);
  expect(processes).toHaveLength(1);
  expect(supervisor.state()).toBe('refused');
  expect(reasons.at(-1)).toBe('the store is newer');
});

test('an engine that sends nonsense is ended and restarted', () => {
  const { supervisor, processes, last, pass } = bench();
  supervisor.start();
  last().say({ kind: 'ready', secret: true });
  expect(processes[0]?.killed).toBe(true);
  pass(0);
  expect(processes).toHaveLength(2);
});

test('what a process says after its end is not heard', () => {
  const { supervisor, processes, last, pass } = bench();
  supervisor.start();
  last().exit(1);
  pass(0);
  processes[0]?.say({ kind: 'ready' });
  expect(supervisor.state()).toBe('restarting');
});
