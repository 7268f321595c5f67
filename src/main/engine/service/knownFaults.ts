// What is known of damage in the record without looking for it: what checks, trials that were opened, lists and exports found.
import { statSync } from 'node:fs';
import type { KnownFault, KnownRecord, RecordCheck } from '../../../shared/api/record.ts';
import type { Damage } from '../../../shared/outputs.ts';

/** Faults that are kept of one finding; a damaged record can have as many as trials. */
const mostKept = 100;

export interface KnownFaults {
  read(): KnownRecord;
  /** A check of the whole record. */
  checked(check: RecordCheck): void;
  /** The chains and rows of an experiment. */
  listed(experiment: string, damage: Damage): void;
  /** A trial that was opened (`trial`) or checked from its bytes up (`trial-check`); null where nothing is wrong with it. */
  trial(by: 'trial' | 'trial-check', experiment: string, trial: string, problem: string | null): void;
  /** An export that was refused. */
  refused(experiment: string, problem: string): void;
}

const isTrial = (chain: string | null): chain is string => chain !== null && /^[0-9a-f]{16}$/.test(chain);
const experimentOf = (chain: string | null) => /^(?:experiment|preparation|review)\/([\s\S]*)$/.exec(chain ?? '')?.[1] ?? null;

/** The trials that a check names, or at least their experiments. */
function faultsIn({ first_bad: bad }: RecordCheck): Pick<KnownFault, 'experiment' | 'trial' | 'problem'>[] {
  if (bad === null) return [];
  const { trial, problem, uses = [] } = bad;
  const named = uses.map((use) => ({ experiment: use.experiment, trial: isTrial(use.trial) ? use.trial : null, problem }));
  if (named.length > 0) return named;
  return [{ experiment: experimentOf(trial), trial: isTrial(trial) ? trial : null, problem }];
}

/** @param now milliseconds of the clock */
export function openKnownFaults(store: string, now: () => number): KnownFaults {
  const faults = new Map<string, KnownFault>();
  let last: { readonly at: string; readonly result: RecordCheck['result']; readonly stamp: string } | null = null;
  const stamp = () =>
    ['', '-wal']
      .map((suffix) => statSync(store + suffix, { throwIfNoEntry: false }))
      .map((stats) => (stats === undefined ? '' : `${stats.size}-${stats.mtimeMs}`))
      .join();
  const at = () => new Date(now()).toISOString();
  const add = (fault: Omit<KnownFault, 'at'>) =>
    faults.set([fault.by, fault.experiment, fault.trial].join(' '), { ...fault, at: at() });
  const forget = (which: (fault: KnownFault) => boolean) => {
    for (const [key, fault] of faults) if (which(fault)) faults.delete(key);
  };
  return {
    read: () => ({
      last: last === null ? null : { at: last.at, result: last.result, changed_since: last.stamp !== stamp() },
      faults: [...faults.values()],
    }),
    checked(check) {
      last = { at: at(), result: check.result, stamp: stamp() };
      // A check ends at the first fault, so that one which finds some says nothing of the others.
      forget(({ by }) => check.result === 'intact' || by === 'check');
      for (const fault of faultsIn(check).slice(0, mostKept)) add({ ...fault, by: 'check' });
    },
    listed(experiment, { first }) {
      forget((fault) => fault.by === 'list' && fault.experiment === experiment);
      for (const { trial, problem } of first.slice(0, mostKept))
        add({ experiment, trial: isTrial(trial) ? trial : null, problem, by: 'list' });
    },
    trial(by, experiment, trial, problem) {
      forget((fault) => fault.trial === trial && (by === 'trial-check' || fault.by === 'trial'));
      if (problem !== null) add({ experiment, trial, problem, by: 'trial' });
    },
    refused(experiment, problem) {
      const words = /^.*?: (.*?)\. (?:Nothing was exported|If a run)/.exec(problem)?.[1] ?? problem;
      add({ experiment, trial: /\b[0-9a-f]{16}\b/.exec(words)?.[0] ?? null, problem: words, by: 'export' });
    },
  };
}
