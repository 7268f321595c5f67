import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReviewQuery } from '../../../shared/api/reviews.ts';
import type { Review } from '../../../shared/reviews.ts';
import { useApi } from '../../api/ApiContext.tsx';

const reviewsKey = (experiment: string) => ['reviews', experiment] as const;

/** What a reviewer judges next. */
export function useReviewPage(query: ReviewQuery) {
  const api = useApi();
  return useQuery({
    queryKey: [...reviewsKey(query.experiment), 'next', query],
    queryFn: ({ signal }) => api.reviews.next(query, { signal }),
  });
}

export function useReviewReport(experiment: string) {
  const api = useApi();
  return useQuery({
    queryKey: [...reviewsKey(experiment), 'report'],
    queryFn: ({ signal }) => api.reviews.report({ experiment }, { signal }),
  });
}

/** What is said of a trial. */
export interface Answer {
  readonly trial: string;
  readonly judgement: Review['judgement'] | 'withdrawn';
  readonly label: string | null;
  readonly reason: string | null;
  readonly seconds: number;
  readonly replaces: number | null;
}

/** Puts answers on the record; the next case is read when one is. */
export function useGiveReview({ experiment, reviewer, blind }: ReviewQuery) {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (answer: Answer) => api.reviews.give({ experiment, reviewer, blind, ...answer }),
    onSuccess: () => client.invalidateQueries({ queryKey: reviewsKey(experiment) }),
  });
}
