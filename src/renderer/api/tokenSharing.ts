import { z } from 'zod';

/**
 * A tab that was opened from another one, by a middle click say, has no token: what a tab keeps is its own, and the token has
 * no place in an address, where histories would keep it. So it asks the other tabs of this origin. What they say
 * stays within the browser: only pages that this program serves at this very address and port can hear it.
 */
const channelName = 'assize-token';
const askSchema = z.strictObject({ ask: z.string().max(64) });
const answerSchema = z.strictObject({ answer: z.string().max(64), token: z.string().regex(/^[A-Za-z0-9_-]{16,128}$/) });

/** A tab in the background may be slow to answer. */
const patienceMs = 1_000;

export type OpenChannel = (name: string) => BroadcastChannel;

/** Lends the token to tabs that ask. @param lend the token while the program takes it, else null: it may be a newer one */
export function lendToken(open: OpenChannel, lend: () => string | null): { close(): void } {
  const channel = open(channelName);
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const asked = askSchema.safeParse(data);
    const token = lend();
    if (asked.success && token !== null) channel.postMessage({ answer: asked.data.ask, token });
  });
  return channel;
}

/** The token of another tab, or null where none answers in time. */
export function borrowToken(open: OpenChannel, signal: AbortSignal, patience = patienceMs): Promise<string | null> {
  const channel = open(channelName);
  const ask = crypto.randomUUID();
  return new Promise((resolve) => {
    const done = (token: string | null) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', none);
      channel.close();
      resolve(token);
    };
    const none = () => done(null);
    const timer = setTimeout(none, patience);
    signal.addEventListener('abort', none);
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const answered = answerSchema.safeParse(data);
      if (answered.success && answered.data.answer === ask) done(answered.data.token);
    });
    channel.postMessage({ ask });
  });
}
