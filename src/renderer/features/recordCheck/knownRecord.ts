import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { KnownFault } from '../../../shared/api/record.ts';
import { fresh, useApi, useRead } from '../../api/ApiContext.tsx';
import { useTask } from '../../api/useTask.ts';

export const knownRecordKey = ['record', 'known'] as const;

/** What earlier checks of the open record found; nothing is checked for it. */
export function useKnownRecord() {
  return useRead(knownRecordKey, (api, given) => api.record.known({}, given), fresh).data;
}

export const checkpointKey = ['checkpoint'] as const;

export const useCheckpoint = () => useRead(checkpointKey, (api, given) => api.record.checkpoint({}, given), fresh);

export function useRecordPlace() {
  return useRead(['record', 'place'], (api, given) => api.record.place({}, given)).data;
}

/** The check of the whole open record. @param given the root or head that it should have, if one is entered */
export function useRecordCheck(given: string | null = null) {
  const api = useApi();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<string | null>(null);
  const { task, start, cancel } = useTask(
    (signal, head: string | null) => api.record.check({ head }, { signal }),
    () => queries.invalidateQueries({ queryKey: knownRecordKey }),
  );
  const check = () => {
    setAsked(given);
    start(given);
  };
  return { task, start: check, cancel, root: { given, asked } };
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
