import type { Session } from 'electron';
import { appOrigin } from '../../shared/api/bridge.ts';
import { changesOf } from './development.ts';

export type PoliciedSession = Pick<
  Session,
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
  | 'setBluetoothPairingHandler'
  | 'setUSBProtectedClassesHandler'
  | 'setSpellCheckerEnabled'
> & {
  readonly webRequest: Pick<Session['webRequest'], 'onBeforeRequest'>;
  on(event: 'will-download', listener: (event: { preventDefault(): void }) => void): unknown;
};

/** The page's own files and its inline pictures; nothing that leaves this process, but to a bundler that says what has changed. */
export function isOwnAddress(url: string, packaged: boolean, development: URL | null): boolean {
  return (
    url.startsWith(`${appOrigin}/`) ||
    url.startsWith('data:') ||
    (!packaged && url.startsWith('devtools://')) ||
    (!packaged && development !== null && url.startsWith(`${changesOf(development)}/`))
  );
}

/** The one thing that the page may do beyond itself: put text where the user pressed a button for it. */
function isGranted(permission: string, address: string): boolean {
  return permission === 'clipboard-sanitized-write' && `${address}/`.startsWith(`${appOrigin}/`);
}

/** Denies a session every permission, device, capture, download and foreign request. */
export function applySessionPolicy(session: PoliciedSession, packaged: boolean, development: URL | null): void {
  session.setPermissionRequestHandler((_contents, permission, callback, { requestingUrl, isMainFrame }) =>
    callback(isMainFrame && isGranted(permission, requestingUrl)),
  );
  session.setPermissionCheckHandler(
    (_contents, permission, origin, { isMainFrame }) => isMainFrame && isGranted(permission, origin),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, callback) => callback(null));
  session.setBluetoothPairingHandler((_details, callback) => callback({ confirmed: false }));
  // The classes given back stay protected: all of them.
  session.setUSBProtectedClassesHandler(({ protectedClasses }) => protectedClasses);
  session.setSpellCheckerEnabled(false);
  session.webRequest.onBeforeRequest(({ url }, callback) => callback({ cancel: !isOwnAddress(url, packaged, development) }));
  // Exports leave through the save dialog, which writes the file itself.
  session.on('will-download', (event) => event.preventDefault());
}
