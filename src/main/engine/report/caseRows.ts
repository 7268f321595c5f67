// One row for each case, with what every arm answered: of screens and of the export.
import type { CaseRow } from '../../../shared/api/caseTable.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';

const answerOf = ({ outcome, prediction }: Pick<TrialLine, 'outcome' | 'prediction'>) =>
  JSON.stringify([outcome, Array.isArray(prediction) ? prediction.toSorted() : prediction]);

function cellOf(lines: readonly TrialLine[]): CaseRow['cells'][number] {
  const byAnswer = [...Map.groupBy(lines, answerOf).values()].toSorted((one, other) => other.length - one.length);
  return byAnswer.flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const { outcome, prediction, confidence, belief_source, incomplete, inconsistent, trial } = first;
    const confidences = [first, ...more].map((line) => line.confidence);
    const trials = confidences.length;
    return [{ outcome, prediction, confidence, belief_source, incomplete, inconsistent, trial, trials, confidences }];
  });
}

/** How sure each trial of a cell is, in the order of its answers: `0.8; ; 0.6`; empty where none says it. */
export function confidencesText(cell: CaseRow['cells'][number]): string {
  const all = cell.flatMap(({ confidences }) => confidences);
  return all.every((each) => each === null) ? '' : all.map((each) => each ?? '').join('; ');
}

/** @param sample ids of the cases in the order of the rows; a case that is not in it comes last */
export function caseRows(lines: Iterable<TrialLine>, arms: readonly string[], sample: readonly string[]): CaseRow[] {
  const begun = [...lines].filter(({ status }) => status !== 'queued');
  const positions = new Map(sample.map((id, place) => [id, place]));
  const placeOf = ({ case: id }: CaseRow) => positions.get(id) ?? sample.length;
  return [...Map.groupBy(begun, (line) => line.case)]
    .flatMap(([id, mine]): CaseRow[] => {
      const [first] = mine;
      const byArm = Map.groupBy(mine, ({ arm }) => arm);
      const cells = arms.map((arm) => cellOf(byArm.get(arm) ?? []));
      return first === undefined ? [] : [{ case: id, truth: first.truth, groups: first.groups, cells }];
    })
    .toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Whether two arms came to different verdicts: each trial of each arm counts. */
export function disagree({ cells }: CaseRow): boolean {
  const verdicts = cells.map((answers) => answers.filter(({ outcome }) => outcome === 'decided').map(answerOf));
  return verdicts.some((mine, place) =>
    verdicts.slice(place + 1).some((other) => mine.some((one) => other.some((each) => each !== one))),
  );
}
