import { isUnderWay, type Run } from '../../shared/api/engine.ts';
import { quantity } from '../ui/quantity.ts';

/** Runs that were under way and have ended since. One that the page did not see under way is no news. */
export function endedSince(before: readonly Run[], now: readonly Run[]): Run[] {
  const running = new Set(before.filter(isUnderWay).map(({ experiment }) => experiment));
  return now.filter((run) => running.has(run.experiment) && !isUnderWay(run));
}

/** What is said of a run that has ended. @param name by which the user knows the experiment */
export function noticeOf({ state, done, decided, planned, error }: Run, name: string): { title: string; body: string } {
  const failed = done - decided;
  const counts = `${quantity(planned, 'trial')}: ${done} done, ${decided} decided${failed === 0 ? '' : `, ${failed} failed`}.`;
  if (state === 'failed')
    return { title: `“${name}” ended with an error`, body: `${error?.message ?? 'No reason was given.'} ${counts}` };
  return { title: state === 'finished' ? `“${name}” is finished` : `“${name}” was stopped`, body: counts };
}
