import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { EngineStatus } from '../../shared/api/engine.ts';
import { useConnection, useStream } from '../api/ApiContext.tsx';

/** State of the engine as it last reported it; null before the first connection. */
export const useEngineStatus = create<EngineStatus | null>()(() => null);

/** Whether the record can be written to: what would write is offered only then. */
export const useWritable = (): boolean =>
  useEngineStatus((status) => status === null || (status.elsewhere === null && !status.onlyReadable));

/** Whether another program is writing to the record: nothing that writes can begin here until it has ended. */
export const useWrittenElsewhere = (): boolean => useEngineStatus((status) => status?.writtenElsewhere === true);

/** Whether a run waits for one of the servers that a trial of it asks. */
export const useTrialWaits = (experiment: string, cast: readonly { readonly backend: string }[]): boolean =>
  useEngineStatus((status) => {
    const away = status?.runs.find((run) => run.experiment === experiment && run.state === 'waiting')?.waiting_for?.backend;
    return cast.some(({ backend }) => backend === away);
  });

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
