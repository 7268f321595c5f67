// In how many cases a method that tried them several times gave another answer than the data set has.
import type { StatsReport } from '../../shared/outputs.ts';
import { quantity } from '../../shared/sizes.ts';
import { plainAmong, type TrialLine } from '../../shared/trialLine.ts';

type Line = Pick<TrialLine, 'arm' | 'case' | 'status' | 'outcome' | 'correct' | 'truth'>;

/** Methods that have a sentence. */
const mostMethods = 8;

const isOther = ({ outcome, correct }: Line) => outcome === 'decided' && correct === false;

/** `Of 60 cases, panel answered otherwise than the bank in every try in 27, in some in 15, in none in 18.` None of unknown truths and single tries. */
export function otherAnswerTexts({ arms, decided_by: by }: Pick<StatsReport, 'arms' | 'decided_by'>, lines: readonly Line[]) {
  const known = lines.filter(({ status, truth }) => status === 'done' && truth !== null);
  const byArm = Map.groupBy(known, ({ arm }) => arm);
  const repeated = plainAmong(arms).flatMap(({ arm }) => {
    const cases = [...Map.groupBy(byArm.get(arm) ?? [], (line) => line.case).values()].filter(({ length }) => length > 1);
    return cases.length === 0 ? [] : [{ arm, cases }];
  });
  const otherwise = by === undefined ? 'was wrong' : `answered otherwise than ${by}`;
  return repeated.slice(0, mostMethods).map(({ arm, cases }) => {
    const every = cases.filter((tries) => tries.every(isOther)).length;
    const none = cases.filter((tries) => !tries.some(isOther)).length;
    const isFailing = cases.some((tries) => tries.some(({ outcome }) => outcome !== 'decided'));
    const ofFailures = isFailing ? ' A try without a decision is no other answer.' : '';
    return `Of ${quantity(cases.length, 'case')}, ${arm} ${otherwise} in every try in ${every}, in some in ${cases.length - every - none}, in none in ${none}.${ofFailures}`;
  });
}
