// An Ollama for one run: a neighbour's, or our own.
import { setTimeout as sleep } from 'node:timers/promises';
import { AssizeError } from '../../../../shared/errors.ts';
import { systemClock } from '../../service/supervisor.ts';
import type { NetworkDispatcher } from '../dispatcher.ts';
import { interrupted } from '../modelServer.ts';
import type { MovingServer } from '../ollama.ts';
import { whoAnswers } from './answer.ts';
import { daemonsOfOthers, endLeftovers, type Serves } from './leftovers.ts';
import { type OwnDaemon, openOwnDaemon } from './ownDaemon.ts';
import type { FoundProgram } from './program.ts';

type Ask = Pick<NetworkDispatcher, 'fetch' | 'permits'>;

/** One that was started a moment ago is waited for, as our own would be. */
const readyMs = 60_000;
const lookMs = 200;

/** Another program's shared Ollama for this store; null without one. Throws interrupted. @param patienceMs for its answer */
export async function findNeighbour(ask: Ask, store: string, signal: AbortSignal, patienceMs = readyMs): Promise<Serves | null> {
  const begun = performance.now();
  // To ask one that says nothing takes seconds, too.
  while (performance.now() - begun < patienceMs) {
    const others = (await daemonsOfOthers(store)).filter(({ reproducible }) => !reproducible);
    if (others.length === 0) return null;
    for (const other of others) {
      const answer = await whoAnswers(ask, other.url, signal).catch(() => null);
      if (answer?.kind === 'ollama' && answer.version !== null && answer.cloud !== 'on') return other;
    }
    if (signal.aborted) throw interrupted();
    await sleep(lookMs, undefined, { signal }).catch(() => {
      throw interrupted();
    });
  }
  return null;
}

/** Milliseconds between two looks at it, and how long it may be gone: its own program starts it again if it died. */
const watchMs = 2_000;
const goneMs = 6_000;

/** Reports once when nothing listens at an address any more. Returns what ends the watch. */
export function watchNeighbour(ask: Ask, url: string, onGone: () => void): () => void {
  const end = new AbortController();
  const { signal } = end;
  void (async () => {
    for (let gone = 0; gone < goneMs; ) {
      await sleep(watchMs, undefined, { signal });
      // A busy one that takes its time is there.
      gone = (await whoAnswers(ask, url, signal)).kind === 'nothing' ? gone + watchMs : 0;
    }
    if (!signal.aborted) onGone();
  })().catch(() => undefined);
  return () => end.abort();
}

export interface RunningOllama {
  readonly moving: MovingServer;
  /** Slots of each model; null where another program has started it. */
  readonly slots: number | null;
  /** The newest lines that it wrote; null where another program has started it. */
  log(): readonly string[] | null;
  /** Ends it, unless another program has started it. */
  stop(): Promise<void>;
}

interface Wanted {
  /** The daemon is noted next to it. */
  readonly store: string;
  readonly program: FoundProgram;
  /** Calls at a time. */
  readonly parallel: number;
  readonly reproducible: boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/**
 * An Ollama for one run: that of another program with this store where there is one, else our own, which is started.
 * When that other program ends its own under the run, ours is started in its place. Throws no-backend where ours cannot
 * be started, interrupted when the signal fires.
 */
export async function startOllamaForRun(
  network: Ask,
  { store, program, parallel, reproducible, signal, say }: Wanted,
): Promise<RunningOllama> {
  const daemon = openOwnDaemon({ store, ask: network, env: process.env, clock: systemClock });
  const settings = { parallel, reproducible, maxLoaded: null, contextLength: null };
  const start = () => (signal.aborted ? Promise.resolve() : daemon.start({ program: program.path, settings }));
  const stop = () => daemon.stop();
  await endLeftovers(store);
  // One that no one else may ask is not shared.
  const neighbour = reproducible ? null : await findNeighbour(network, store, signal);
  signal.addEventListener('abort', stop, { once: true });
  const tellDeaths = sayDeaths(daemon, say);
  let leave: () => void = () => undefined;
  const end = async () => {
    leave();
    signal.removeEventListener('abort', stop);
    tellDeaths();
    await stop();
  };
  if (neighbour !== null) {
    say(neighbourText(neighbour));
    let theirs: string | null = neighbour.url;
    leave = watchNeighbour(network, neighbour.url, () => {
      theirs = null;
      say('The Ollama of the other program has ended. One is started for the rest of this run.');
      void start().then(() => {
        const { state, problem } = daemon.status();
        if (state === 'failed' && problem !== null) say(problem);
      });
    });
    return { moving: { url: neighbour.url, now: () => theirs ?? daemon.place() }, slots: null, log: () => null, stop: end };
  }
  try {
    say('Ollama is started for this run.');
    await start();
    const { state, url, slots, problem } = daemon.status();
    if (state === 'ready' && url !== null) {
      return { moving: { url, now: daemon.place }, slots, log: () => daemon.log().lines.map(({ text }) => text), stop: end };
    }
    if (signal.aborted) throw interrupted();
    throw new AssizeError('no-backend', problem ?? 'Ollama ended while it was started', '--start-ollama');
  } catch (error) {
    await end();
    throw error;
  }
}

const neighbourText = ({ slots }: Serves): string =>
  `The Ollama that another program with this store has started is asked. It answers ${slots} ${slots === 1 ? 'call' : 'calls'} at a time and is not ended with this run.`;

/** Reports every unexpected end. Returns what ends the reports. */
function sayDeaths(daemon: OwnDaemon, say: (line: string) => void): () => void {
  let reported = 0;
  return daemon.onChange(() => {
    const { deaths, problem } = daemon.status();
    if (deaths > reported && problem !== null) say(problem);
    reported = deaths;
  });
}
