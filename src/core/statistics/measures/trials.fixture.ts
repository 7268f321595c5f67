import type { Measure, Resampling } from '../../../shared/statistics.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { estimates } from './estimates.ts';
import type { PlannedMeasure } from './planned.ts';
import type { MeasuredTrial } from './trials.ts';

/** A decided trial of truth and prediction NO; what a test is about is given. */
export function trial(id: string, change: Partial<MeasuredTrial> = {}): MeasuredTrial {
  return {
    case: id,
    outcome: 'decided',
    incomplete: false,
    inconsistent: false,
    prediction: 'NO',
    confidence: null,
    belief: null,
    truth: 'NO',
    groups: {},
    path: null,
    ...change,
  };
}

/** Trials of cases `c0`, `c1`, …: truth and prediction as single letters, `-` for a failed trial. */
export function answered(pairs: readonly (readonly [truth: string, prediction: string])[]): MeasuredTrial[] {
  return pairs.map(([truth, prediction], index) =>
    prediction === '-'
      ? trial(`c${index}`, { truth, outcome: 'timeout', prediction: null })
      : trial(`c${index}`, { truth, prediction }),
  );
}

export function line(arm: string, measured: MeasuredTrial, change: Partial<TrialLine> = {}): TrialLine {
  const { path: _path, ...rest } = measured;
  return {
    experiment: 'e',
    arm,
    protocol: 'standard',
    protocol_version: 1,
    trial: `${arm}/${measured.case}`,
    replicate: 0,
    attempt: 1,
    seed: 1,
    status: 'done',
    correct: null,
    belief_source: null,
    calls: 1,
    attempts: 1,
    reused: 0,
    prompt_tokens: 10,
    completion_tokens: 5,
    model_ms: 1,
    wall_ms: 1,
    models: ['m'],
    backends: ['b'],
    ambiguous: null,
    head_hash: 'h',
    standin: false,
    swap: null,
    base_arm: null,
    ...rest,
    ...change,
  };
}

export const drawing = (resamples: number): Resampling => ({ resamples, seed: 7, level: 0.95 });

/** Values of planned measures without resamples, by name, base and label. */
export function valuesOf(planned: readonly PlannedMeasure[]): Record<string, Measure> {
  return Object.fromEntries(
    estimates(planned, drawing(0)).map((measure) => [
      [measure.name, measure.over, measure.label, measure.side, measure.turn].filter((part) => part !== null).join(' '),
      measure,
    ]),
  );
}
