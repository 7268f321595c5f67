// What is known of damage in the record without looking for it: what checks, trials that were opened, lists and exports found.
import type { KnownFault, KnownRecord, RecordCheck } from '../../../shared/api/record.ts';
import type { Damage } from '../../../shared/outputs.ts';
import { fileStamp } from '../store/fileStamp.ts';

/** Faults that are kept of one finding; a damaged record can have as many as trials. */
const mostKept = 100;

export interface KnownFaults {
  read(): KnownRecord;
  /** A check of the whole record begins; call what it returns with what the check found. */
  checking(): (check: RecordCheck) => void;
  /** The chains and rows of an experiment. */
  listed(experiment: string, damage: Damage): void;
  /** A trial that was opened (`trial`), checked from its bytes up (`trial-check`) or replayed; null where nothing is wrong with it. */
  trial(by: 'trial' | 'trial-check' | 'replay', experiment: string, trial: string, problem: string | null): void;
  /** An export that was refused. */
  refused(experiment: string, damage: { readonly trial: string | null; readonly problem: string }): void;
}

const isTrial = (chain: string | null): chain is string => chain !== null && /^[0-9a-f]{16}$/.test(chain);
const experimentOf = (chain: string | null) => /^(?:experiment|preparation|review)\/([\s\S]*)$/.exec(chain ?? '')?.[1] ?? null;

/** A fault in a chain, which is a trial or what trials share. */
interface ChainFault {
  readonly experiment: string | null;
  readonly chain: string | null;
  readonly problem: string;
}

/** The chains that a check names, or at least their experiments. */
function faultsIn({ first_bad: bad }: RecordCheck): ChainFault[] {
  if (bad === null) return [];
  const { trial, problem, uses = [] } = bad;
  const named = uses.map((use) => ({ experiment: use.experiment, chain: use.trial, problem }));
  return named.length > 0 ? named : [{ experiment: experimentOf(trial), chain: trial, problem }];
}

/** @param now milliseconds of the clock */
export function openKnownFaults(store: string, now: () => number): KnownFaults {
  const faults = new Map<string, KnownFault>();
  let last: { readonly at: string; readonly result: RecordCheck['result']; readonly writes: string } | null = null;
  const at = () => new Date(now()).toISOString();
  const add = (by: KnownFault['by'], { experiment, chain, problem }: ChainFault) =>
    faults.set(JSON.stringify([by, experiment, chain, problem]), {
      experiment,
      trial: isTrial(chain) ? chain : null,
      problem,
      by,
      at: at(),
    });
  const forget = (which: (fault: KnownFault) => boolean) => {
    for (const [key, fault] of faults) if (which(fault)) faults.delete(key);
  };
  return {
    read: () => ({
      last: last === null ? null : { at: last.at, result: last.result, changed_since: last.writes !== fileStamp(store).writes },
      faults: [...faults.values()],
    }),
    checking() {
      // What is written while the check runs may be missing from what it read.
      const { writes } = fileStamp(store);
      return (check) => {
        last = { at: at(), result: check.result, writes };
        // A check ends at the first fault, so that one which finds some says nothing of the others. None replays a trial.
        forget(({ by }) => by === 'check' || (check.result === 'intact' && by !== 'replay'));
        for (const fault of faultsIn(check).slice(0, mostKept)) add('check', fault);
      };
    },
    listed(experiment, { first }) {
      forget((fault) => fault.by === 'list' && fault.experiment === experiment);
      for (const { trial: chain, problem } of first.slice(0, mostKept)) add('list', { experiment, chain, problem });
    },
    trial(by, experiment, trial, problem) {
      // The check of a trial looks at all of it, so that nothing is left where it finds nothing, but for a verdict that does not follow.
      const isSound = by === 'trial-check' && problem === null;
      forget((fault) => fault.trial === trial && (fault.by === by || (isSound && fault.by !== 'replay')));
      if (problem !== null) add(by, { experiment, chain: trial, problem });
    },
    refused(experiment, { trial: chain, problem }) {
      add('export', { experiment, chain, problem });
    },
  };
}
