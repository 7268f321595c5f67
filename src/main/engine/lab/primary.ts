// Checks what an experiment decides beforehand.
import { comparableBaselines } from '../../../core/baselines/baseline.ts';
import { qualitiesOf } from '../../../core/statistics/measures/pairedDifferences.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import { baselineMark } from '../../../shared/primary.ts';
import type { Dataset } from '../datasets/dataset.ts';
import type { Fail, PreparedExperiment } from './preparedArm.ts';

/** An experiment of other arms and cases than its file has: what the file decides beforehand is not about it. */
export function withoutPrimary({ primary: _primary, stop: _stop, ...rest }: Experiment): Experiment {
  return rest;
}

/** Refuses a primary comparison or a stopping rule that cannot be meant. */
export function refuseUnfitPrimary({ arms, primary, stop }: Experiment, fail: Fail): void {
  if (primary === undefined) {
    if (stop !== undefined)
      throw fail('a run can only stop by the interval of the primary comparison; add "primary", or leave "stop" out', ['stop']);
    return;
  }
  const { compare, test, margin, measure } = primary;
  const names = arms.map(({ name }) => name);
  const [first, second] = compare;
  const listed = names.map((name) => JSON.stringify(name)).join(', ');
  const lacking = (name: string) =>
    `there is no arm ${JSON.stringify(name)}; the arms are ${listed}; an imported arm cannot be named, because its results are known beforehand: reports compare it as exploratory`;
  if (!names.includes(first)) throw fail(lacking(first), ['primary', 'compare', 0]);
  const isBaseline = !names.includes(second) && second.startsWith(baselineMark);
  if (isBaseline && !comparableBaselines().some((name) => second === `${baselineMark}${name}`)) {
    const known = comparableBaselines()
      .map((name) => `${baselineMark}${name}`)
      .join(', ');
    throw fail(`there is no ${JSON.stringify(second)} to compare with; there are ${known}`, ['primary', 'compare', 1]);
  }
  if (!isBaseline && !names.includes(second)) {
    throw fail(`${lacking(second)}; a baseline is named as "${baselineMark}majority"`, ['primary', 'compare', 1]);
  }
  if (first === second) throw fail('the same arm stands twice; name two', ['primary', 'compare', 1]);
  if (test === 'difference' && margin !== undefined)
    throw fail('the test of a difference has no margin; leave it out, or set "test"', ['primary', 'margin']);
  if (test !== 'difference' && margin === undefined) {
    throw fail(`this test needs "margin": the smallest difference of ${measure} that would matter, such as 0.05`, [
      'primary',
      'test',
    ]);
  }
  if (stop === undefined) return;
  if (measure !== 'accuracy' || isBaseline)
    throw fail('a run can only stop by the accuracy of two arms; compare these, or leave "stop" out', ['stop']);
}

export function refuseUnfitMeasure({ experiment: { primary }, file }: PreparedExperiment, data: Dataset): void {
  if (primary === undefined) return;
  const onTrial = new Set(data.sample);
  if (!data.cases.some(({ id, truth }) => truth !== null && onTrial.has(id))) {
    throw file.error('no case on trial has a known truth, so nothing can be compared; leave "primary" out', ['primary']);
  }
  const allowed = qualitiesOf([], data).map(({ name }) => name);
  if (allowed.includes(primary.measure)) return;
  throw file.error(`these cases do not allow ${primary.measure}; they allow ${allowed.join(', ')}`, ['primary', 'measure']);
}
