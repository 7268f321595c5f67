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
export interface Host {
  readonly kind: 'electron' | 'loopback';
  /** A new connection to the engine. Throws `ConnectionLost`. */
  connect(signal: AbortSignal): Promise<Port>;
  /** Lets the user choose a data file; null where none was chosen. */
  chooseFile(): Promise<Upload | null>;
  /** Takes a file that was dropped onto the page. */
  takeFile(file: File): Promise<Upload | null>;
  /** Saves an export; false where the user chose no place. */
  saveExport(file: string, fileName: string): Promise<boolean>;
  openLink(url: string): Promise<boolean>;
  /** Whether notices may be shown; asks the user where the browser wants to know. */
  mayNotify(): Promise<boolean>;
  /** Shows a notice of the operating system: true once the user presses it, false once it is gone or is not allowed. */
  notify(title: string, body: string): Promise<boolean>;
}
