// The Ollama that runs are asked of: the one that is there, or our own.
import { once } from 'node:events';
import type { DaemonStatus } from '../../../shared/api/daemon.ts';
import { type Answer, ollamaAddress, whoAnswers } from '../models/daemon/answer.ts';
import { endLeftovers } from '../models/daemon/leftovers.ts';
import { openOwnDaemon } from '../models/daemon/ownDaemon.ts';
import { findProgram, noProgramWords, programVariable, type Surroundings } from '../models/daemon/program.ts';
import { isOnThisMachine, type NetworkDispatcher } from '../models/dispatcher.ts';
import { interrupted } from '../models/modelServer.ts';
import type { MovingServer } from '../models/ollama.ts';
import type { SettingsFile } from './settings.ts';
import { type SupervisorClock, systemClock } from './supervisor.ts';

export interface HeldServer {
  readonly url: string;
  /** Absent where its address is fixed. */
  readonly moving?: MovingServer;
  /** Slots of each model of our own; null where it is not ours. */
  readonly slots: number | null;
  /** The run has ended. */
  release(): Promise<void>;
}

/** While somebody watches, the server is looked at this often: it can be started and ended by others. */
const lookMs = 3_000;

type Found = Pick<DaemonStatus, 'state' | 'version' | 'cloud' | 'standin' | 'problem'>;

const none = { version: null, cloud: null, standin: false } as const;

function install(around: Surroundings): string {
  if (around.env[programVariable] !== undefined) {
    return `${programVariable} names no program; fix it, or take it out of the environment`;
  }
  return noProgramWords;
}

function foundOf(answer: Answer, url: string, program: DaemonStatus['program'], around: Surroundings): Found {
  if (answer.kind === 'ollama') {
    const { version, cloud, standin } = answer;
    return { state: 'ready', version, cloud, standin, problem: null };
  }
  const problemOf = () => {
    if (answer.kind === 'other')
      return `What is at ${url} does not answer as Ollama does (${answer.reason}). If it is Ollama, start it again; if not, end it or give the address of an Ollama in the settings.`;
    if (answer.kind === 'refused')
      return `${new URL(url).hostname} is not this machine, so nothing is sent there. Add it to the allowed hosts, or give an address of this machine.`;
    if (!isOnThisMachine(url)) return `Nothing answers at ${url} (${answer.reason}), which is not started from here.`;
    const remedy = program === null ? install(around) : 'start it here, or start Ollama yourself';
    return `Nothing answers at ${url}: ${remedy}.`;
  };
  return { state: program === null ? 'absent' : 'away', ...none, problem: problemOf() };
}

/** Its result. Throws interrupted as soon as the signal fires; the work itself continues. */
async function unlessAborted<T>(coming: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw interrupted();
  const over = new AbortController();
  const cut = once(signal, 'abort', { signal: over.signal }).then(() => Promise.reject(interrupted()));
  try {
    return await Promise.race([coming, cut]);
  } finally {
    cut.catch(() => undefined);
    over.abort();
  }
}

/** The Ollama of this engine: finds it, or starts our own and ends it with the engine. @param options.around asked each time */
export function openDaemonManager(options: {
  store: string;
  settings: Pick<SettingsFile, 'read'>;
  network: Pick<NetworkDispatcher, 'fetch' | 'permits'>;
  around: () => Surroundings;
  keepError: (error: unknown) => void;
  clock?: SupervisorClock;
}) {
  const { store, settings, network, around, keepError, clock = systemClock } = options;
  const own = openOwnDaemon({ store, ask: network, env: around().env, clock });
  const listeners = new Set<(what: 'status' | 'log') => void>();
  /** The address whose place our own takes; null where there is none. */
  let inPlaceOf: string | null = null;
  let found: { readonly url: string; readonly is: Found } | null = null;
  let starting: Promise<DaemonStatus> | null = null;
  let sweeping: Promise<void> | null = null;
  let callOffLook: (() => void) | null = null;
  let closed = false;
  let missed = false;
  /** Runs that ask our own. */
  let holders = 0;
  /** Counts the stops, so that a start that one has overtaken starts nothing. */
  let stops = 0;

  const address = () => ollamaAddress(settings.read().ollamaUrl, around().env);
  const program = () => findProgram(around());
  const tell = (what: 'status' | 'log') => {
    for (const listener of listeners) listener(what);
  };
  own.onChange(tell);

  /** Whether our own is what is asked: not where another address was set since it was started. */
  const isOwn = () => inPlaceOf !== null && inPlaceOf === address() && own.status().state !== 'stopped';

  /** Its state at the last look; of our own its state now. */
  function status(): DaemonStatus {
    const how = program()?.how ?? null;
    const url = address();
    const mine = own.status();
    if (isOwn() && mine.state !== 'stopped') {
      const { reproducible: _mode, slots: _slots, state, ...rest } = mine;
      return { ...rest, state, url: mine.url ?? url, own: state !== 'failed', program: how };
    }
    const { deaths, last_end } = mine;
    const is =
      found?.url === url ? found.is : { state: how === null ? ('absent' as const) : ('away' as const), ...none, problem: null };
    return { ...is, own: false, url, program: how, pid: null, deaths, last_end, next_start_ms: null };
  }

  /** The configured address may have changed: our own, which took the place of another one, is ended as soon as no run asks it. */
  async function moved(): Promise<void> {
    if (inPlaceOf === null || inPlaceOf === address()) return;
    inPlaceOf = null;
    if (holders === 0) await own.stop();
  }

  /** Our own as it is, where it is what is asked; null where another one is. */
  const ours = () => (isOwn() && own.status().state !== 'failed' ? own.status() : null);

  /** A run keeps what it asks: calls that went elsewhere in the middle of it would be answered by other weights. */
  function held(): HeldServer {
    const { url = null, slots = 1 } = ours() ?? {};
    if (url === null) return { url: address(), slots: null, release: () => Promise.resolve() };
    holders += 1;
    let isHeld = true;
    return {
      url,
      slots,
      moving: { url, now: own.place },
      async release() {
        if (!isHeld) return;
        isHeld = false;
        holders -= 1;
        if (holders === 0 && inPlaceOf === null) await own.stop();
      },
    };
  }

  /** Whether a server that was ready is there and was slow or wrong for the first time: a busy machine is no end of it. */
  function isFirstMiss(answer: Answer, url: string): boolean {
    missed = !missed && answer.kind === 'other' && found?.url === url && found.is.state === 'ready';
    return missed;
  }

  async function lookAgain({
    signal,
    patient = false,
  }: {
    signal?: AbortSignal | undefined;
    patient?: boolean;
  } = {}): Promise<Answer | null> {
    await moved();
    if (ours() !== null) return null;
    const url = address();
    const answer = await whoAnswers(network, url, signal);
    if (patient && isFirstMiss(answer, url)) return answer;
    const before = JSON.stringify(found);
    found = { url, is: foundOf(answer, url, program()?.how ?? null, around()) };
    // What answers now makes good what went wrong with our own.
    if (answer.kind === 'ollama' && isOwn()) await own.stop();
    if (JSON.stringify(found) !== before) tell('status');
    return answer;
  }

  /** Once for each engine: what an earlier one left must not hold the memory that ours needs. */
  const sweep = () => {
    sweeping ??= endLeftovers(store).catch(keepError);
    return sweeping;
  };

  async function startOwn(asked = stops): Promise<DaemonStatus> {
    await sweep();
    const url = address();
    const answer = await lookAgain();
    // Another address was set meanwhile, which has not been checked.
    if (url !== address()) return startOwn(asked);
    const path = program()?.path;
    // Our own is not asked while it starts.
    const free = answer === null || (answer.kind === 'nothing' && isOnThisMachine(url));
    if (free && path !== undefined && !closed && asked === stops) {
      inPlaceOf = url;
      await own.start({ program: path, settings: settings.read().daemon });
    }
    return status();
  }

  /** Looks again and, where nothing answers, starts our own. Resolves when it answers or cannot be started. */
  const start = (): Promise<DaemonStatus> => {
    if (starting !== null) return starting;
    const mine = startOwn().finally(() => {
      if (starting === mine) starting = null;
    });
    starting = mine;
    return mine;
  };

  /** As `start`, where the settings say so; otherwise does nothing. Never throws. */
  async function ensure(): Promise<void> {
    await sweep();
    if (closed || !settings.read().daemon.startOwn || program() === null || !isOnThisMachine(address())) return;
    await start().catch(keepError);
  }

  const lookLater = (milliseconds: number) => {
    if (callOffLook !== null || closed) return;
    callOffLook = clock.after(milliseconds, () => {
      callOffLook = null;
      if (listeners.size === 0 || closed) return;
      void lookAgain({ patient: true })
        .catch(keepError)
        .then(() => lookLater(lookMs));
    });
  };

  return {
    status,
    /** The newest lines of our own. */
    log: own.log,
    async look(signal?: AbortSignal): Promise<DaemonStatus> {
      await lookAgain({ signal });
      return status();
    },
    /** Address that Ollama is asked at: that of our own while it is ready, else the configured one. */
    url: (): string => ours()?.url ?? address(),
    /** Whether our own, where it is what is asked, is in reproducible mode; null where another one is asked. */
    mode(): 'reproducible' | 'slots' | null {
      const mine = ours();
      return mine === null ? null : mine.reproducible ? 'reproducible' : 'slots';
    },
    /** Slots of each model of our own as it was started, where it is what is asked; null where another one is. */
    slots: (): number | null => ours()?.slots ?? null,
    /** Called when the status changes or there are new lines. While there are listeners, the server is checked now and then. Returns what ends the listening. */
    onChange(listener: (what: 'status' | 'log') => void): () => void {
      listeners.add(listener);
      lookLater(0);
      return () => void listeners.delete(listener);
    },
    start,
    ensure,
    /** As `ensure`, kept for a run until released, whatever address is set meanwhile. Throws interrupted. */
    async hold(signal: AbortSignal): Promise<HeldServer> {
      await unlessAborted(ensure(), signal);
      return held();
    },
    async stop(): Promise<DaemonStatus> {
      stops += 1;
      // Later callers must not get a start that starts nothing any more.
      starting = null;
      inPlaceOf = null;
      await own.stop();
      await lookAgain();
      return status();
    },
    moved,
    /** Ends our own for good. */
    async close(): Promise<void> {
      closed = true;
      callOffLook?.();
      callOffLook = null;
      listeners.clear();
      await own.stop();
    },
  };
}

export type DaemonManager = ReturnType<typeof openDaemonManager>;
