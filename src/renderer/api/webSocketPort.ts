import { ConnectionLost, type Port } from './host.ts';

/** Close codes of the loopback host, in words. */
const reasons: Readonly<Record<number, { message: string; again: boolean }>> = {
  4401: {
    message: 'This page’s address is no longer valid. Open the link that the program printed when it was started.',
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

export const reasonOfClose = (code: number): ConnectionLost => {
  const { message, again } = reasons[code] ?? gone;
  return new ConnectionLost(message, again);
};

/** A WebSocket as a MessagePort: opens it, shows the token, and passes messages both ways. */
export function openWebSocketPort(
  url: string,
  token: string,
  signal: AbortSignal,
): Promise<Port & { closed: Promise<ConnectionLost> }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    const events = new EventTarget();
    let tellClosed: (reason: ConnectionLost) => void = () => undefined;
    const closed = new Promise<ConnectionLost>((tell) => {
      tellClosed = tell;
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
      tellClosed(reason);
      events.dispatchEvent(new Event('close'));
    });
  });
}
