import type { FromEngine } from '../../../shared/api/control.ts';

/** The engine process's line to its host. */
export interface HostChannel {
  send(message: FromEngine): void;
  /** Messages come unparsed, with the ports that were sent along. */
  onMessage(listener: (message: unknown, ports: readonly unknown[]) => void): void;
  onGone(listener: () => void): void;
}

/** What Electron puts into a utility process. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown; ports: readonly unknown[] }) => void): void;
  on(event: 'close', listener: () => void): void;
}

function parentPort(): ParentPort | undefined {
  const port: unknown = Reflect.get(process, 'parentPort');
  // Electron vouches for its form.
  return typeof port === 'object' && port !== null ? (port as ParentPort) : undefined;
}

/** The line to whichever host started this process; null where none did. */
export function hostChannel(): HostChannel | null {
  const port = parentPort();
  if (port !== undefined) {
    return {
      send: (message) => port.postMessage(message),
      onMessage: (listener) => port.on('message', ({ data, ports }) => listener(data, ports)),
      onGone: (listener) => port.on('close', listener),
    };
  }
  if (process.send === undefined) return null;
  return {
    send(message) {
      if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
    },
    onMessage: (listener) => process.on('message', (message) => listener(message, [])),
    onGone: (listener) => process.on('disconnect', listener),
  };
}
