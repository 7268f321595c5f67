// What the same answer every time would reach: that of the baseline `majority`, and the most frequent one of the cases tried.
import { rightWords } from '../../shared/decidedBy.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { count } from '../../shared/sizes.ts';
import { oneAnswer } from '../statistics/measures/finding.ts';

type Report = Pick<StatsReport, 'baselines' | 'finding' | 'decided_by'>;

const trialsText = ({ finding: { commonest } }: Report): string =>
  commonest?.trials == null ? '' : ` (in each arm, ${count(commonest.trials.n)} of ${count(commonest.trials.of)} trials)`;

/** What the most frequent label of the cases tried would reach; null where it is not known. */
export function commonestText(report: Report): string | null {
  const { commonest } = report.finding;
  if (commonest === undefined) return null;
  const { label, cases, of } = commonest;
  return `The same answer for everybody, ${label}, which is the most frequent in the cases tried here, would ${rightWords(report).be} in ${count(cases)} of ${count(of)} cases${trialsText(report)}.`;
}

/** Nothing where no baseline always gives one answer: the finding then says what the most frequent label would reach. */
export function constantTexts(report: Report): string[] {
  const found = report.baselines.flatMap((baseline) => {
    const answer = oneAnswer(baseline);
    const accuracy = baseline.measures.find(({ name, over, label }) => name === 'accuracy' && over === 'all' && label === null);
    return answer === null || accuracy?.value == null
      ? []
      : [{ ...baseline, answer, n: accuracy.n, right: Math.round(accuracy.value * accuracy.n) }];
  })[0];
  if (found === undefined) return [];
  const { arm, about, answer, n, right } = found;
  const isSame = report.finding.commonest?.label === answer;
  const learned = about.trained_on === 1 ? 'the case' : `the ${count(about.trained_on)} cases`;
  const text = `The baseline ${arm} always answers ${answer}, the most frequent answer in ${learned} that it learned from: it ${rightWords(report).was} in ${count(right)} of ${count(n)} cases${isSame ? trialsText(report) : ''}.`;
  const commonest = isSame ? null : commonestText(report);
  return [text, ...(commonest === null ? [] : [commonest])];
}
