// Reads the keys that servers want from the environment.
import { type AssizeError, badInput, type Remedy } from '../../../shared/errors.ts';
import type { BackendDefinition } from '../../../shared/experiment.ts';
import { isOnThisMachine, type NetworkDispatcher } from '../models/dispatcher.ts';
import { keyNameProblem } from './keyNames.ts';

export interface KeyedServer {
  readonly name: string;
  readonly url: string;
  readonly variable: string;
}

export function keyedServers(backends: Readonly<Record<string, BackendDefinition>>): KeyedServer[] {
  return Object.entries(backends).flatMap(([name, backend]) =>
    backend.kind === 'openai' && backend.apiKeyVariable !== undefined
      ? [{ name, url: backend.url, variable: backend.apiKeyVariable }]
      : [],
  );
}

/** Whether others on the way can read what a server is sent. */
export const isReadable = ({ url }: { readonly url: string }): boolean =>
  new URL(url).protocol === 'http:' && !isOnThisMachine(url);

/**
 * The key that a server is sent. Throws bad input, which never repeats what the variable holds: where its
 * name is not that of a key, where it holds none, and where it would go over plain http to a host that
 * is not allowed by name.
 */
export function readKey(server: KeyedServer, environment: NodeJS.ProcessEnv, dispatcher: NetworkDispatcher): string {
  const { name, url, variable } = server;
  const refuse = (message: string, remedy?: Remedy): AssizeError =>
    badInput(message, { field: `backends.${name}.apiKeyVariable`, ...(remedy === undefined ? {} : { remedy }) });
  const problem = keyNameProblem(variable);
  if (problem !== null) throw refuse(problem);
  if (isReadable(server) && !dispatcher.permits(url)) {
    const { hostname } = new URL(url);
    const ways = 'take an https address or an SSH tunnel to 127.0.0.1, or allow the host by name';
    throw refuse(`the key in ${variable} would go to ${hostname} over plain http, readable on the way`, {
      command: `${ways} with --allow-host ${hostname}`,
      screen: `${ways} in the settings`,
    });
  }
  const key = environment[variable]?.trim() ?? '';
  if (key === '') {
    throw refuse(`the environment variable ${variable} is not set; set it to the key of the server, or leave the name out`);
  }
  if (!/^[\x21-\x7e]+$/.test(key)) throw refuse(`the value of ${variable} is not a key: a key is ASCII without spaces`);
  return key;
}
