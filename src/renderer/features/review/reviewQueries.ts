import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ReviewQuery } from '../../../shared/api/reviews.ts';
import type { Review } from '../../../shared/reviews.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { useEngineStatus } from '../../app/engineStatus.ts';

const nextKey = (experiment: string) => ['reviews', 'next', experiment] as const;
const resultsKey = (experiment: string) => ['reviews', 'results', experiment] as const;

/** What a reviewer judges next. A case that is there stays; without one, each verdict of a run is a reason to look again. */
export function useReviewPage(query: ReviewQuery) {
  const api = useApi();
  // Not the stream of trials: it would bring their verdicts.
  const decided = useEngineStatus((status) => status?.runs.find(({ experiment }) => experiment === query.experiment)?.decided);
  const page = useQuery({
    queryKey: [...nextKey(query.experiment), query],
    queryFn: ({ signal }) => api.reviews.next(query, { signal }),
    refetchOnMount: 'always',
  });
  const { refetch } = page;
  const isWaiting = page.data?.task === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new verdict is the reason
  useEffect(() => {
    if (isWaiting) void refetch();
  }, [isWaiting, decided, refetch]);
  return page;
}

export function useReviewResults(experiment: string) {
  const api = useApi();
  return useQuery({
    queryKey: resultsKey(experiment),
    queryFn: ({ signal }) => api.reviews.results({ experiment }, { signal }),
    refetchOnMount: 'always',
  });
}

/** What is said of a trial. */
export interface Answer {
  readonly trial: string;
  readonly judgement: Review['judgement'] | 'withdrawn';
  readonly label: string | null;
  readonly reason: string | null;
  readonly blind: boolean;
  readonly seconds: number;
  readonly replaces: number | null;
}

/** Puts answers on the record; it is done when the next case is there. */
export function useGiveReview({ experiment, reviewer }: ReviewQuery) {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (answer: Answer) => api.reviews.give({ experiment, reviewer, ...answer }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: resultsKey(experiment) });
      return client.invalidateQueries({ queryKey: nextKey(experiment) });
    },
  });
}
