import { type Dispatch, type SetStateAction, useEffect } from 'react';
import { z } from 'zod';
import { useSessionState } from '../../ui/sessionState.ts';

const nameSchema = z.string();
const seenSchema = z.array(z.string());

/** The name under which somebody reviews an experiment, as long as the tab is open. */
export const useReviewerName = (experiment: string): [string, Dispatch<SetStateAction<string>>] =>
  useSessionState(`reviewer/${experiment}`, nameSchema, () => '');

/** Trials of an experiment whose verdict this tab has shown to a reviewer, or (with no name) on their own screens. */
export const useSeenTrials = (experiment: string, reviewer: string): [readonly string[], Dispatch<SetStateAction<string[]>>] =>
  useSessionState(`review-seen/${experiment}/${reviewer}`, seenSchema, () => []);

/** The trials with one more. */
export const withTrial = (trial: string) => (before: string[]) => (before.includes(trial) ? before : [...before, trial]);

/** Keeps that a trial stood before whoever sits at this tab. */
export function useShownTrial(experiment: string, trial: string): void {
  const [, setSeen] = useSeenTrials(experiment, '');
  useEffect(() => setSeen(withTrial(trial)), [trial, setSeen]);
}
