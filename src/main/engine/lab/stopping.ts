// The stopping rule of an experiment: a function of its record, so that a restarted run ends at the same point.
import { pairedCases, pairedSequence } from '../../../core/statistics/measures/pairedSequence.ts';
import { familyLevel } from '../../../shared/primary.ts';
import { lineReader, trialLines } from '../report/trialLines.ts';
import type { Store } from '../store/store.ts';
import type { TrialRow } from '../store/trials.ts';
import type { FrozenExperiment, PlannedTrial } from './frozen.ts';
import { isOpen } from './recordedProgress.ts';

/** The rule by the record so far; null where the experiment has none. */
export function stoppingRule(store: Store, frozen: FrozenExperiment) {
  const { primary, stop } = frozen.definition;
  if (primary === undefined || stop === undefined) return null;
  const cases = pairedCases([...trialLines(store, frozen)], primary.compare);
  const { width } = stop;
  const sequence = pairedSequence(cases, { alpha: familyLevel(primary), width });
  const positions = new Map(frozen.sample().map((id, position) => [id, position]));
  const compared = new Set<string>(primary.compare);
  const lineOf = lineReader(store, frozen);
  return {
    finish(trial: PlannedTrial, row: TrialRow) {
      if (compared.has(trial.arm)) sequence.finish(lineOf(trial, row));
    },
    /** Null while the run continues. */
    stopped() {
      const after = sequence.after();
      return after === null ? null : { cases: after, ...sequence.interval(), width };
    },
    /** Whether the run has to do a trial that was not begun: not of a case behind the last one that was needed. */
    wants({ caseId }: Pick<PlannedTrial, 'caseId'>) {
      const after = sequence.after();
      if (after === null) return true;
      const last = positions.get(cases[after - 1]?.a[0]?.case ?? '') ?? 0;
      return (positions.get(caseId) ?? 0) <= last;
    },
  };
}

/** Whether the stopping rule of an experiment has ended it: no trial that it still wants is left. */
export function endedByRule(store: Store, frozen: FrozenExperiment): boolean {
  if (frozen.definition.stop === undefined) return false;
  const rule = stoppingRule(store, frozen);
  if (rule === null || rule.stopped() === null) return false;
  const rows = new Map(store.trials.ofExperiment(frozen.name).map((row) => [row.trial, row]));
  return frozen.runTrials().every((trial) => {
    const row = rows.get(trial.id);
    return row === undefined ? !rule.wants(trial) : !isOpen(row, []);
  });
}
