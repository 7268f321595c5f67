import { z } from 'zod';
import { type Upload, uploadSchema } from '../../shared/api/dataFiles.ts';
import { ConnectionLost, type Host, type Port } from './host.ts';
import { borrowToken, lendToken } from './tokenSharing.ts';

const tokenKey = 'assize-token';

const tokenOf = (hash: string) => /^#token=([A-Za-z0-9_-]+)$/.exec(hash)?.[1];

/** The token of this page's address, kept for reloads of this tab and removed from the address, which histories keep. */
export function takeToken({
  location,
  history,
  sessionStorage,
}: Pick<Window, 'location' | 'history' | 'sessionStorage'>): string | null {
  const found = tokenOf(location.hash);
  if (found === undefined) return sessionStorage.getItem(tokenKey);
  sessionStorage.setItem(tokenKey, found);
  history.replaceState(null, '', `${location.pathname}#/`);
  return found;
}

const howToEnter =
  'Open the link that the program printed in its terminal, with “#token=” in it. If you no longer have it, end the program and ' +
  'start it again: “npm run web” and “assize web” print a new one.';

const refusalSchema = z.object({ message: z.string() });

/** Opens the browser's own dialog; null where it was closed without a choice. */
function askForFile(scope: Document): Promise<File | null> {
  return new Promise((resolve) => {
    const input = scope.createElement('input');
    input.type = 'file';
    input.accept = '.csv,.tsv,.jsonl,.ndjson,.parquet,.xlsx,.db,.zip,text/csv,text/tab-separated-values';
    input.addEventListener('change', () => resolve(input.files?.[0] ?? null));
    input.addEventListener('cancel', () => resolve(null));
    input.click();
  });
}

export function loopbackHost(scope: Window & typeof globalThis): Host {
  let token = takeToken(scope);
  /** Whether the program takes this token now. */
  let admitted = false;
  const openChannel = (name: string) => new scope.BroadcastChannel(name);
  lendToken(openChannel, () => (admitted ? token : null));
  // The printed link may be pasted into a tab that is open already, where only the part behind the # changes.
  scope.addEventListener('hashchange', () => {
    if (tokenOf(scope.location.hash) !== undefined) scope.location.reload();
  });
  const takeFile = async (file: File): Promise<Upload> => {
    const response = await fetch('/uploads', {
      method: 'POST',
      headers: { authorization: `Bearer ${token ?? ''}`, 'x-file-name': encodeURIComponent(file.name) },
      body: file,
    });
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok) return uploadSchema.parse(answer);
    const refusal = refusalSchema.safeParse(answer);
    throw new Error(refusal.success ? refusal.data.message : `The file was not taken (HTTP ${response.status}).`);
  };
  return {
    kind: 'loopback',
    async connect(signal) {
      token ??= await borrowToken(openChannel, signal);
      if (token === null) {
        throw new ConnectionLost(
          `This address lacks its token. ${howToEnter} While it is open in one tab, others can be opened from there.`,
          false,
        );
      }
      scope.sessionStorage.setItem(tokenKey, token);
      const port = await openWebSocketPort(`ws://${scope.location.host}/engine`, token, signal);
      port.addEventListener('message', () => {
        admitted = true;
      });
      port.addEventListener('close', () => {
        admitted = false;
      });
      return port;
    },
    async chooseFile() {
      const file = await askForFile(scope.document);
      return file === null ? null : takeFile(file);
    },
    takeFile,
    saveExport(file, fileName) {
      const link = scope.document.createElement('a');
      link.href = `/files/${file}`;
      link.download = fileName;
      link.click();
      return Promise.resolve(true);
    },
    openLink(url) {
      return Promise.resolve(scope.open(url, '_blank', 'noopener,noreferrer') !== undefined);
    },
    mayNotify: async () => 'Notification' in scope && (await Notification.requestPermission()) === 'granted',
    notify: (title, body) =>
      new Promise((resolve) => {
        if (!('Notification' in scope) || Notification.permission !== 'granted') {
          resolve(false);
          return;
        }
        // Every tab says the same: a notice with the same tag replaces the one before.
        const notice = new Notification(title, { body, tag: title });
        notice.onclick = () => {
          scope.focus();
          notice.close();
          resolve(true);
        };
        notice.onclose = () => resolve(false);
        notice.onerror = () => resolve(false);
      }),
  };
}

const reasons: Readonly<Record<number, { message: string; again: boolean }>> = {
  4401: {
    message: `This page’s address is no longer valid. ${howToEnter}`,
    again: false,
  },
  4403: { message: 'This page may not talk to the program. Open the link that the program printed.', again: false },
  4408: { message: 'The page could not keep up with the engine and connects again.', again: true },
  4429: {
    message: 'Too many pages are open. Close another tab of Assize, then try again.',
    again: false,
  },
  4500: { message: 'The engine ended several times. Start the program again; its log says why.', again: false },
  4503: { message: 'The engine is starting again.', again: true },
};

const gone = { message: 'The program does not answer. If it was ended, start it again.', again: true };

const reasonOfClose = (code: number): ConnectionLost => {
  const { message, again } = reasons[code] ?? gone;
  return new ConnectionLost(message, again);
};

/** A WebSocket as a MessagePort: opens it, shows the token, and passes messages both ways. */
function openWebSocketPort(url: string, token: string, signal: AbortSignal): Promise<Port & { closed: Promise<ConnectionLost> }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    const events = new EventTarget();
    let resolveClosed: (reason: ConnectionLost) => void = () => undefined;
    const closed = new Promise<ConnectionLost>((resolve) => {
      resolveClosed = resolve;
    });
    const onAbort = () => socket.close();
    signal.addEventListener('abort', onAbort);
    socket.addEventListener('open', () => {
      socket.send(JSON.stringify({ token }));
      resolve({
        closed,
        postMessage(data: unknown) {
          if (typeof data === 'string' || data instanceof ArrayBuffer) socket.send(data);
          else if (data instanceof Uint8Array) socket.send(new Uint8Array(data));
          else throw new TypeError('only text and bytes can be sent');
        },
        addEventListener: (type: string, listener: EventListenerOrEventListenerObject) => events.addEventListener(type, listener),
        close: () => socket.close(),
      });
    });
    socket.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
      events.dispatchEvent(new MessageEvent('message', { data: data instanceof ArrayBuffer ? new Uint8Array(data) : data })),
    );
    socket.addEventListener('close', ({ code }) => {
      signal.removeEventListener('abort', onAbort);
      const reason = reasonOfClose(code);
      reject(reason);
      resolveClosed(reason);
      events.dispatchEvent(new Event('close'));
    });
  });
}
