import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { EngineStatus } from '../../shared/api/engine.ts';
import { useConnection, useStream } from '../api/ApiContext.tsx';

/** State of the engine as it last told it; null before the first connection. */
export const useEngineStatus = create<EngineStatus | null>()(() => null);

/** Follows the engine's state for all screens, and has them read everything anew after a broken connection. */
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
