// llama.cpp's server out of Debian's own packages. Only Debian's unstable suite has it, so that on any
// other release it is unpacked into a separate folder, and nothing of the machine's changes.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const sources = '/etc/apt/sources.list.d';
const usualLimitMs = 8 * 60_000;

/** Folder outside the repository that keeps an engine. Remove it to fetch that again. */
export function cacheFolder(engine: string, environment: NodeJS.ProcessEnv = process.env): string {
  const base = environment.XDG_CACHE_HOME;
  return join(base === undefined || base === '' ? join(homedir(), '.cache') : base, 'assize', engine);
}

/** Where the machine gets Debian from: the first address among the texts of its lists of sources, or null. */
export function firstMirror(texts: readonly string[]): string | null {
  for (const text of texts) {
    const line = /^(?:URIs:\s*|deb\s+(?:\[[^\]]*\]\s+)?)(https?:\/\/\S+)/m.exec(text);
    if (line?.[1] !== undefined) return line[1];
  }
  return null;
}

function readSources(): string[] {
  const listed = existsSync(sources) ? readdirSync(sources).sort() : [];
  // Debian's own list before those that were added.
  const ordered = listed.toSorted((a, b) => Number(b.startsWith('debian')) - Number(a.startsWith('debian')));
  return ['/etc/apt/sources.list', ...ordered.map((name) => join(sources, name))]
    .filter((path) => /\.(list|sources)$/.test(path) && existsSync(path))
    .map((path) => readFileSync(path, 'utf8'));
}

const isDebian = () => existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));

/** Runs a program to the end; null where it succeeded, else the last line that it wrote. */
export function failureOf(
  program: string,
  words: readonly string[],
  options: { environment?: NodeJS.ProcessEnv; limitMs?: number } = {},
): string | null {
  const { status, error, stdout, stderr } = spawnSync(program, words, {
    encoding: 'utf8',
    timeout: options.limitMs ?? usualLimitMs,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', ...options.environment },
  });
  if (error !== undefined) return error.message;
  return status === 0 ? null : (`${stdout}\n${stderr}`.trim().split('\n').at(-1) ?? `exit ${status}`);
}

function installDebootstrap(): string | null {
  if (failureOf('debootstrap', ['--version']) === null) return null;
  const install = ['install', '-q', '-y', '--no-install-recommends', 'debootstrap'];
  if (failureOf('apt-get', install) === null) return null;
  return failureOf('apt-get', ['update', '-q']) ?? failureOf('apt-get', install);
}

/** The folder with Debian's llama.cpp, unpacked there if it was not yet; or why it cannot be had. */
export function unpackLlamaCpp(): { folder: string } | { missing: string } {
  // About 280 MB.
  const folder = cacheFolder('llama.cpp');
  if (process.getuid?.() !== 0)
    return { missing: 'no llama-server on PATH, and only root can unpack one from Debian’s packages' };
  if (existsSync(join(folder, 'usr/bin/llama-server'))) return { folder };
  if (!isDebian()) return { missing: 'no llama-server on PATH, and this is not Debian, whose packages have one' };
  const mirror = firstMirror(readSources());
  if (mirror === null) return { missing: 'no llama-server on PATH, and the lists of apt name no address to get one from' };
  const failure = installDebootstrap();
  if (failure !== null) return { missing: `debootstrap cannot be installed: ${failure}` };
  mkdirSync(dirname(folder), { recursive: true });
  const partial = `${folder}.${process.pid}`;
  const unpacking = failureOf('debootstrap', ['--variant=minbase', '--include=llama.cpp-tools', 'sid', partial, mirror]);
  if (unpacking !== null) {
    // Only what is on the disk: debootstrap may have left the kernel's own file systems mounted there.
    failureOf('rm', ['-rf', '--one-file-system', partial]);
    return { missing: `Debian’s llama.cpp cannot be unpacked: ${unpacking}` };
  }
  renameSync(partial, folder);
  return { folder };
}
