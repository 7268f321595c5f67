import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { EngineStatus } from '../../shared/api/engine.ts';
import { useHost } from '../api/ApiContext.tsx';
import { experimentsKey } from '../features/experiments/experimentQueries.ts';
import { titleOf } from '../features/experiments/shownExperiments.ts';
import { useEngineStatus } from './engineStatus.ts';
import { toExperiment } from './routes.ts';
import { endedSince, noticeOf } from './runNotices.ts';
import { useSettings } from './theme.tsx';

const statesOf = (status: EngineStatus | null) =>
  `${status?.writtenElsewhere} ${status?.runs.map(({ experiment, state }) => `${experiment} ${state}`)}`;

/** Rereads the lists of experiments when a run begins or ends, here or elsewhere; while no screen of ours has the focus, the operating system says that it has. */
export function RunFollower(): null {
  const host = useHost();
  const queries = useQueryClient();
  const settings = useSettings().data;
  const [, navigate] = useLocation();
  const status = useEngineStatus();
  const before = useRef(status);
  useEffect(() => {
    const ended = endedSince(before.current?.runs ?? [], status?.runs ?? []);
    // A quick run can begin and end between two frames.
    const isNew = statesOf(before.current) !== statesOf(status);
    before.current = status ?? before.current;
    if (status !== null && isNew) void queries.invalidateQueries({ queryKey: experimentsKey });
    if (settings?.notices !== true || document.hasFocus()) return;
    for (const run of ended) {
      const { title, body } = noticeOf(run, titleOf(settings.experiments, run.experiment));
      void host.notify(title, body).then(
        (pressed) => (pressed ? navigate(toExperiment(run.experiment)) : undefined),
        // The screens say the same.
        () => undefined,
      );
    }
  }, [status, settings, host, navigate, queries]);
  return null;
}
