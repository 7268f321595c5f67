// The list of trials that a trial was opened from, which next and previous walk.
import { z } from 'zod';
import type { TrialQuery } from '../../../shared/api/experiments.ts';
import { trialQuerySchema } from '../../../shared/api/experiments.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import type { Api } from '../../api/session.ts';
import { toExperiment } from '../../app/routes.ts';
import { readSessionState, saveSessionState } from '../../ui/sessionState.ts';

export type WalkedList = Omit<TrialQuery, 'offset' | 'limit'>;

const key = 'trial/list';
const walkSchema = z.strictObject({
  list: trialQuerySchema.omit({ offset: true, limit: true }),
  /** What stands in the address of the list after experiment and part. */
  state: z.string(),
});

export const walkList = (list: WalkedList, state: string): void => saveSessionState(key, { list, state });

const walked = (experiment: string) => {
  const found = readSessionState(key, walkSchema, sessionStorage);
  return found?.list.experiment === experiment ? found : null;
};

/** The list of an experiment's trials that one was opened from; the experiment where none was. */
export function toWalkedList(experiment: string): string {
  const { state } = walked(experiment) ?? {};
  return state ? `${toExperiment(experiment)}/trials/${state}` : toExperiment(experiment);
}

export interface Neighbours {
  readonly before: string | null;
  readonly after: string | null;
  /** 1-based. */
  readonly place: number;
  readonly total: number;
  /** Whether the list is the one that the trial was opened from; else it has the begun trials of its arm, by case. */
  readonly isWalked: boolean;
}

/** One less than what the engine gives at a time. */
const pageSize = 499;

async function placeIn(
  api: Api,
  list: WalkedList,
  trial: string,
  signal: AbortSignal,
): Promise<Omit<Neighbours, 'isWalked'> | null> {
  let last: string | null = null;
  for (let offset = 0; ; offset += pageSize) {
    // One more than a page: the trial after the last one of the page.
    const { lines, total } = await api.experiments.trials({ ...list, offset, limit: pageSize + 1 }, { signal });
    const at = lines.slice(0, pageSize).findIndex((line) => line.trial === trial);
    if (at >= 0)
      return { before: lines[at - 1]?.trial ?? last, after: lines[at + 1]?.trial ?? null, place: offset + at + 1, total };
    last = lines[pageSize - 1]?.trial ?? null;
    if (offset + pageSize >= total) return null;
  }
}

/** The trials before and after this one, in the list that it was opened from if it is in there. */
export async function neighboursOf(
  api: Api,
  { experiment, arm, trial }: Pick<TrialLine, 'experiment' | 'arm' | 'trial'>,
  signal: AbortSignal,
): Promise<Neighbours | null> {
  const { list } = walked(experiment) ?? {};
  const found = list === undefined ? null : await placeIn(api, list, trial, signal);
  if (found !== null) return { ...found, isWalked: true };
  const ofArm = await placeIn(api, { experiment, arm, order: 'case' }, trial, signal);
  return ofArm === null ? null : { ...ofArm, isWalked: false };
}
