import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { TrialFrame, TrialView } from '../../../shared/api/trials.ts';
import { useApi, useStream } from '../../api/ApiContext.tsx';
import { follow, openingState, type TrialState } from './trialState.ts';

export interface FollowedTrial {
  readonly view: TrialView;
  readonly state: TrialState;
}

/** A trial as it is now: read once, then followed. */
export function useTrial(trial: string) {
  const api = useApi();
  const reading = useQuery({
    queryKey: ['trials', 'read', trial],
    queryFn: ({ signal }) => api.trials.read({ trial }, { signal }),
    refetchOnMount: 'always',
    gcTime: 0,
  });
  const [state, setState] = useState<TrialState | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const view = reading.data;
  useEffect(() => {
    if (view !== undefined) setState((known) => (known === null || view.lastSeq > known.lastSeq ? openingState(view) : known));
  }, [view]);

  useStream<TrialFrame['body']>(
    state === null ? null : trial,
    (opened, signal) => opened.trials.watch({ trial, after: state?.lastSeq ?? -1 }, { signal }),
    (body) => setState((known) => (known === null ? known : follow(known, body))),
    setFailure,
  );
  const followed: FollowedTrial | null = view === undefined || state === null ? null : { view, state };
  return { followed, reading, failure };
}
