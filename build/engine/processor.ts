// ggml, llama.cpp's arithmetic, comes as one library for each kind of x86 processor. llama.cpp chooses by
// itself where it finds them in their usual place; elsewhere one has to be named. The plainest takes up to
// ten times as long.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const avx = ['sse4_2', 'avx'];
const haswell = [...avx, 'f16c', 'fma', 'bmi2', 'avx2'];
const skylakex = [...haswell, 'avx512f', 'avx512cd', 'avx512bw', 'avx512dq', 'avx512vl'];
const icelake = [...skylakex, 'avx512vbmi', 'avx512_vnni'];

/** Build -> the processor's abilities that it needs, in the names of /proc/cpuinfo; the fastest first. */
const builds: Readonly<Record<string, readonly string[]>> = {
  sapphirerapids: [...icelake, 'avx512_bf16', 'amx_int8'],
  zen4: [...icelake, 'avx512_bf16'],
  icelake,
  cooperlake: [...skylakex, 'avx512_vnni', 'avx512_bf16'],
  cascadelake: [...skylakex, 'avx512_vnni'],
  cannonlake: [...skylakex, 'avx512vbmi'],
  skylakex,
  alderlake: [...haswell, 'avx_vnni'],
  haswell,
  piledriver: [...avx, 'f16c', 'fma'],
  ivybridge: [...avx, 'f16c'],
  sandybridge: avx,
  sse42: ['sse4_2'],
  x64: [],
};

/** The fastest of the files `libggml-cpu-BUILD.so` that a processor with such abilities can run; null where there is none. */
export function fastestBuild(files: readonly string[], abilities: ReadonlySet<string>): string | null {
  for (const [build, needed] of Object.entries(builds)) {
    const file = `libggml-cpu-${build}.so`;
    if (files.includes(file) && needed.every((ability) => abilities.has(ability))) return file;
  }
  return null;
}

/** The abilities of this machine's processor; none where the system does not report them. */
function abilitiesHere(): Set<string> {
  const flags = existsSync('/proc/cpuinfo') ? /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) : null;
  return new Set(flags?.[1]?.trim().split(/\s+/));
}

/** Path of the fastest build in a folder that this machine can run. Throws where the folder has none. */
export function processorBuild(folder: string): string {
  const file = fastestBuild(readdirSync(folder), abilitiesHere());
  if (file === null) throw new Error(`${folder} has no libggml-cpu-*.so that this processor can run`);
  return join(folder, file);
}
