// Finds out who answers at an address.
import { z } from 'zod';
import { assizeCause, type NetworkDispatcher, reasonOf } from '../dispatcher.ts';
import { boundedText } from '../modelServer.ts';

export type Answer =
  | { readonly kind: 'ollama'; readonly version: string | null; readonly cloud: 'off' | 'on' | null; readonly standin: boolean }
  /** Nothing listens there. */
  | { readonly kind: 'nothing'; readonly reason: string }
  /** Somebody listens and is no Ollama, or says nothing. */
  | { readonly kind: 'other'; readonly reason: string }
  /** The address is of another machine and not allowed: no request was sent. */
  | { readonly kind: 'refused' };

const greeting = 'Ollama is running';
const patienceMs = 5_000;
const mostBytes = 64 * 1024;
const versionBody = z.object({ version: z.string().max(100), standin: z.boolean().catch(false) });
const statusBody = z.object({ cloud: z.object({ disabled: z.boolean() }) });

/** Nothing listens, or no name server knows the host. A server that breaks a connection, or answers other than HTTP, is there. */
const unreachable =
  /^(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EAI_AGAIN|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;

/** What a body says; null where it is not of that form, or does not come. */
const parsed = <T>(schema: z.ZodType<T>, body: Promise<string | null>): Promise<T | null> =>
  body.then((text) => schema.parse(JSON.parse(text ?? ''))).catch(() => null);

/** Asks who is there: by the greeting, the version, and whether cloud features are off. Throws interrupted's cause when the signal fires. */
export async function whoAnswers(
  { fetch, permits }: Pick<NetworkDispatcher, 'fetch' | 'permits'>,
  url: string,
  signal?: AbortSignal,
): Promise<Answer> {
  const base = url.replace(/\/+$/, '');
  if (!permits(base)) return { kind: 'refused' };
  const limit = AbortSignal.timeout(patienceMs);
  const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  const ask = async (path: string): Promise<string | null> => {
    const response = await fetch(`${base}${path}`, { signal: either });
    const { text } = await boundedText(response.body, mostBytes);
    return response.ok ? text : null;
  };
  let greeted: boolean;
  try {
    greeted = (await ask('/'))?.trim() === greeting;
  } catch (error) {
    signal?.throwIfAborted();
    const own = assizeCause(error);
    if (own !== undefined) return own.code === 'bad-input' ? { kind: 'refused' } : { kind: 'other', reason: own.message };
    if (limit.aborted) return { kind: 'other', reason: `it does not answer within ${patienceMs / 1000} s` };
    const reason = reasonOf(error);
    return { kind: unreachable.test(reason) ? 'nothing' : 'other', reason };
  }
  const version = await parsed(versionBody, ask('/api/version'));
  if (version === null && !greeted) return { kind: 'other', reason: 'it does not speak as Ollama does' };
  const status = await parsed(statusBody, ask('/api/status'));
  return {
    kind: 'ollama',
    version: version?.version ?? null,
    cloud: status === null ? null : status.cloud.disabled ? 'off' : 'on',
    standin: version?.standin ?? false,
  };
}
