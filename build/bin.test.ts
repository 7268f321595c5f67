import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const bin = resolve(import.meta.dirname, '../bin/assize.js');
/** Debian's own Node, too old for Assize. */
const systemNode = '/usr/bin/node';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assize-bin-'));
  cpSync(bin, join(folder, 'bin/assize.js'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Puts `source` in place of the program behind the entry. */
function program(source: string): void {
  mkdirSync(join(folder, 'src/headless'), { recursive: true });
  writeFileSync(join(folder, 'src/headless/main.ts'), source);
}

interface Setting {
  args?: readonly string[];
  env?: Record<string, string>;
  node?: string;
}

function launch({ args = [], env = {}, node = process.execPath }: Setting = {}) {
  const child = spawnSync(node, [join(folder, 'bin/assize.js'), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, ASSIZE_LOG_DIR: join(folder, 'logs'), ...env },
  });
  return { code: child.status, out: child.stdout, err: child.stderr };
}

const log = () => readFileSync(join(folder, 'logs/assize.log'), 'utf8');
const oneSentence = (text: string) => expect(text.trimEnd().split('\n')).toHaveLength(1);

describe('the program behind the entry', () => {
  it('is kept compiled in the cache of the user, and runs where it cannot be', () => {
    program('export const main = async (): Promise<number> => 0;');
    expect(launch({ env: { XDG_CACHE_HOME: 'not/absolute' } })).toEqual({ code: 0, out: '', err: '' });
    if (process.platform === 'linux') expect(existsSync(join(folder, '.cache/assize/code'))).toBe(true);
    writeFileSync(join(folder, 'file'), '');
    expect(launch({ env: { XDG_CACHE_HOME: join(folder, 'file') } })).toEqual({ code: 0, out: '', err: '' });
    symlinkSync(join(folder, 'nowhere/else'), join(folder, 'dangling'));
    const odd = [
      { HOME: '/proc/nobody' },
      { HOME: '/proc/self' },
      { XDG_CACHE_HOME: '/proc/nope' },
      { XDG_CACHE_HOME: join(folder, 'dangling') },
    ];
    for (const env of odd) expect(launch({ env }), JSON.stringify(env)).toEqual({ code: 0, out: '', err: '' });
  });

  it('gets the words after the name, and its number becomes the exit code', () => {
    program(
      'export async function main(argv: readonly string[]): Promise<number> { console.log(JSON.stringify(argv)); return 3; }',
    );
    expect(launch({ args: ['run', 'a b', '--json'] })).toEqual({ code: 3, out: '["run","a b","--json"]\n', err: '' });
    expect(existsSync(join(folder, 'logs'))).toBe(false);
  });

  it.each([
    ['throws', "export async function main() { throw new Error('broken in the middle'); }", 'Error: broken in the middle'],
    [
      'throws outside of its promise',
      "export async function main() { setTimeout(() => { throw new Error('late'); }); return await new Promise(() => setInterval(() => 0, 1000)); }",
      'Error: late',
    ],
    [
      'leaves a rejection alone',
      "export async function main() { Promise.reject(new Error('left alone')); return await new Promise(() => setInterval(() => 0, 1000)); }",
      'Error: left alone',
    ],
    ['throws something that is no error', "export async function main() { throw 'a word'; }", "'a word'"],
    ['throws while it is loaded', "throw new Error('on load');", 'Error: on load'],
    ['cannot be parsed', 'export async function main( {', 'SyntaxError'],
    ['lacks main', 'export const other = 1;', 'TypeError'],
    ['imports what is not there', "import './missing.ts'; export async function main() { return 0; }", 'ERR_MODULE_NOT_FOUND'],
    ['returns no number', 'export async function main() { return undefined; }', 'instead of an exit code'],
    ['stops without an answer', 'export function main() { return new Promise(() => {}); }', 'stopped without a result'],
  ])('%s: exit 70, the stack in the log, one sentence on stderr', (_what, source, expected) => {
    program(source);
    const { code, out, err } = launch({ args: ['run', '--fact', 'secret=1'] });
    expect(err).toContain(join(folder, 'logs', 'assize.log'));
    oneSentence(err);
    expect(code).toBe(70);
    expect(out).toBe('');
    expect(log()).toContain(expected);
    expect(log()).toMatch(/^\d{4}-\d\d-\d\dT\S+Z assize run, Node v/);
    expect(log()).not.toContain('secret');
  });

  it('is missing: exit 70, never 1', () => {
    expect(launch().code).toBe(70);
    expect(log()).toContain('ERR_MODULE_NOT_FOUND');
  });

  it('is hit by a crash from outside', () => {
    program('export async function main() { return await new Promise(() => setInterval(() => 0, 1000)); }');
    const crash = "setTimeout(()=>{throw(new(Error)('from@outside'))},300)";
    const { code, err } = launch({ env: { NODE_OPTIONS: `--import=data:text/javascript,${crash}` } });
    expect(err).toContain('its details are in');
    expect(code).toBe(70);
    expect(log()).toContain('from@outside');
  });

  it('ends quietly with 0 when no one reads its output any more', async () => {
    program(
      "export async function main() { for (;;) { process.stdout.write('x'.repeat(65_536)); await new Promise((next) => setImmediate(next)); } }",
    );
    const child = spawn(process.execPath, [join(folder, 'bin/assize.js')], {
      env: { HOME: folder, ASSIZE_LOG_DIR: join(folder, 'logs') },
    });
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const code = await new Promise((ended) => child.on('close', ended));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(existsSync(join(folder, 'logs'))).toBe(false);
  });

  it.runIf(existsSync('/dev/full'))(
    'says that the disk is full, and not that it has an error; progress without room does not stop it',
    () => {
      program("export async function main() { process.stderr.write('progress'); process.stdout.write('results'); return 0; }");
      const full = openSync('/dev/full', 'w');
      const into = (out: number | 'pipe', err: number | 'pipe') =>
        spawnSync(process.execPath, [join(folder, 'bin/assize.js')], { encoding: 'utf8', stdio: ['ignore', out, err] });
      expect(into(full, 'pipe')).toMatchObject({
        status: 70,
        stderr: 'progressassize: the output could not be written: the disk is full; free some space and run again\n',
      });
      expect(into('pipe', full)).toMatchObject({ status: 0, stdout: 'results' });
      closeSync(full);
      expect(existsSync(join(folder, 'logs'))).toBe(false);
    },
  );

  it('keeps the code of a command that returns while its reader leaves', async () => {
    program(
      "export async function main() { await new Promise((next) => setTimeout(next, 300)); process.stdout.write('tampered'); return 1; }",
    );
    const child = spawn(process.execPath, [join(folder, 'bin/assize.js')], { env: { HOME: folder } });
    child.stdout.destroy();
    expect(await new Promise((ended) => child.on('close', ended))).toBe(1);
  });

  it('continues when no one reads its progress any more', async () => {
    program(
      "export async function main() { await new Promise((next) => setTimeout(next, 300)); for (let i = 0; i < 5; i += 1) { process.stderr.write('progress\\n'); await new Promise((next) => setImmediate(next)); } process.stdout.write('all'); return 0; }",
    );
    const child = spawn(process.execPath, [join(folder, 'bin/assize.js')], { env: { HOME: folder } });
    child.stderr.destroy();
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    const code = await new Promise((ended) => child.on('close', ended));
    expect({ code, out }).toEqual({ code: 0, out: 'all' });
  });
});

describe('the log', () => {
  const crash = "export async function main() { throw new Error('broken'); }";

  it.skipIf(process.platform === 'win32')('is readable by its owner only, and grows', () => {
    program(crash);
    launch();
    const first = log().length;
    launch();
    expect(log().length).toBeGreaterThan(first);
    expect(statSync(join(folder, 'logs/assize.log')).mode & 0o777).toBe(0o600);
  });

  it.runIf(process.platform === 'linux').each([
    ['XDG_STATE_HOME', { XDG_STATE_HOME: '/state' }, 'state/assize/assize.log'],
    ['a relative XDG_STATE_HOME, which is invalid', { XDG_STATE_HOME: 'state' }, '.local/state/assize/assize.log'],
    ['no variable', {}, '.local/state/assize/assize.log'],
  ])('lies where the platform wants it: %s', (_what, env, expected) => {
    program(crash);
    const absolute = Object.fromEntries(
      Object.entries(env).map(([key, value]) => [key, value.startsWith('/') ? join(folder, value) : value]),
    );
    const { err } = launch({ env: { ASSIZE_LOG_DIR: '', ...absolute } });
    expect(err).toContain(join(folder, expected));
    expect(readFileSync(join(folder, expected), 'utf8')).toContain('Error: broken');
  });

  it('cannot be written: says so, shows the error, exits 70', () => {
    program(crash);
    writeFileSync(join(folder, 'in-the-way'), '');
    const { code, err } = launch({ env: { ASSIZE_LOG_DIR: join(folder, 'in-the-way') } });
    expect(code).toBe(70);
    expect(err).toContain('cannot be written');
    expect(err).toContain('Error: broken');
  });
});

describe('an older Node', () => {
  const advice = ['Node 24', 'npm ci', 'npx --no assize', 'npm run -s assize --'];
  const version = spawnSync(systemNode, ['--version'], { encoding: 'utf8' }).stdout?.trim();
  const major = Number(/^v(\d+)/.exec(version ?? '')?.[1]);
  const reason = version ? `${systemNode} is ${version}` : `there is no ${systemNode}`;

  it.skipIf(Number.isNaN(major) || major >= 24)(`is refused in one sentence with exit 2 (${reason})`, () => {
    program('export async function main() { return 0; }');
    const { code, out, err } = launch({ node: systemNode });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    oneSentence(err);
    for (const part of [`Node ${version?.slice(1)}`, ...advice]) expect(err).toContain(part);
  });

  it('is refused where only the version differs', () => {
    program('export async function main() { return 0; }');
    const { code, err } = launch({
      env: { NODE_OPTIONS: "--import=data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'12.22.12'}})" },
    });
    expect(code).toBe(2);
    oneSentence(err);
    for (const part of ['Node 12.22.12', ...advice]) expect(err).toContain(part);
  });

  it('can parse the entry: nothing in it is newer than ES2019, but for import()', () => {
    const source = readFileSync(bin, 'utf8');
    const lowered = transpileModule(source, {
      compilerOptions: { target: ScriptTarget.ES2019, module: ModuleKind.ES2020, removeComments: false },
      fileName: 'assize.js',
    });
    const untouched = transpileModule(source, {
      compilerOptions: { target: ScriptTarget.ESNext, module: ModuleKind.ES2020, removeComments: false },
      fileName: 'assize.js',
    });
    expect(lowered.outputText).toBe(untouched.outputText);
    expect(source).not.toMatch(/^(import|export|await)\b/m);
  });
});

it.skipIf(process.platform === 'win32')('the entry is executable', () => {
  expect(statSync(bin).mode & 0o111).not.toBe(0);
});
