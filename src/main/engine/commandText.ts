// Commands to paste into a shell.
import { join, relative } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { visibleText } from '../../core/text/visible.ts';
import type { Remedy } from '../../shared/errors.ts';

const plain = /^[\w@%+=:,./-]+$/;

/** One argument, in quotes where a shell would read it as something else. */
function argument(text: string): string {
  const shown = visibleText(text);
  return plain.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}

const scripts: ReadonlySet<string | undefined> = new Set(['start', 'web', 'dev', 'dev:web']);

/** How the user calls this program, as npm or Node started it. @param env of the process @param node the program, as called */
export function callOf(env: Readonly<Record<string, string | undefined>>, node = '', file = ''): string {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '', npm_package_name: name } = env;
  if (name === 'assize' && event === 'assize') return 'npm run -s assize --';
  const isOurs = event === 'npx' ? /^['"]?assize\b/.test(script) : name === 'assize' && scripts.has(event);
  if (isOurs) return 'npx --no assize';
  if (!/[\\/]bin[\\/]assize\.js$/.test(file)) return 'assize';
  const near = relative('', file);
  return [node, near === join('bin', 'assize.js') ? near : file].map(argument).join(' ');
}

/** How the user called the program, for its threads: their own arguments name another file. */
export const callKey = 'assize/call';
const given = getEnvironmentData(callKey);

export const ownCall: string = typeof given === 'string' ? given : callOf(process.env, process.argv0, process.argv[1]);
setEnvironmentData(callKey, ownCall);

/** A command of this program. Foreign names in it are quoted, invisible characters named, so that they reach no shell. */
export const commandText = (...words: readonly string[]): string => [ownCall, ...words.map(argument)].join(' ');

/** Advises a check of the record. @param why begins with `to` or `for` */
export const checkRecord = (why: string): Remedy => ({
  command: `run ${ownCall} verify ${why}`,
  screen: `check the record in the settings ${why}`,
});
