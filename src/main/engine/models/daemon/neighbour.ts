import { setTimeout as sleep } from 'node:timers/promises';
import type { NetworkDispatcher } from '../dispatcher.ts';
import { interrupted } from '../modelServer.ts';
import { whoAnswers } from './answer.ts';
import { daemonsOfOthers, type Serves } from './leftovers.ts';

type Ask = Pick<NetworkDispatcher, 'fetch' | 'permits'>;

/** One that was started a moment ago is waited for, as our own would be. */
const readyMs = 60_000;
const lookMs = 200;

/**
 * An Ollama that another program with this store has started and keeps running; null where there is none. One in
 * reproducible mode is none: nobody else may ask it. Throws interrupted when the signal fires.
 * @param patienceMs how long one that does not answer is waited for
 */
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

/** Tells once when nobody listens at an address any more. Returns what ends the watch. */
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
