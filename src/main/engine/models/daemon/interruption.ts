import { interrupted } from '../modelServer.ts';

/** What comes of it. Throws interrupted as soon as the signal fires, and leaves it to go on by itself. */
export async function unlessAborted<T>(coming: Promise<T>, signal: AbortSignal): Promise<T> {
  let callOff: () => void = () => undefined;
  const cut = new Promise<never>((_resolve, reject) => {
    const abort = () => reject(interrupted());
    callOff = () => signal.removeEventListener('abort', abort);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([coming, cut]);
  } finally {
    callOff();
  }
}
