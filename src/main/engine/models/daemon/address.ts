/** The variable that Ollama itself reads for where it listens and where it is asked. */
const variable = 'OLLAMA_HOST';
const usualPort = '11434';
const schemePorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

export const usualOllamaUrl = `http://127.0.0.1:${usualPort}`;

type Environment = Readonly<Record<string, string | undefined>>;

/** Host and port at a text's end; null where there is no port, as in a bare IPv6 address. */
function splitPort(text: string): { host: string; port: string } | null {
  const bracketed = /^\[([^\]]*)\]:([^:]*)$/.exec(text) ?? /^([^:[\]]*):([^:]*)$/.exec(text);
  return bracketed === null ? null : { host: bracketed[1] ?? '', port: bracketed[2] ?? '' };
}

/** Addresses that a server listens on and nobody can connect to. */
function connectable(host: string): string {
  if (host === '') return '127.0.0.1';
  return /^[0:]+$/.test(host) && host.includes(':') ? '::1' : host;
}

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
  if (text === '') return null;
  // A port alone is no host, though it could be read as one of the forms of an IPv4 address.
  if (/^0*[1-9]\d*$/.test(text)) return null;
  if (text === 'ollama.com') return 'https://ollama.com';
  const [, scheme = 'http', rest = ''] = /^(?:([^:/]*):\/\/)?(.*)$/s.exec(text) ?? [];
  const [place = '', ...folders] = rest.split('/');
  const wantedPort = rest === text ? usualPort : (schemePorts[scheme] ?? usualPort);
  const { host, port } = splitPort(place) ?? { host: place.replace(/^\[|\]$/g, ''), port: wantedPort };
  const known = /^\+?\d+$/.test(port) && Number(port) <= 65_535 ? String(Number(port)) : wantedPort;
  const name = connectable(host);
  const url = URL.parse(`${scheme}://${name.includes(':') ? `[${name}]` : name}:${known}/${folders.join('/')}`);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '') return null;
  // `0` is the wildcard too, which shows when it is parsed.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  return url.href.replace(/\/+$/, '');
}

/** Where Ollama is, going by its own variable; null where that is not set, or is no address. */
export const ollamaHostUrl = (environment: Environment): string | null => parseOllamaHost(environment[variable] ?? '');

/**
 * Where Ollama is to be found: the address of the settings where it was changed, else the one of `OLLAMA_HOST`, else
 * the usual one. One address and no second try: whoever names a server wants that one and no other.
 */
export function ollamaAddress(settingsUrl: string, environment: Environment): string {
  const trimmed = settingsUrl.replace(/\/+$/, '');
  return trimmed === usualOllamaUrl ? (ollamaHostUrl(environment) ?? usualOllamaUrl) : settingsUrl;
}
