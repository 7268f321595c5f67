import { appOrigin, type Bridge, bridgeKeys, portMessage } from '../../shared/api/bridge.ts';
import { ConnectionLost, type Host, type Port } from './host.ts';

const waitForPortMs = 15_000;

/** The bridge of the preload script, if this page runs under Electron. */
export function findBridge(scope: Window): Bridge | null {
  const found: unknown = Reflect.get(scope, 'assize');
  if (typeof found !== 'object' || found === null) return null;
  return bridgeKeys.every((key) => typeof Reflect.get(found, key) === 'function') ? (found as Bridge) : null;
}

export function electronHost(bridge: Bridge, scope: Window): Host {
  return {
    kind: 'electron',
    connect: (signal) =>
      new Promise<Port>((resolve, reject) => {
        const end = () => {
          clearTimeout(timer);
          scope.removeEventListener('message', onMessage);
          signal.removeEventListener('abort', onAbort);
        };
        const onAbort = () => {
          end();
          reject(new ConnectionLost('the connection was given up', false));
        };
        const onMessage = (event: MessageEvent<unknown>) => {
          const [port] = event.ports;
          if (event.origin !== appOrigin || event.source !== scope || event.data !== portMessage || port === undefined) return;
          end();
          port.start();
          resolve(port);
        };
        const timer = setTimeout(() => {
          end();
          reject(new ConnectionLost('the engine did not answer in time', true));
        }, waitForPortMs);
        scope.addEventListener('message', onMessage);
        signal.addEventListener('abort', onAbort);
        bridge.connect();
      }),
    chooseFile: () => bridge.chooseFile(),
    takeFile: (file) => bridge.takeFile(file),
    saveExport: (file, fileName) => bridge.saveExport(file, fileName),
    openLink: (url) => bridge.openLink(url),
    mayNotify: () => Promise.resolve(true),
    notify: (title, body) => bridge.notify(title, body),
  };
}
