import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { DaemonFrame, DaemonLog, DaemonStatus } from '../../../shared/api/daemon.ts';
import type { HardwareFrame } from '../../../shared/api/hardware.ts';
import type { LoadedModel, ModelsFrame, Pull } from '../../../shared/api/models.ts';
import { fresh, useRead, useReread, useStream } from '../../api/ApiContext.tsx';
import { backendsKey } from '../protocols/useBackends.ts';

export const modelsKey = ['models'] as const;
const readKey = [...modelsKey, 'read'] as const;
const fitsKey = [...modelsKey, 'fits'] as const;
const daemonKey = ['daemon', 'status'] as const;

/** The Ollama that is asked, as of the last look; `useDaemon` keeps it up to date. */
export const useDaemonStatus = () => useRead(daemonKey, (api, given) => api.daemon.status({}, given), fresh);

/** Puts a state of the daemon where all screens read it. */
export function useTakeDaemon(): (status: DaemonStatus) => void {
  const queries = useQueryClient();
  const reread = useReread();
  return (status) => {
    const before = queries.getQueryData<DaemonStatus>(daemonKey);
    queries.setQueryData(daemonKey, status);
    if (before?.state === status.state && before.url === status.url) return;
    // Another server, or none any more: what was read of the old one does not hold.
    void reread(modelsKey, backendsKey);
  };
}

/** The Ollama that is asked, followed while the component is there, with the newest lines that our own wrote. */
export function useDaemon() {
  const status = useDaemonStatus();
  const take = useTakeDaemon();
  const [log, setLog] = useState<DaemonLog>({ lines: [], dropped: 0 });
  const [failure, setFailure] = useState<unknown>(null);
  useStream<DaemonFrame>(
    'daemon',
    (api, signal) => api.daemon.watch({}, { signal }),
    (body) => {
      setFailure(null);
      if (body.kind === 'status') take(body.status);
      else setLog(body.log);
    },
    setFailure,
  );
  return { status: status.data ?? null, error: failure ?? status.error, log };
}

/** The models of the server: those on its disk, read once and again when they change; those in memory and on their way, followed. */
export function useModels() {
  const reread = useReread();
  const [loaded, setLoaded] = useState<readonly LoadedModel[]>([]);
  const inMemory = useRef<string | null>(null);
  const [pulls, setPulls] = useState<readonly Pull[]>([]);
  const [failure, setFailure] = useState<unknown>(null);
  const view = useRead(readKey, (api, given) => api.models.read({}, given), fresh);
  useStream<ModelsFrame>(
    'models',
    (follow, signal) => follow.models.watch({}, { signal }),
    (body) => {
      setFailure(null);
      if (body.kind === 'loaded') {
        setLoaded(body.loaded);
        const now = body.loaded.map(({ name, size }) => `${name} ${size}`).join(', ');
        // What is loaded or let go changes what is free.
        if (inMemory.current !== null && inMemory.current !== now) void reread(fitsKey);
        inMemory.current = now;
      } else if (body.kind === 'pulls') setPulls(body.pulls);
      else void reread(modelsKey, backendsKey);
    },
    setFailure,
  );
  return { view, loaded, pulls, failure };
}

export const useEnsembles = (enabled: boolean) =>
  useRead([...modelsKey, 'ensembles'], (api, given) => api.models.ensembles({}, given), { enabled });

export const useFits = (context: number, slots: number) =>
  useRead([...fitsKey, context, slots], (api, given) => api.models.fits({ context, slots }, given), {
    // What is free changes by the minute.
    staleTime: 15_000,
    placeholderData: (before) => before,
  });

export const useHardware = () => useRead(['hardware'], (api, given) => api.hardware.read({}, given));

/** The machine and what warns of it about once a second, as long as the component is there; null before the first sample. */
export function useLiveHardware() {
  const [frame, setFrame] = useState<HardwareFrame | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useStream<HardwareFrame>(
    'hardware',
    (api, signal) => api.hardware.watch({}, { signal }),
    (next) => {
      setFailure(null);
      setFrame(next);
    },
    setFailure,
  );
  return { sample: frame?.sample ?? null, warnings: frame?.warnings ?? [], failure };
}
