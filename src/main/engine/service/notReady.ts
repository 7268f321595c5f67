// Whether the servers of a run are ready, and what a run that cannot begin says: the record knows where the answers so far came from.
import { AssizeError } from '../../../shared/errors.ts';
import { neededModels, type ReadyBackend, readyBackends, retrieversOf } from '../lab/backends.ts';
import { poolsIn } from '../lab/lanes.ts';
import { type Answerer, isDemoHere, lastAnswerer } from '../lab/lastAnswerer.ts';
import type { LanguageModel } from '../models/port.ts';
import type { Store } from '../store/store.ts';
import { screenMessage } from './failures.ts';
import type { playedArms } from './servers.ts';

/** The servers of the arms that have something to run; none where nothing is left. Throws as `readyBackends` does. */
export const readyForRun = (
  models: ReadonlyMap<string, LanguageModel>,
  played: ReturnType<typeof playedArms>,
  arms: ReadonlySet<string>,
): Promise<Map<string, ReadyBackend>> =>
  arms.size === 0
    ? Promise.resolve(new Map())
    : readyBackends(models, neededModels(played), retrieversOf(played, arms), poolsIn(played));

const cameFrom = ({ url, standin }: Answerer) =>
  `the answers so far came from ${standin === true ? 'the demo model at ' : ''}${url}`;

/** A failed start of a run by command, with the server that gave the answers so far and how to name another one. */
export function withAnswerer(store: Store, experiment: string, error: unknown): unknown {
  const last = error instanceof AssizeError && error.code === 'no-backend' ? lastAnswerer(store, experiment) : null;
  if (!(error instanceof AssizeError) || last === null) return error;
  const { remedy } = error.place;
  const command = [cameFrom(last), remedy?.command, 'name another server with --ollama URL'].filter(Boolean).join('; ');
  return error.at({ remedy: { ...remedy, command } });
}

/** What to do about a server that does not answer. The screen of a run can choose no other than the demo model. */
function remedyFor(store: Store, experiment: string, all: boolean): string {
  const last = lastAnswerer(store, experiment);
  const start = 'start a server at this address, or set its address in the settings';
  if (last === null) return start;
  const isOffered = all && isDemoHere(last);
  return `${cameFrom(last)}; ${isOffered ? 'choose “Continue with the built-in demo model”' : start}`;
}

/** Logs that a run could not begin, and returns why. @param all trials were wanted: then the demo model is offered */
export function notReady(store: Store, experiment: string, error: unknown, all: boolean): unknown {
  if (!(error instanceof AssizeError) || error.code === 'interrupted') return error;
  const said =
    error.code === 'no-backend'
      ? error.at({ remedy: { ...error.place.remedy, screen: remedyFor(store, experiment, all) } })
      : error;
  store.write(() => store.runLog.add(experiment, 'run-refuse', { reason: screenMessage(said) }));
  return said;
}
