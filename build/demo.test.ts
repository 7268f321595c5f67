import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from './repository.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assize-demonstration-'));
  for (const name of ['home', 'temporary', 'experiments']) mkdirSync(join(folder, name));
  // Of one case each: whether all of their cases are decided is a test of the figures, which are drawn from the same experiments.
  for (const each of experiments) writeFileSync(join(folder, 'experiments', `${each.name}.json`), JSON.stringify(each));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** What the demonstration left behind, in a home and a temporary folder that were empty. */
interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
  readonly left: string[];
}

/** @param interruptAt what it says when it is interrupted; null: it is not interrupted */
function demonstrate(interruptAt: RegExp | null): Promise<Ended> {
  const [home, temporary] = [join(folder, 'home'), join(folder, 'temporary')];
  const places = { HOME: home, USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home };
  const child = spawn(process.execPath, [join(root, 'build/demo.ts'), join(folder, 'experiments')], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...places, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors, interrupted] = ['', '', false];
  const look = () => {
    if (interrupted || interruptAt === null || !interruptAt.test(output + errors)) return;
    interrupted = true;
    child.kill('SIGINT');
  };
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
    look();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
    look();
  });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => done({ code, output, errors, left: [...readdirSync(home), ...readdirSync(temporary)] }));
  });
}

interface ExperimentText {
  readonly name: string;
  readonly dataset: { readonly path: string; readonly sample?: object; readonly label?: unknown };
  readonly arms: readonly { readonly name: string }[];
}

const resources = join(root, 'resources/experiments');
const experiments = readdirSync(resources).map((file): ExperimentText => {
  const whole: ExperimentText = JSON.parse(readFileSync(join(resources, file), 'utf8'));
  const { path, sample } = whole.dataset;
  return { ...whole, dataset: { ...whole.dataset, path: resolve(resources, path), sample: { ...sample, n: 1 } } };
});

test('every arm of every experiment is in the one table, the record is verified and replayed, and nothing is left', async () => {
  const { code, output, errors, left } = await demonstrate(null);
  expect([code, left], errors).toEqual([0, []]);
  expect(output).toMatch(/^\*\*\* DEMO MODEL/);

  const [, table = ''] = output.split(/^system .*\n/m);
  const rows = table
    .split('\nAccuracy:')[0]
    ?.split('\n')
    .map((line) => line.split(/ {2,}/));
  const expected = experiments.flatMap(({ name, dataset, arms }) => arms.map((arm) => [name, arm.name, dataset.label]));
  expect(rows).toHaveLength(expected.length);
  for (const [experiment, arm, label] of expected) {
    const row = rows?.find((cells) => cells[2] === experiment && cells[1] === arm);
    const [, , , cases, decided, failed, accuracy] = row ?? [];
    expect([decided, failed], `${experiment}, ${arm}`).toEqual([cases, '0']);
    expect(accuracy).toMatch(label === undefined ? /^open$/ : /^\d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\]$/);
  }
  for (const system of ['StandardLLM', 'AgenticSimLLM', 'Courtroom-LLM', 'Debate-Feedback', 'EVINCE', 'SocraSynth'])
    expect(rows?.map(([title]) => title)).toContain(system);

  const trials = rows?.reduce((sum, [, , , cases]) => sum + Number(cases), 0);
  expect(output).toContain(`Verified: the record is intact, ${trials} trials with`);
  expect(output).toContain(`Replayed without a model: ${trials} verdicts re-derived, 0 different, 0 not replayable.`);
}, 900_000);

test('an interrupt ends it in order, with nothing left', { tags: 'exhaustive', timeout: 300_000 }, async () => {
  const { code, output, errors, left } = await demonstrate(/trials decided/);
  expect([code, left], errors).toEqual([130, []]);
  expect(errors).toMatch(/Interrupted: the record is removed\.\n$/);
  expect(output).not.toContain('accuracy');
});
