import type { Upload } from './dataFiles.ts';

/** Origin of the screens under Electron. */
export const appOrigin = 'app://assize';

/** Everything that the preload script puts into the page, under `window.assize`. */
export interface Bridge {
  /** Opens the system's dialog for a data file; null where the user chose none. */
  chooseFile(): Promise<Upload | null>;
  /** Hands over a file that was dropped onto the page. */
  takeFile(file: object): Promise<Upload | null>;
  /** Opens the system's dialog and saves an export; false where the user chose no place. */
  saveExport(file: string, fileName: string): Promise<boolean>;
  /** Opens a link in the system's browser if it is on the list of allowed ones. */
  openLink(url: string): Promise<boolean>;
  /** Shows a notice of the operating system: true once the user presses it, false once it is gone. */
  notify(title: string, body: string): Promise<boolean>;
  /** Asks for a new connection to the engine; the port comes as a message of the window. */
  connect(): void;
}

/** The message with which the preload script hands the page its port. */
export const portMessage = 'assize-engine-port';

/** Channels between the preload script and the shell: one a request, `connect` without an answer, and the port's way back. */
export const bridgeChannels = {
  chooseFile: 'assize:choose-file',
  takeFile: 'assize:take-file',
  saveExport: 'assize:save-export',
  openLink: 'assize:open-link',
  notify: 'assize:notify',
  connect: 'assize:connect',
} as const satisfies Record<keyof Bridge, string>;
export const bridgeKeys = Object.keys(bridgeChannels) as (keyof Bridge)[];
export const portChannel = 'assize:port';

/** What the shell answers to a request of the preload script: a value, or a sentence for the user. */
export type BridgeAnswer = { readonly value: unknown } | { readonly problem: string };
