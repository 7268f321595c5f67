import type { ChangeStatistics } from '../../shared/changeStatistics.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { calledAsShown, shownArmNames } from '../figures/armNames.ts';
import { speechName } from '../figures/speakers.ts';

/** Whether all trials are one that is tried again with changes. */
export const isOneTrial = ({ arms }: Pick<StatsReport, 'arms'>): boolean =>
  arms.some(({ change }) => change !== undefined) && arms.every(({ planned }) => planned === 1);

const nothingCompared = {
  sentence: 'Nothing is compared with baselines or other arms: this set has one case.',
  rule: 'On one case an arm is right or wrong, which does not show how often it is right.',
};

/** A set about one trial without what a single case cannot show. */
function withoutComparisons(report: StatsReport): StatsReport {
  if (!isOneTrial(report)) return report;
  const { primary: _primary, ...rest } = report;
  return {
    ...rest,
    ...{ baselines: [], missing_baselines: [], comparisons: [] },
    finding: report.damage === undefined ? nothingCompared : report.finding,
  };
}

/** What is changed. If `vary` named the arm, that name says more: it also gives the model or the parameter. */
function changeText({ arm, changed_arm: name, change }: ChangeStatistics, speeches: Readonly<Record<string, string>>): string {
  const text = name.startsWith(`${arm} (`) && name.endsWith(')') ? name.slice(arm.length + 2, -1) : change;
  const key = Object.keys(speeches)
    .filter((each) => text.includes(each))
    .toSorted((one, other) => other.length - one.length)[0];
  return key === undefined ? text : text.replace(key, () => `“${speeches[key]}”`);
}

/** The report as people read it: speeches are called as in the transcript, and what a set about one trial cannot show is left out. */
export function forReaders(report: StatsReport): StatsReport {
  const { changes, speech_worth: worth, turn_effects: turns, speech_names: names = {} } = report;
  const called = <Row extends { arm: string; speech?: string | undefined }>(row: Row): Row =>
    row.speech === undefined
      ? row
      : // Keys contain a slash; names stay as they are.
        { ...row, speech: names[row.arm]?.[row.speech] ?? (row.speech.includes('/') ? speechName(row.speech) : row.speech) };
  return withoutComparisons({
    ...report,
    ...(changes && { changes: changes.map((each) => ({ ...called(each), change: changeText(each, names[each.arm] ?? {}) })) }),
    ...(worth && { speech_worth: worth.map(called) }),
    ...(turns && { turn_effects: turns.map(called) }),
  });
}

/** By its name in the record, what each arm is called in a report. */
export const armNamesOf = ({ arms, unreported_arms: others, speech_names: speeches = {} }: StatsReport): Map<string, string> =>
  shownArmNames([...arms.map(({ arm }) => arm), ...others], (speech, arm) => speeches[arm]?.[speech] ?? speechName(speech));

/** A report with its arms called as screens call them. */
export const withArmNames = (report: StatsReport): StatsReport => calledAsShown(report, armNamesOf(report));
