// Finds the engines that the tests of e2e/engine run against.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildOllama } from './goOllama.ts';
import { unpackLlamaCpp } from './packages.ts';
import { installVllm } from './vllm.ts';

/** How to start llama.cpp's server. */
export interface LlamaServer {
  /** Program and first words. */
  readonly command: readonly string[];
  /** Folder that the server takes for the file system's root. */
  readonly root: string;
  /** Folder whose files it can read. */
  readonly temporary: string;
}

/** An Ollama to start, or one that runs already and belongs to somebody. */
export type OllamaServer = { readonly program: string } | { readonly url: string };

export type Found<T> = T | { readonly missing: string };

function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** The server, if it starts at all: a package can be there and unfit for the machine. */
function thatStarts(server: LlamaServer): Found<LlamaServer> {
  const [program = '', ...words] = server.command;
  const { status, error } = spawnSync(program, [...words, '--version'], { stdio: 'ignore', timeout: 60_000 });
  return status === 0 ? server : { missing: `llama-server does not start (${error?.message ?? `exit ${status}`})` };
}

/** `LLAMA_SERVER`, else `llama-server` on PATH, else Debian's, fetched if need be. */
export function findLlamaServer(): Found<LlamaServer> {
  const named = process.env.LLAMA_SERVER;
  if (named !== undefined && named !== '' && !existsSync(named))
    return { missing: 'LLAMA_SERVER names a file that is not there' };
  const program = named || onPath('llama-server');
  if (program !== undefined) return thatStarts({ command: [program], root: '/', temporary: tmpdir() });
  const unpacked = unpackLlamaCpp();
  if ('missing' in unpacked) return unpacked;
  const { folder } = unpacked;
  return thatStarts({ command: ['chroot', folder, 'llama-server'], root: folder, temporary: join(folder, 'tmp') });
}

/** The server at `OLLAMA_HOST`, where that is set, else `ollama` on PATH, else one built with Go, if need be. */
export function findOllama(): Found<OllamaServer> {
  const host = process.env.OLLAMA_HOST;
  if (host !== undefined && host !== '') return { url: /^https?:\/\//.test(host) ? host : `http://${host}` };
  const program = onPath('ollama');
  return program === undefined ? buildOllama() : { program };
}

/** `vllm` on PATH, else the build for processors from the Python index, in its own folder. */
export function findVllm(): Found<{ readonly program: string }> {
  const program = onPath('vllm');
  return program === undefined ? installVllm() : { program };
}
