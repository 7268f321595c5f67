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

/**
 * Where Ollama is: the address of the settings where it was changed, else the one of `OLLAMA_HOST`, else
 * the usual one. One address and no second try: a user who names a server wants that one.
 */
export function ollamaAddress(settingsUrl: string, environment: Environment): string {
  const trimmed = settingsUrl.replace(/\/+$/, '');
  return trimmed === usualOllamaUrl ? (ollamaHostUrl(environment) ?? usualOllamaUrl) : settingsUrl;
}
