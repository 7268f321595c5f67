import { isUnderWay, type Run } from '../../shared/api/engine.ts';
import { quantity } from '../ui/quantity.ts';

/** Runs that were under way and have ended since. One that the page did not see under way is no news. */
export function endedSince(before: readonly Run[], now: readonly Run[]): Run[] {
  const running = new Set(before.filter(isUnderWay).map(({ experiment }) => experiment));
  return now.filter((run) => running.has(run.experiment) && !isUnderWay(run));
}

/** How each run ends, after its name, and what there is to say about it. No words of an error: they can hold words of a case. */
const endings: Partial<Record<Run['state'], readonly [how: string, sentence: string]>> = {
  finished: ['is finished', ''],
  stopped: ['was stopped', ''],
  failed: ['ended with an error', 'Its screen says why. '],
  interrupted: ['was interrupted', 'The program ended before the run did. Resume it on its screen. '],
};

/** What is said of a run that has ended. @param name by which the user knows the experiment */
export function noticeOf({ state, done, decided, planned }: Run, name: string): { title: string; body: string } {
  const [how, sentence] = endings[state] ?? ['has ended', ''];
  const failed = done - decided;
  const counts = `${quantity(planned, 'trial')}: ${done} done, ${decided} decided${failed === 0 ? '' : `, ${failed} failed`}.`;
  return { title: `“${name}” ${how}`, body: `${sentence}${counts}` };
}
