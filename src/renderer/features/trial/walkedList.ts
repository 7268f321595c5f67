// The list that a trial was opened from, which next and previous walk.
import { z } from 'zod';
import type { TrialQuery } from '../../../shared/api/experiments.ts';
import { trialQuerySchema } from '../../../shared/api/experiments.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import type { Api } from '../../api/session.ts';
import { toExperiment, toTrial } from '../../app/routes.ts';
import { readSessionState, saveSessionState } from '../../ui/sessionState.ts';

type Query = Omit<TrialQuery, 'offset' | 'limit'>;

const key = 'trial/list';
const walkSchema = z.strictObject({
  /** The words after `2 of 8`: `search hits`, `in the list`. */
  name: z.string(),
  /** Address of the list. */
  from: z.string(),
  /** Trials that fit a query, or addresses one by one: of trials, places in them, or pairs of them. */
  list: z.union([trialQuerySchema.omit({ offset: true, limit: true }), z.array(z.string())]),
});
export type Walk = z.infer<typeof walkSchema>;

export const walkList = (walk: Walk): void => saveSessionState(key, walk);

/** Has next and previous walk these addresses. @param from absent: they are on the screen that is open */
export const walkPlaces = (name: string, list: string[], from = location.hash.slice(1)): void => walkList({ name, from, list });

export const walked = (): Walk | null => readSessionState(key, walkSchema, sessionStorage);

const isOf = (walk: Walk | null, experiment: string): walk is Walk & { list: Query } =>
  walk !== null && !Array.isArray(walk.list) && walk.list.experiment === experiment;

/** The list of an experiment's trials that one was opened from; the experiment where none was. */
export function toWalkedList(experiment: string): string {
  const walk = walked();
  return isOf(walk, experiment) ? walk.from : toExperiment(experiment);
}

export interface Neighbours {
  /** Addresses. */
  readonly before: string | null;
  readonly after: string | null;
  /** 1-based. */
  readonly place: number;
  readonly total: number;
  /** Name and address of the list that this was opened from; null: these are the started trials of its arm, by case. */
  readonly list: Pick<Walk, 'name' | 'from'> | null;
}
type Place = Omit<Neighbours, 'list'>;

/** One less than what the engine gives in one answer. */
const pageSize = 499;

async function placeIn(api: Api, query: Query, trial: string, signal: AbortSignal): Promise<Place | null> {
  let last: string | undefined;
  const to = (each: string | undefined) => (each === undefined ? null : toTrial(each));
  for (let offset = 0; ; offset += pageSize) {
    // One more than a page: the trial after the last one of the page.
    const { lines, total } = await api.experiments.trials({ ...query, offset, limit: pageSize + 1 }, { signal });
    const at = lines.slice(0, pageSize).findIndex((line) => line.trial === trial);
    if (at >= 0)
      return { before: to(lines[at - 1]?.trial ?? last), after: to(lines[at + 1]?.trial), place: offset + at + 1, total };
    last = lines[pageSize - 1]?.trial;
    if (offset + pageSize >= total) return null;
  }
}

function placeAmong(places: readonly string[], address: string): Place | null {
  const trial = toTrial(address.split('/')[2] ?? '');
  const same = places.indexOf(address);
  const at = same >= 0 ? same : places.findIndex((place) => place === trial || place.startsWith(`${trial}/at/`));
  return at < 0 ? null : { before: places[at - 1] ?? null, after: places[at + 1] ?? null, place: at + 1, total: places.length };
}

/** What comes before and after an address in the list that it was opened from if it is in there, else in the arm of its trial. */
export async function neighboursOf(
  api: Api,
  address: string,
  walk: Walk | null,
  line: Pick<TrialLine, 'experiment' | 'arm' | 'trial'> | null,
  signal: AbortSignal,
): Promise<Neighbours | null> {
  const found =
    walk !== null && Array.isArray(walk.list)
      ? placeAmong(walk.list, address)
      : line !== null && isOf(walk, line.experiment)
        ? await placeIn(api, walk.list, line.trial, signal)
        : null;
  if (walk !== null && found !== null) return { ...found, list: { name: walk.name, from: walk.from } };
  if (line === null) return null;
  const { experiment, arm, trial } = line;
  const ofArm = await placeIn(api, { experiment, arm, order: 'case' }, trial, signal);
  return ofArm === null ? null : { ...ofArm, list: null };
}
