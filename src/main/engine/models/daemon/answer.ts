// Where Ollama is asked, and who answers there.
import { z } from 'zod';
import { assizeCause, type NetworkDispatcher, reasonOf } from '../dispatcher.ts';
import { boundedText, reasonInWords } from '../modelServer.ts';

/** The variable that Ollama itself reads for where it listens and where it is asked. */
const variable = 'OLLAMA_HOST';
const usualPort = '11434';
const schemePorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

export const usualOllamaUrl = `http://127.0.0.1:${usualPort}`;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The address that a value of `OLLAMA_HOST` means, as Ollama 0.33 reads it (its envconfig package): `host`,
 * `host:port`, `:port`, a scheme before and a path behind, quotes around. Without a port it is 11434, after `http://` 80
 * and after `https://` 443; so it is where the port is none. Wildcard addresses become the loopback ones.
 * Null for an empty value, and for what is no address at all.
 */
export function parseOllamaHost(value: string): string | null {
  const text = value
    .trim()
    .replace(/^["']+|["']+$/g, '')
    .trim();
  // A bare port is no host, though it could be read as one of the forms of an IPv4 address.
  if (text === '' || /^0*[1-9]\d*$/.test(text)) return null;
  if (text === 'ollama.com') return 'https://ollama.com';
  const [, scheme = '', place = '', path = ''] = /^(?:([^:/]*):\/\/)?([^/]*)(.*)$/s.exec(text) ?? [];
  // Without a port at its end, as in a bare IPv6 address, all of it is the host.
  const [, host = place.replace(/^\[|\]$/g, ''), port = ''] =
    /^\[([^\]]*)\]:([^:]*)$/.exec(place) ?? /^([^:[\]]*):([^:]*)$/.exec(place) ?? [];
  const known = /^\+?\d+$/.test(port) && Number(port) <= 65_535;
  const listening = known ? Number(port) : (schemePorts[scheme] ?? usualPort);
  const name = host === '' ? '127.0.0.1' : /^[0:]*:[0:]*$/.test(host) ? '::1' : host;
  const url = URL.parse(`${scheme || 'http'}://${name.includes(':') ? `[${name}]` : name}:${listening}${path}`);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '') return null;
  // `0` is the wildcard too, which shows when it is parsed.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  return url.href.replace(/\/+$/, '');
}

/** Where Ollama is, going by its own variable; null where that is not set, or is no address. */
export const ollamaHostUrl = (environment: Environment): string | null => parseOllamaHost(environment[variable] ?? '');

/** Where Ollama is: the settings' address if changed, else `OLLAMA_HOST`, else the usual one. There is no second try. */
export function ollamaAddress(settingsUrl: string, environment: Environment): string {
  const trimmed = settingsUrl.replace(/\/+$/, '');
  return trimmed === usualOllamaUrl ? (ollamaHostUrl(environment) ?? usualOllamaUrl) : settingsUrl;
}

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
    return unreachable.test(reason) ? { kind: 'nothing', reason } : { kind: 'other', reason: reasonInWords(reason) };
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
