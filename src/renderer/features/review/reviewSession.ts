import { type Dispatch, type SetStateAction, useEffect } from 'react';
import { z } from 'zod';
import { reviewOrders } from '../../../shared/reviews.ts';
import { readSessionState, saveSessionState, useSessionState } from '../../ui/sessionState.ts';

const nameSchema = z.string();
const seenSchema = z.array(z.string());
const settingsSchema = z.object({
  arm: z.string().nullable(),
  order: z.enum(reviewOrders),
  blind: z.boolean(),
  /** Trial that comes before the order. */
  asked: z.string().nullable(),
});

export const useReviewerName = (experiment: string): [string, Dispatch<SetStateAction<string>>] =>
  useSessionState(`reviewer/${experiment}`, nameSchema, () => '');

const settingsKey = (experiment: string) => `review/${experiment}`;
const firstSettings = () => ({ arm: null, order: 'random' as const, blind: true, asked: null });

/** The reviewer's choices for an experiment, as long as the tab is open. */
export const useReviewSettings = (experiment: string) => useSessionState(settingsKey(experiment), settingsSchema, firstSettings);

/** Makes the review screen start with a trial, and continue from there. */
export function askForReview(experiment: string, arm: string, trial: string): void {
  const key = settingsKey(experiment);
  const settings = readSessionState(key, settingsSchema, sessionStorage) ?? firstSettings();
  saveSessionState(key, { ...settings, arm, asked: trial });
}

const seenKey = (experiment: string, reviewer: string) => `review-seen/${experiment}/${reviewer}`;

/** Trials of an experiment whose verdict this tab has shown to a reviewer, or (with no name) on their own screens. */
export const useSeenTrials = (experiment: string, reviewer: string): [readonly string[], Dispatch<SetStateAction<string[]>>] =>
  useSessionState(seenKey(experiment, reviewer), seenSchema, () => []);

export const withTrial = (trial: string) => (before: string[]) => (before.includes(trial) ? before : [...before, trial]);

/** Remembers that the reader at this tab has seen what people say of a trial, for when the reviews are opened. */
export function rememberShown(experiment: string, trial: string): void {
  const key = seenKey(experiment, '');
  saveSessionState(key, withTrial(trial)(readSessionState(key, seenSchema, sessionStorage) ?? []));
}

export function useShownTrial(experiment: string, trial: string): void {
  const [, setSeen] = useSeenTrials(experiment, '');
  useEffect(() => setSeen(withTrial(trial)), [trial, setSeen]);
}
