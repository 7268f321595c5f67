// Ollama built from its own Go module. Such a build brings no engine: it looks for `llama-server` and
// `llama-quantize` in `../lib/ollama` next to its own folder, where small scripts start Debian's.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, failureOf, unpackLlamaCpp } from './packages.ts';
import { processorBuild } from './processor.ts';

const version = 'v0.33.0';
/** A first build takes minutes, on a small machine many. */
const limitMs = 20 * 60_000;
const engines = ['llama-server', 'llama-quantize'];

/** Starts a program of the unpacked folder by that folder's own loader: it sees the files of the machine, unlike in a chroot. */
const starter = (unpacked: string, program: string): string => {
  const libraries = `${unpacked}/usr/lib/x86_64-linux-gnu`;
  return [
    '#!/bin/sh',
    `export GGML_BACKEND_PATH='${processorBuild(`${libraries}/ggml/backends0`)}'`,
    `exec '${unpacked}/lib64/ld-linux-x86-64.so.2' --library-path '${libraries}:${libraries}/llama' '${unpacked}/usr/bin/${program}' "$@"`,
    '',
  ].join('\n');
};

/** The program, built if it was not yet; or why it cannot be had. Only on Linux x64, where Debian's engine can be unpacked. */
export function buildOllama(): { program: string } | { missing: string } {
  const without = 'OLLAMA_HOST is not set, no ollama is on PATH';
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0)
    return { missing: `${without}, and no go to build one with` };
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: `${without}, and one is built on Linux x64 only` };
  const engine = unpackLlamaCpp();
  if ('missing' in engine) return { missing: `${without}, and one that is built needs an engine: ${engine.missing}` };
  const folder = cacheFolder(`ollama-${version}`);
  const program = join(folder, 'bin/ollama');
  if (!existsSync(program)) {
    const partial = `${folder}.${process.pid}`;
    const environment = { GOBIN: join(partial, 'bin') };
    const failure = failureOf('go', ['install', `github.com/ollama/ollama@${version}`], { environment, limitMs });
    if (failure !== null) {
      rmSync(partial, { recursive: true, force: true });
      return { missing: `${without}, and ${version} cannot be built: ${failure}` };
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  }
  const libraries = join(folder, 'lib/ollama');
  mkdirSync(libraries, { recursive: true });
  for (const name of engines) {
    writeFileSync(join(libraries, name), starter(engine.folder, name));
    chmodSync(join(libraries, name), 0o755);
  }
  return { program };
}
