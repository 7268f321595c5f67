import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { create } from 'zustand';
import type { EngineStatus } from '../../shared/api/engine.ts';
import { useConnection, useHost, useStream } from '../api/ApiContext.tsx';
import { experimentsKey } from '../features/experiments/experimentQueries.ts';
import { titleOf } from '../features/experiments/shownExperiments.ts';
import { toExperiment } from './routes.ts';
import { endedSince, noticeOf } from './runNotices.ts';
import { useSettings } from './theme.tsx';

/** State of the engine as it last reported it; null before the first connection. */
export const useEngineStatus = create<EngineStatus | null>()(() => null);

/** Whether the record can be written to: what would write is offered only then. */
export const useWritable = (): boolean =>
  useEngineStatus((status) => status === null || (status.elsewhere === null && !status.onlyReadable));

/** Whether another program is writing to the record: nothing that writes can begin here until it has ended. */
export const useWrittenElsewhere = (): boolean => useEngineStatus((status) => status?.writtenElsewhere === true);

/** Follows the engine's state for all screens, and makes them read everything again after a broken connection. */
export function EngineFollower(): null {
  const queries = useQueryClient();
  const { connection } = useConnection();
  const last = useRef(connection);

  useStream<EngineStatus>(
    'engine',
    (api, signal) => api.engine.watch({}, { signal }),
    (status) => useEngineStatus.setState(status, true),
    () => undefined,
  );

  useEffect(() => {
    if (last.current !== connection && last.current > 0) void queries.invalidateQueries();
    last.current = connection;
  }, [connection, queries]);

  return null;
}

const statesOf = (status: EngineStatus | null) =>
  `${status?.writtenElsewhere} ${status?.runs.map(({ experiment, state }) => `${experiment} ${state}`)}`;

/** Rereads the lists of experiments when a run begins or ends, here or elsewhere; while no screen of ours has the focus, the operating system says that it has. */
export function RunNotices(): null {
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
