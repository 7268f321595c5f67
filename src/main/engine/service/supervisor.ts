import { randomUUID } from 'node:crypto';
import { type FromEngine, fromEngineSchema, type ToEngine } from '../../../shared/api/control.ts';

/**
 * Options of Node for an engine, which has threads: V8 can end such a process by chance ("Check failed:
 * jit_page.has_value()") where the processor has protection keys for memory, as those of servers have. And it fills 128 MiB with
 * young objects, unless there is a limit, before it looks which of them are still in use.
 */
export const engineNodeOptions: readonly string[] = ['--no-memory-protection-keys', '--max-semi-space-size=8'];

export interface EngineProcess {
  send(message: ToEngine, transfer?: readonly unknown[]): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once; the code is null where a signal ended the process. */
  onExit(listener: (code: number | null) => void): void;
  kill(): void;
}

/** `restarting`: it died and comes back. `given-up`: it died too often; `start` tries again. `refused`: it cannot start. */
export type SupervisorState = 'starting' | 'ready' | 'restarting' | 'given-up' | 'refused' | 'stopped';

/** `reason` says in a sentence why the engine is not there; null while nothing went wrong. */
export interface SupervisorDetail {
  readonly incarnation: number;
  readonly reason: string | null;
}

export interface SupervisorClock {
  /** Milliseconds that never go backwards. */
  now(): number;
  /** Runs an action later; returns what calls it off. */
  after(milliseconds: number, action: () => void): () => void;
}

export const systemClock: SupervisorClock = {
  now: () => performance.now(),
  after: (milliseconds, action) => {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Wait before the restart after the first, second, … death within a minute; one death more ends the trying. */
const restartDelaysMs = [0, 1_000, 3_000, 10_000];
const deathWindowMs = 60_000;

export type Supervisor = ReturnType<typeof superviseEngine>;

/** Keeps one engine process alive: restarts it, counts its incarnations, and distinguishes an ordered end from a death. */
export function superviseEngine(options: {
  /** Starts a process and hands it its incarnation, counted from 1, and the name of this start of the program. A throw counts as a death. */
  spawn: (incarnation: number, session: string) => EngineProcess;
  clock?: SupervisorClock;
}) {
  const clock = options.clock ?? systemClock;
  const messageListeners = new Set<(message: FromEngine) => void>();
  const stateListeners = new Set<(state: SupervisorState, detail: SupervisorDetail) => void>();
  const session = randomUUID();
  const stopWaiters: (() => void)[] = [];
  let state: SupervisorState = 'stopped';
  let incarnation = 0;
  let engine: EngineProcess | null = null;
  let stopping = false;
  let deaths: number[] = [];
  let callOffRestart: (() => void) | null = null;

  function enter(next: SupervisorState, reason: string | null = null): void {
    state = next;
    for (const listener of stateListeners) listener(next, { incarnation, reason });
  }

  function spawn(): void {
    incarnation += 1;
    callOffRestart = null;
    let started: EngineProcess;
    try {
      started = options.spawn(incarnation, session);
    } catch (error) {
      died(`The engine could not be started: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    engine = started;
    started.onMessage((message) => {
      if (engine === started) receive(started, message);
    });
    started.onExit((code) => {
      if (engine !== started) return;
      engine = null;
      if (stopping) finishStop();
      else if (state !== 'refused')
        died(code === null ? 'The engine was ended by the system.' : `The engine ended with code ${code}.`);
    });
  }

  function receive(from: EngineProcess, raw: unknown): void {
    const parsed = fromEngineSchema.safeParse(raw);
    if (!parsed.success) {
      from.kill();
      return;
    }
    const message = parsed.data;
    if (message.kind === 'ready' && !stopping) enter('ready');
    if (message.kind === 'refuse') enter('refused', message.message);
    for (const listener of messageListeners) listener(message);
  }

  function died(reason: string): void {
    const now = clock.now();
    deaths = [...deaths.filter((at) => now - at < deathWindowMs), now];
    const delay = restartDelaysMs[deaths.length - 1];
    if (delay === undefined) {
      deaths = [];
      enter(
        'given-up',
        `${reason} It ended ${restartDelaysMs.length + 1} times within a minute, so Assize does not start it again.`,
      );
      return;
    }
    callOffRestart = clock.after(delay, spawn);
    enter('restarting', reason);
  }

  function finishStop(): void {
    stopping = false;
    enter('stopped');
    for (const done of stopWaiters.splice(0)) done();
  }

  function listen<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  return {
    start() {
      if (engine !== null || callOffRestart !== null) return;
      enter('starting');
      spawn();
    },
    /** Sends to the engine of now; false while there is none that is ready. Nothing is kept for later. */
    send(message: ToEngine, transfer?: readonly unknown[]) {
      if (engine === null || state !== 'ready' || stopping) return false;
      engine.send(message, transfer);
      return true;
    },
    state: () => state,
    /** Every message of the engine, parsed. Returns what ends the listening. */
    onMessage: (listener: (message: FromEngine) => void) => listen(messageListeners, listener),
    onState: (listener: (state: SupervisorState, detail: SupervisorDetail) => void) => listen(stateListeners, listener),
    /** Asks the engine to end in order, and ends it itself after `timeoutMs`. Resolves when it is gone. */
    stop(timeoutMs: number) {
      callOffRestart?.();
      callOffRestart = null;
      if (engine === null) {
        enter('stopped');
        return Promise.resolve();
      }
      const asked = engine;
      return new Promise<void>((resolve) => {
        const callOffKill = clock.after(timeoutMs, () => asked.kill());
        stopWaiters.push(() => {
          callOffKill();
          resolve();
        });
        if (stopping) return;
        stopping = true;
        asked.send({ kind: 'stop' });
      });
    },
  };
}
