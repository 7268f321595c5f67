import { useQuery } from '@tanstack/react-query';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { useApi } from '../../api/ApiContext.tsx';
import type { Api } from '../../api/session.ts';

interface Neighbours {
  readonly before: string | null;
  readonly after: string | null;
  /** 1-based place among the begun trials of the arm, by case. */
  readonly place: number;
  readonly total: number;
}

const pageSize = 500;

async function neighboursOf(api: Api, { experiment, arm, trial }: TrialLine, signal: AbortSignal): Promise<Neighbours | null> {
  let last: string | null = null;
  for (let offset = 0; ; offset += pageSize) {
    const page = await api.experiments.trials({ experiment, arm, order: 'case', offset, limit: pageSize }, { signal });
    const at = page.lines.findIndex((line) => line.trial === trial);
    if (at >= 0) {
      const next =
        page.lines[at + 1] ??
        (await api.experiments.trials({ experiment, arm, order: 'case', offset: offset + at + 1, limit: 1 }, { signal }))
          .lines[0];
      return { before: page.lines[at - 1]?.trial ?? last, after: next?.trial ?? null, place: offset + at + 1, total: page.total };
    }
    last = page.lines.at(-1)?.trial ?? null;
    if (page.lines.length === 0 || offset + page.lines.length >= page.total) return null;
  }
}

/** The trials before and after this one in its arm, by case; null for one that has not begun. */
export function useNeighbours(line: TrialLine | undefined): Neighbours | null {
  const api = useApi();
  const reading = useQuery({
    queryKey: ['trials', 'neighbours', line?.trial, line?.status],
    queryFn: ({ signal }) => (line === undefined ? null : neighboursOf(api, line, signal)),
    enabled: line !== undefined && line.status !== 'queued',
  });
  return reading.data ?? null;
}
