import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react';
import type { EngineStatus } from '../../shared/api/engine.ts';
import { useConnection, useStream } from '../api/ApiContext.tsx';

const EngineContext = createContext<EngineStatus | null>(null);

/** State of the engine as it last told it; null before the first connection. */
export const useEngineStatus = (): EngineStatus | null => use(EngineContext);

type StatusBody = { kind: 'status'; status: EngineStatus } | { kind: 'gap' };

/** Follows the engine's state for all screens, and has them read everything anew after a broken connection. */
export function EngineProvider({ children }: { children: ReactNode }) {
  const [status, setStatus] = useState<EngineStatus | null>(null);
  const queries = useQueryClient();
  const { connection } = useConnection();
  const last = useRef(connection);

  useStream<StatusBody>(
    'engine',
    (api, signal) => api.engine.watch({}, { signal }),
    (body) => {
      // The state that follows a gap is whole again: nothing is to be read anew.
      if (body.kind === 'status') setStatus(body.status);
    },
    () => undefined,
  );

  useEffect(() => {
    if (last.current !== connection && last.current > 0) void queries.invalidateQueries();
    last.current = connection;
  }, [connection, queries]);

  return <EngineContext value={status}>{children}</EngineContext>;
}
