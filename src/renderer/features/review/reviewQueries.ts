import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { z } from 'zod';
import type { DisagreementQuery, ReviewQuery, reviewGivenSchema } from '../../../shared/api/reviews.ts';
import { fresh, useApi, useRead, useReread } from '../../api/ApiContext.tsx';
import { useEngineStatus } from '../../app/engineStatus.ts';

type Asked = 'next' | 'results' | 'given' | 'sign-offs' | 'disagreements';
const keyOf = (experiment: string, asked: Asked) => ['reviews', asked, experiment] as const;

/** How many trials of a run have ended. Not the stream of trials: it would bring their verdicts. */
const useDecided = (experiment: string) =>
  useEngineStatus((status) => status?.runs.find((run) => run.experiment === experiment)?.decided);

/** What a reviewer judges next. A case that is there stays; without one, each verdict of a run is a reason to look again. */
export function useReviewPage(query: ReviewQuery) {
  const decided = useDecided(query.experiment);
  const page = useRead([...keyOf(query.experiment, 'next'), query], (api, given) => api.reviews.next(query, given), fresh);
  const { refetch } = page;
  const isWaiting = page.data?.task === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new verdict is the reason
  useEffect(() => {
    if (isWaiting) void refetch();
  }, [isWaiting, decided, refetch]);
  return page;
}

export const useReviewResults = (experiment: string) =>
  useRead(keyOf(experiment, 'results'), (api, given) => api.reviews.results({ experiment }, given), fresh);

export const useGivenReviews = (experiment: string) =>
  useRead(keyOf(experiment, 'given'), (api, given) => api.reviews.given({ experiment }, given), fresh);

export type Answer = Omit<z.infer<typeof reviewGivenSchema>, 'experiment' | 'reviewer'>;

/** Puts answers on the record; it is done when the next case is there. */
export function useGiveReview({ experiment, reviewer }: ReviewQuery) {
  const api = useApi();
  const reread = useReread();
  return useMutation({
    mutationFn: (answer: Answer) => api.reviews.give({ experiment, reviewer, ...answer }),
    onSuccess: () => {
      for (const asked of ['results', 'given', 'sign-offs', 'disagreements'] as const) void reread(keyOf(experiment, asked));
      return reread(keyOf(experiment, 'next'));
    },
  });
}

/** Who signed, and what a signature would cover; read again with each verdict of a run. */
export function useSignOffs(experiment: string) {
  const decided = useDecided(experiment);
  const page = useRead(keyOf(experiment, 'sign-offs'), (api, given) => api.reviews.signOffs({ experiment }, given), fresh);
  const { refetch } = page;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new verdict is the reason
  useEffect(() => void refetch(), [decided, refetch]);
  return page;
}

export const useDisagreements = (query: DisagreementQuery) =>
  useRead([...keyOf(query.experiment, 'disagreements'), query], (api, given) => api.reviews.disagreements(query, given), fresh);

function usePut<Input extends { readonly experiment: string }>(put: (input: Input) => Promise<unknown>) {
  const reread = useReread();
  return useMutation({
    mutationFn: put,
    // What was refused was about another state than the one that is there.
    onSettled: (_seq, _error, { experiment }) => {
      void reread(keyOf(experiment, 'results'), keyOf(experiment, 'sign-offs'));
      return reread(keyOf(experiment, 'disagreements'));
    },
  });
}

export function useAdjudicate() {
  const { reviews } = useApi();
  return usePut((found: Parameters<typeof reviews.adjudicate>[0]) => reviews.adjudicate(found));
}

export function useSign() {
  const { reviews } = useApi();
  return usePut((signed: Parameters<typeof reviews.sign>[0]) => reviews.sign(signed));
}
