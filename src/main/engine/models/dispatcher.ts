import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, type RequestInit, type Response, fetch as undiciFetch } from 'undici';
import { AssizeError, badInput } from '../../../shared/errors.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(address: string): boolean {
  return loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** `[::1]` and `Example.ORG.` as sockets name them. */
const plainHost = (host: string) => host.replace(/^\[|\]$/g, '').replace(/\.$/, '').toLowerCase();

function refusal(host: string): AssizeError {
  return badInput(`${host} is not this machine; if cases may be sent there, allow it by name: --allow-host ${host}`, { field: 'backends' });
}

/**
 * The one way out of the program. It connects to loopback addresses, and to hosts that the user has
 * allowed by name; the address is checked when it is resolved, not before, so a changed name server does
 * not help. Proxy variables are ignored, redirects are refused, connections are counted.
 */
export interface NetworkDispatcher {
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Connections opened so far, by host name. */
  connections(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export function createDispatcher(options: { allowedHosts: readonly string[] }): NetworkDispatcher {
  const allowed = new Set(options.allowedHosts.map(plainHost));
  const counts = new Map<string, number>();

  const checkedLookup: LookupFunction = (hostname, lookupOptions, callback) => {
    lookup(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
      const fit = (addresses ?? []).filter(({ address }) => allowed.has(plainHost(hostname)) || isLoopback(address));
      const [first] = fit;
      if (error !== null) callback(error, '', 0);
      else if (first === undefined) callback(Object.assign(refusal(hostname), { cause: 'refused' }), '', 0);
      else if (lookupOptions.all === true) callback(null, fit);
      else callback(null, first.address, first.family);
    });
  };

  const connector = buildConnector({ lookup: checkedLookup, timeout: 10_000 });
  const connect: buildConnector.connector = (target, callback) => {
    const host = plainHost(target.hostname);
    if (isIP(host) !== 0 && !isLoopback(host) && !allowed.has(host)) {
      callback(refusal(host), null);
      return;
    }
    counts.set(host, (counts.get(host) ?? 0) + 1);
    connector(target, callback);
  };
  // Calls have their own limits, which know when an answer has begun; the agent's own would cut in before.
  const agent: Dispatcher = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, connections: 256 });

  return {
    fetch: (url, init = {}) => undiciFetch(url, { ...init, redirect: 'error', dispatcher: agent }),
    connections: () => counts,
    close: () => agent.destroy(),
  };
}

/** The program's own error inside what a library threw, if there is one. */
export function assizeCause(error: unknown): AssizeError | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof AssizeError) return current;
  }
  return undefined;
}

/** System error code (`ECONNREFUSED`) inside what a library threw, if there is one. */
export function systemCode(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string' && current.code !== 'UND_ERR') return current.code;
  }
  return undefined;
}
