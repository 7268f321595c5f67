// The one way out of the program: every request to a server goes through here.
import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, buildConnector } from 'undici';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { type AnswerBody, answerTo } from './answerBody.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(address: string): boolean {
  return loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** `[::1]` and `Example.ORG.` as sockets name them. */
const plainHost = (host: string) =>
  host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

/** A name or address of this machine; a name is still checked when it is resolved. */
const isHere = (host: string): boolean => (isIP(host) === 0 ? host === 'localhost' : isLoopback(host));

export const isOnThisMachine = (url: string): boolean => isHere(plainHost(new URL(url).hostname));

function refusal(host: string): AssizeError {
  const allow = 'if cases may be sent there, allow it by name';
  return badInput(`${host} is not this machine`, {
    field: 'backends',
    remedy: { command: `${allow} with --allow-host ${host}`, screen: `${allow} in the settings` },
  });
}

export interface Outgoing {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | null;
  readonly signal?: AbortSignal;
}

/** What came back; the body has to be read or destroyed. */
export interface Incoming {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly body: AnswerBody;
}

/** What unpacks a body that a server packs though it was asked not to. */
const unpackers: ReadonlyMap<string, () => NodeJS.ReadWriteStream & Readable> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Errors of a body belong to its reader. */
const unheard = () => undefined;

/** So long before their server does undici ends idle connections. Milliseconds. */
const spareMs = 2000;

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export type NetworkDispatcher = ReturnType<typeof createDispatcher>;

export type Resolve = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * The one way out of the program. It connects to loopback addresses, to `localhost` where that resolves to
 * one, and to hosts that the user has allowed by name. Any other name is refused before a name server hears
 * of it. Proxy variables are ignored, redirects are refused, connections are counted.
 * @param options.resolve in place of the system's own
 */
export function createDispatcher(options: { allowedHosts: readonly string[]; resolve?: Resolve }) {
  const resolve: Resolve = options.resolve ?? systemLookup;
  const allowed = new Set(options.allowedHosts.map(plainHost));
  const counts = new Map<string, number>();
  const elsewhere = new Set<string>();
  let refused = 0;
  const refuse = (host: string): AssizeError => {
    refused += 1;
    return refusal(host);
  };

  const checkedLookup: LookupFunction = (hostname, lookupOptions, callback) => {
    const host = plainHost(hostname);
    resolve(host, { ...lookupOptions, all: true }, (error, addresses) => {
      const fit = (addresses ?? []).filter(({ address }) => allowed.has(host) || isLoopback(address));
      const [first] = fit;
      if (error !== null) callback(error, '', 0);
      else if (first === undefined) callback(refuse(host), '', 0);
      else if (lookupOptions.all === true) callback(null, fit);
      else callback(null, first.address, first.family);
    });
  };

  const permits = (host: string): boolean => isHere(host) || allowed.has(host);

  const connector = buildConnector({ lookup: checkedLookup, timeout: 10_000 });
  const connect: buildConnector.connector = (target, callback) => {
    const host = plainHost(target.hostname);
    if (!permits(host)) {
      callback(refuse(host), null);
      return;
    }
    connector(target, (...result) => {
      if (result[0] === null) {
        counts.set(host, (counts.get(host) ?? 0) + 1);
        if (!isLoopback(result[1].remoteAddress ?? '')) elsewhere.add(host);
      }
      callback(...result);
    });
  };
  // Calls have their own limits, which know when an answer has begun; the agent's own would cut in before.
  const open = () => new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, connections: 256 });
  let agent = open();
  const agents = new Set([agent]);
  // Servers close idle connections while this process is stopped, which is read only after the next call was sent on one.
  let beatAt = Date.now();
  const beat = () => {
    const sinceMs = Date.now() - beatAt;
    beatAt += sinceMs;
    if (sinceMs < spareMs) return;
    // What the others have in flight is answered; then their connections end by themselves.
    for (const each of agents) if (Object.keys(each.stats).length === 0) agents.delete(each);
    agent = open();
    agents.add(agent);
  };
  const beating = setInterval(beat, spareMs / 2).unref();

  return {
    async fetch(url: string, { method = 'GET', headers, body = null, signal }: Outgoing = {}): Promise<Incoming> {
      beat();
      const { origin, pathname, search } = new URL(url);
      const sent = { origin, path: pathname + search, method, body, headers: { ...headers, 'accept-encoding': 'identity' } };
      const { status, statusText, headers: answered, body: raw } = await answerTo(agent, sent, signal);
      if (!redirects.has(status)) {
        const unpacker = unpackers.get(String(answered['content-encoding']).toLowerCase());
        const plain = unpacker === undefined ? raw : pipeline(raw, unpacker(), unheard);
        return { ok: status >= 200 && status < 300, status, statusText, body: plain };
      }
      raw.destroy();
      throw new AssizeError(
        'no-backend',
        `${origin} redirects (HTTP ${status}), and Assize follows no redirects; give the address of the server itself`,
        'backends',
      );
    },
    /** Whether the host of this address may be connected to, judged by its name. */
    permits: (url: string): boolean => permits(plainHost(new URL(url).hostname)),
    /** Connections opened so far, by host name. */
    connections: (): ReadonlyMap<string, number> => counts,
    /** Those of the hosts that a connection reached on another machine than this one. */
    elsewhere: (): ReadonlySet<string> => elsewhere,
    /** Connections that were asked for and refused. */
    refused: () => refused,
    close: async (): Promise<void> => {
      clearInterval(beating);
      await Promise.all(Array.from(agents, (each) => each.destroy()));
    },
  };
}

/** The program's own error inside what a library threw, if there is one. */
export function assizeCause(error: unknown): AssizeError | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof AssizeError) return current;
  }
  return undefined;
}

/** Why a library failed, in a word if there is one: a system error code (`ECONNREFUSED`), else the innermost message. */
export function reasonOf(error: unknown): string {
  let message = String(error);
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    message = current.message;
  }
  return message;
}
