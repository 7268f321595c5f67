import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { EngineStatus } from '../../shared/api/engine.ts';
import { useConnection, useStream } from '../api/ApiContext.tsx';

/** State of the engine as it last told it; null before the first connection. */
export const useEngineStatus = create<EngineStatus | null>()(() => null);

type StatusBody = { kind: 'status'; status: EngineStatus } | { kind: 'gap' };

/** Follows the engine's state for all screens, and has them read everything anew after a broken connection. */
export function EngineFollower(): null {
  const queries = useQueryClient();
  const { connection } = useConnection();
  const last = useRef(connection);

  useStream<StatusBody>(
    'engine',
    (api, signal) => api.engine.watch({}, { signal }),
    (body) => {
      // The state that follows a gap is whole again: nothing is to be read anew.
      if (body.kind === 'status') useEngineStatus.setState(body.status, true);
    },
    () => undefined,
  );

  useEffect(() => {
    if (last.current !== connection && last.current > 0) void queries.invalidateQueries();
    last.current = connection;
  }, [connection, queries]);

  return null;
}
