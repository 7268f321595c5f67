import type { Bridge } from '../../shared/api/bridge.ts';
import type { Upload } from '../../shared/api/dataFiles.ts';

/** What carries the messages of one connection: a MessagePort, or a WebSocket that looks like one. */
export type Port = Pick<MessagePort, 'postMessage' | 'addEventListener'> & { close(): void };

/** Why there is no connection, and whether to try again. */
export class ConnectionLost extends Error {
  readonly again: boolean;

  constructor(message: string, again: boolean) {
    super(message);
    this.name = 'ConnectionLost';
    this.again = again;
  }
}

/** The surroundings of the page: Electron's shell, or the loopback host. Files go by handle, never by path. */
export interface Host extends Omit<Bridge, 'connect' | 'takeFile'> {
  readonly kind: 'electron' | 'loopback';
  /** A new connection to the engine. Throws `ConnectionLost`. */
  connect(signal: AbortSignal): Promise<Port>;
  takeFile(file: File): Promise<Upload | null>;
  /** Whether notices may be shown; asks the user where the browser wants to know. */
  mayNotify(): Promise<boolean>;
}
