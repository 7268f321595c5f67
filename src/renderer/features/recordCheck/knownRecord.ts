import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { KnownFault } from '../../../shared/api/record.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { useTask } from '../../api/useTask.ts';

export const knownRecordKey = ['record', 'known'] as const;

/** What earlier checks of the open record found; nothing is checked for it. */
export function useKnownRecord() {
  const api = useApi();
  return useQuery({
    queryKey: knownRecordKey,
    queryFn: ({ signal }) => api.record.known({}, { signal }),
    refetchOnMount: 'always',
  }).data;
}

/** The check of the whole open record. */
export function useRecordCheck() {
  const api = useApi();
  const queries = useQueryClient();
  return useTask(
    (signal) => api.record.check({}, { signal }),
    () => queries.invalidateQueries({ queryKey: knownRecordKey }),
  );
}

/** The two words for what is wrong in a record: what a hash shows, and what cannot be read. */
export const faultWords = (problem: string) =>
  /\b(?:missing|damaged|cannot be read)\b/.test(problem) ? 'damaged' : 'changed after it was written';

/** The same in a sentence. */
export const faultSentence = (problem: string) =>
  faultWords(problem) === 'damaged' ? 'is damaged' : 'was changed after it was written';

/** The same of what is known. */
export const knownSentence = ({ by, problem }: KnownFault) =>
  by === 'replay' ? 'has a verdict that does not follow from the recorded answers' : faultSentence(problem);

/** By experiment, the trials with a known fault; a fault of no trial leaves its list empty. */
export function trialsByExperiment(faults: readonly KnownFault[]): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { experiment, trial } of faults) {
    if (experiment === null) continue;
    const trials = found.get(experiment) ?? [];
    if (trial !== null && !trials.includes(trial)) trials.push(trial);
    found.set(experiment, trials);
  }
  return found;
}
