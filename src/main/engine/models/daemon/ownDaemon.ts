// Starts our own Ollama, and keeps it running.
import type { DaemonSettings, DaemonStatus } from '../../../../shared/api/daemon.ts';
import type { SupervisorClock } from '../../service/supervisor.ts';
import { type Answer, whoAnswers } from './answer.ts';
import { type DaemonEnd, type DaemonProcess, freePort, lastReason, openLogTail, startDaemonProcess } from './daemonProcess.ts';
import { daemonEnvironment, slotsOf } from './environment.ts';
import { newMark } from './leftovers.ts';

export interface OwnWords {
  readonly program: string;
  readonly settings: Omit<DaemonSettings, 'startOwn'>;
}

/** Our own daemon as it is; fields as in `DaemonStatus`. */
export interface OwnStatus
  extends Pick<DaemonStatus, 'version' | 'cloud' | 'standin' | 'pid' | 'deaths' | 'last_end' | 'next_start_ms' | 'problem'> {
  readonly state: 'stopped' | 'starting' | 'ready' | 'restarting' | 'stopping' | 'failed';
  /** Null where it has no port yet. */
  readonly url: string | null;
  /** Whether the one that was started last is in reproducible mode. */
  readonly reproducible: boolean;
  /** Slots of each model of the one that was started last. */
  readonly slots: number;
}

export type OwnDaemon = ReturnType<typeof openOwnDaemon>;

/** Milliseconds. */
export interface OwnPatience {
  /** From the start to the first answer. */
  readonly ready: number;
  /** From the start to the word that it takes its time. */
  readonly slow: number;
  /** From asking it to end to killing it. */
  readonly stop: number;
  /** The same for one that has not answered yet: it holds nothing that could be lost. */
  readonly stopEarly: number;
  readonly look: number;
  /** Before it is started again, by how often it has ended soon in a row; one more end and it is given up. */
  readonly restart: readonly number[];
  /** As long as it has answered to count as kept running. */
  readonly kept: number;
}

const usualPatience: OwnPatience = {
  ready: 60_000,
  slow: 5_000,
  stop: 5_000,
  stopEarly: 500,
  look: 100,
  restart: [500, 2_000, 5_000, 15_000],
  kept: 60_000,
};

const mostPorts = 5;
/** One that has never answered is given up sooner. */
const startTries = 2;
const logMs = 500;
/** As Go and Windows word it. */
const portTaken = /address already in use|Only one usage of each socket address|bind: .*forbidden by its access permissions/i;

interface Options {
  /** The store next to which it is noted. */
  readonly store: string;
  readonly ask: Parameters<typeof whoAnswers>[0];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: SupervisorClock;
  readonly patience?: Partial<OwnPatience>;
}

type Ready = Extract<Answer, { kind: 'ollama' }>;

type Life =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'given-up'; readonly problem: string }
  | { readonly kind: 'port-taken' }
  | { readonly kind: 'died'; readonly end: DaemonEnd; readonly answeredMs: number; readonly reason: string | null };

const ending = ({ code, signal }: DaemonEnd) => (signal === null ? `exit code ${code}` : `signal ${signal}`);
const because = (reason: string | null) => (reason === null ? '' : `: ${reason}`);

const unsure =
  'This version of Ollama does not say whether its cloud features are off. Assize started it with them off; a newer version says so.';

const givenUp = (problem: string): Life => ({ kind: 'given-up', problem });

/** Keeps one `ollama serve` running: starts it, starts it again when it ends unexpectedly, and ends it. */
export function openOwnDaemon({ store, ask, env, clock, patience: given }: Options) {
  const patience = { ...usualPatience, ...given };
  const listeners = new Set<(what: 'status' | 'log') => void>();
  const log = openLogTail();
  const noServer = { url: null, version: null, cloud: null, standin: false, pid: null, problem: null } as const;
  const unborn = { deaths: 0, last_end: null, reproducible: false, slots: 1 };
  let status: Omit<OwnStatus, 'next_start_ms'> = { state: 'stopped', ...noServer, ...unborn };
  /** Where it listened last: runs under way still ask there after it is stopped and started. 0 before the first start. */
  let lastPort = 0;
  /** Counts the stops, so that a start that waits for the end of an earlier one starts nothing when it is stopped itself. */
  let stops = 0;
  let nextStart: number | null = null;
  let life: DaemonProcess | null = null;
  let keeping: { readonly controller: AbortController; readonly over: Promise<void> } | null = null;
  let callOffLog: (() => void) | null = null;

  const tell = (what: 'status' | 'log') => {
    for (const listener of listeners) listener(what);
  };
  const enter = (change: Partial<typeof status>) => {
    status = { ...status, ...change };
    tell('status');
  };
  const tellLog = () => {
    callOffLog ??= clock.after(logMs, () => {
      callOffLog = null;
      tell('log');
    });
  };

  /** Until the signal fires, or so many milliseconds have passed. */
  const wait = (signal: AbortSignal, milliseconds?: number): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        signal.removeEventListener('abort', done);
        callOff?.();
        resolve();
      };
      const callOff = milliseconds === undefined ? null : clock.after(milliseconds, done);
      signal.addEventListener('abort', done, { once: true });
    });

  /** Until it answers with its version; null where it ended, was stopped, or took too long. */
  async function answering(daemon: DaemonProcess, url: string, signal: AbortSignal): Promise<Ready | null> {
    const begun = clock.now();
    while (!signal.aborted && daemon.end() === null && clock.now() - begun < patience.ready) {
      const answer = await whoAnswers(ask, url, signal).catch(() => null);
      if (answer?.kind === 'ollama' && answer.version !== null) return answer;
      if (clock.now() - begun >= patience.slow && status.problem === null) {
        enter({ problem: `Ollama takes its time to start; it is given ${patience.ready / 1000} s.` });
      }
      await Promise.race([daemon.ended, wait(signal, patience.look)]);
    }
    return null;
  }

  async function live({ program, settings }: OwnWords, port: number, signal: AbortSignal): Promise<Life> {
    const url = `http://127.0.0.1:${port}`;
    const mark = newMark();
    const lines = openLogTail();
    const serves = { url, slots: slotsOf(settings), reproducible: settings.reproducible };
    enter({ ...noServer, state: 'starting', ...serves });
    const onOutput = (stream: 'stdout' | 'stderr', text: string) => {
      log.write(stream, text);
      lines.write(stream, text);
      tellLog();
    };
    const reasonWhy = () => {
      lines.flush();
      return lastReason(lines.read());
    };
    const daemonEnv = daemonEnvironment(env, settings, { port, mark });
    let daemon: DaemonProcess;
    try {
      daemon = await startDaemonProcess({ program, env: daemonEnv, mark, store, serves, onOutput });
    } catch (error) {
      return givenUp(`Ollama cannot be started: ${error instanceof Error ? error.message : String(error)}.`);
    }
    const stopped = async (patienceMs: number): Promise<Life> => {
      if (daemon.end() === null) enter({ state: 'stopping', problem: null });
      await daemon.stop(patienceMs);
      return { kind: 'stopped' };
    };
    const died = async (answeredMs: number): Promise<Life> => {
      const end = await daemon.ended;
      log.flush();
      const reason = reasonWhy();
      // One that finds the port taken ends soon; later such a line is from an engine that it started.
      const isSoon = answeredMs < patience.slow;
      if (isSoon && lines.read().lines.some(({ text }) => portTaken.test(text))) return { kind: 'port-taken' };
      return { kind: 'died', end, answeredMs, reason };
    };
    life = daemon;
    enter({ pid: daemon.pid });
    const answer = await answering(daemon, url, signal);
    if (signal.aborted) return stopped(patience.stopEarly);
    if (daemon.end() !== null) return died(0);
    if (answer === null || answer.cloud === 'on') {
      await daemon.stop(patience.stop);
      return givenUp(
        answer === null
          ? `Ollama was started and gave no version within ${patience.ready / 1000} s, so it was ended${because(reasonWhy())}`
          : 'Ollama says that its cloud features are on although it was started with them off, so it was ended. Use an official release of Ollama, or start it yourself.',
      );
    }
    const { version, cloud, standin } = answer;
    const since = clock.now();
    enter({ state: 'ready', version, cloud, standin, problem: cloud === null && !standin ? unsure : null });
    await Promise.race([daemon.ended, wait(signal)]);
    return signal.aborted ? stopped(patience.stop) : died(clock.now() - since);
  }

  async function keep(words: OwnWords, signal: AbortSignal): Promise<void> {
    const failed = (problem: string, more: Partial<OwnStatus> = {}) => enter({ ...noServer, state: 'failed', ...more, problem });
    let taken = 0;
    let soon = 0;
    let hasAnswered = false;
    while (!signal.aborted) {
      // A program that took the port meanwhile would answer instead of ours.
      lastPort = await freePort(lastPort);
      const past = await live(words, lastPort, signal);
      if (past.kind === 'stopped') break;
      if (past.kind === 'given-up') return failed(past.problem);
      if (past.kind === 'port-taken') {
        taken += 1;
        if (taken >= mostPorts) return failed(`Ollama found ${taken} ports taken one after the other. Start it again.`);
        lastPort = 0;
        continue;
      }
      const { end, answeredMs, reason } = past;
      taken = 0;
      soon = answeredMs >= patience.kept ? 1 : soon + 1;
      hasAnswered ||= answeredMs > 0;
      const known = { deaths: status.deaths + 1, last_end: { at: new Date().toISOString(), ...end } };
      const delay = patience.restart.slice(0, hasAnswered ? undefined : startTries)[soon - 1];
      if (delay === undefined) {
        const times = `Ollama ended ${soon} times in a row soon after its start (${ending(end)})`;
        return failed(`${times}, so Assize does not start it again${because(reason)}`, known);
      }
      nextStart = clock.now() + delay;
      const problem = `Ollama ended unexpectedly (${ending(end)}) and is started again${because(reason)}`;
      enter({ ...noServer, state: 'restarting', url: status.url, ...known, problem });
      await wait(signal, delay);
      nextStart = null;
    }
    enter({ ...noServer, state: 'stopped' });
  }

  /** Resolves when it is neither starting nor about to. */
  const settling = (over: Promise<void>): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (status.state === 'ready' || status.state === 'failed' || status.state === 'stopped') done();
      };
      const done = () => {
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      void over.then(done);
    });

  return {
    status: (): OwnStatus => ({ ...status, next_start_ms: nextStart === null ? null : Math.max(0, nextStart - clock.now()) }),
    /** Where it answers; null where it does not, and from the moment that it has ended: somebody else may listen there then. */
    place: () => (status.state === 'ready' && life?.runs() === true ? status.url : null),
    log: log.read,
    onChange(listener: (what: 'status' | 'log') => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Starts it, unless it was started, and resolves when it is ready or was given up. */
    async start(words: OwnWords): Promise<void> {
      const asked = stops;
      while (keeping?.controller.signal.aborted === true) await keeping.over;
      if (asked !== stops) return;
      if (keeping !== null) {
        if (status.state !== 'ready') await settling(keeping.over);
        return;
      }
      const controller = new AbortController();
      enter({ ...noServer, state: 'starting', deaths: 0, last_end: null });
      const over = keep(words, controller.signal)
        .catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          enter({ ...noServer, state: 'failed', problem: `Ollama cannot be kept running: ${reason}.` });
        })
        .finally(() => {
          keeping = null;
          nextStart = null;
        });
      keeping = { controller, over };
      await settling(over);
    },
    async stop(): Promise<void> {
      stops += 1;
      const mine = keeping;
      if (mine === null) {
        if (status.state === 'failed') enter({ ...noServer, state: 'stopped' });
        return;
      }
      mine.controller.abort();
      await mine.over;
      callOffLog?.();
      callOffLog = null;
    },
  };
}
