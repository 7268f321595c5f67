import { useEffect, useState } from 'react';
import type { SearchFrame, SearchHit } from '../../../shared/api/search.ts';
import { readAgain, useApi } from '../../api/ApiContext.tsx';
import { useTask } from '../../api/useTask.ts';
import { useDebounced } from '../../ui/useDebounced.ts';
import { rememberShown } from '../review/reviewSession.ts';
import { walkPlaces } from '../trial/walkedList.ts';
import { idOf, toHit } from './FoundWords.tsx';

export interface Found {
  readonly hits: readonly SearchHit[];
  readonly count: number;
  readonly mostCounted: number;
  /** Where the next hits begin; null where all are there. */
  readonly next: number | null;
}

/** The hits of before with further ones: a trial that ended in between has moved some of them down. */
function withFurther(before: readonly SearchHit[], further: readonly SearchHit[]): SearchHit[] {
  const known = new Set(before.map(idOf));
  return [...before, ...further.filter((hit) => !known.has(idOf(hit)))];
}

/** Has next and previous walk the hits that are there, of those that are of a trial. @param from address of the search; absent: it is open */
export const walkHits = ({ hits, count }: Found, from?: string): void =>
  walkPlaces(hits.length < count ? 'newest search hits' : 'search hits', hits.filter(({ of }) => of !== null).map(toHit), from);

/** Searches all that was said once the words rest; newer ones replace it. @param sought empty: none @param limit hits */
export function useSearch(sought: string, experiment: string | null, limit: number) {
  const api = useApi();
  const rested = useDebounced(sought.trim(), 250);
  const [found, setFound] = useState<Found | null>(null);
  const { task, start, cancel } = useTask<SearchFrame, number>(async (signal, offset) =>
    readAgain(() => api.search.find({ sought: rested, experiment, offset, limit }, { signal }), signal),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a search begins when what is sought changes
  useEffect(() => {
    setFound(null);
    if (rested === '') cancel();
    else start(0);
  }, [rested, experiment]);
  const result = task.state === 'done' ? task.result.result : null;
  useEffect(() => {
    if (result === null) return;
    for (const { experiment: name, of, isPerson } of result.hits) if (isPerson && of !== null) rememberShown(name, of.trial);
    setFound((before) => {
      const next = (before?.next ?? 0) + limit;
      return { ...result, hits: withFurther(before?.hits ?? [], result.hits), next: next < result.count ? next : null };
    });
  }, [result, limit]);
  /** Continues after the hits that are there, or starts again. */
  const more = () => start(found?.next ?? 0);
  return { rested, found: rested === '' ? null : found, task, more };
}
