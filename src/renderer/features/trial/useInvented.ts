import type { TrialLine } from '../../../shared/trialLine.ts';
import { useEngineStatus } from '../../app/engineStatus.ts';
import { answersInvented } from '../protocols/backends.ts';
import { useBackends } from '../protocols/useBackends.ts';

/** Whether the demo model speaks: by the record, and before the first answer is on it by who is being asked. */
export function useInvented({ standin, status, experiment }: TrialLine): boolean {
  const run = useEngineStatus()?.runs.find((each) => each.experiment === experiment);
  const asked = status === 'running' && !standin;
  const reports = useBackends({ enabled: asked }).data ?? [];
  return standin || (asked && run !== undefined && answersInvented(reports, run.backend));
}
