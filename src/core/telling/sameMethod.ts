// How the trials of one case in one arm ended, where an experiment tries each case several times.
import { predictionText } from '../../shared/predictionText.ts';
import { count } from '../../shared/sizes.ts';
import type { TrialLine } from '../../shared/trialLine.ts';

type Run = Pick<TrialLine, 'status' | 'outcome' | 'prediction'>;

const endOf = ({ status, outcome, prediction }: Run): string =>
  status === 'done' ? ((outcome === 'decided' ? predictionText(prediction) : null) ?? 'no decision') : 'not ended yet';

/**
 * Such as `This method tried this case 2 times: 1 GRANT, 1 REFUSE.` Null where there is one trial, and for an open question.
 * @param runs some of the trials, in any order
 * @param all how many there are
 */
export function sameMethodText(runs: readonly Run[], all: number, labels: readonly string[]): string | null {
  if (runs.length < 2 || labels.length === 0) return null;
  const ends = [...Map.groupBy(runs, endOf)].toSorted(
    ([one, some], [other, more]) => more.length - some.length || (one < other ? -1 : 1),
  );
  const verb = runs.every(({ status }) => status === 'done') ? 'tried' : 'tries';
  const times = `This method ${verb} this case ${count(Math.max(all, runs.length))} times`;
  const some = all > runs.length ? `, ${count(runs.length)} of which are shown here` : '';
  const [first] = ends;
  return `${times}${some}: ${ends.length === 1 && first !== undefined ? `each time ${first[0]}` : ends.map(([end, of]) => `${count(of.length)} ${end}`).join(', ')}.`;
}
