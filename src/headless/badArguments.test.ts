import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startDemoServer } from '../main/engine/models/demo/demoServer.ts';
import { serve } from '../main/engine/models/testing/server.ts';
import { kept } from '../main/engine/testing/kept.ts';
import { doctorReportSchema } from '../shared/commandOutputs.ts';
import { errorOf, openBench, parseTrialLines, sampleExperiment, snapshot, writeExperiment } from './testing.ts';

const bench = await openBench();
const { standin } = bench;
const { file, store } = await bench.finishedRun();

describe('words that no command understands: exit 2, a sentence that names them, nothing written', () => {
  const attempts: readonly [words: string, message: RegExp][] = [
    ['', /Assize .*assize COMMAND --help/s],
    ['judge', /no command "judge"; .*assize help lists the commands/],
    ['run', /<experiment.json> is missing\. Usage: assize run/],
    ['run //server/share/experiment.json', /<experiment.json>: UNC and device paths/],
    ['run FILE more', /"more" is one word too many\. Usage/],
    ['run FILE --stoer x', /Unknown option '--stoer'\. Usage/],
    ['run FILE --store', /'--store <value>' argument missing\. Usage/],
    ['run FILE --concurrency --plan', /--concurrency needs a value \(.*=-VALUE\)\. Usage/],
    ['run FILE --concurrency 0', /--concurrency: "0" is not a whole number of at least 1/],
    ['run FILE --max-trials -1', /--max-trials/],
    ['run FILE --plan --max-trials 3', /--max-trials: a plan is of all trials/],
    ['run FILE --retry nonsense', /--retry: there is no outcome "nonsense"; there are undecided, malformed, /],
    ['run FILE --between 22-7', /--between: give hours as 22:00-07:00/],
    ['run FILE --ollama ftp://x', /--ollama: "ftp:\/\/x" is not an address/],
    ['run FILE --ollama 11434', /--ollama: "11434" is a port and no address; write it like http:\/\/127\.0\.0\.1:11434/],
    ['doctor --ollama http://me:secret@127.0.0.1:11434', /--ollama: an address has no user, password, (?!.*secret)/],
    ['models --ollama 127.0.0.1:1?x', /--ollama: an address has no user/],
    ['run FILE --store //server/share/s.db', /--store: UNC and device paths/],
    ['import-predictions FILE --arm a', /assize: --experiment, --case are missing\. Usage: assize import-predictions/],
    ['try --protocol standard', /--model.* missing\. Usage: assize try/],
    ['export rain --out -', /--format is missing\. Usage: assize export/],
    ['export rain --format xml --out -', /--format: there is no format "xml"; there are trials-csv, trials-jsonl, cases-csv, /],
    ['export rain --store STORE --format trials-csv --out //server/x.csv', /--out: UNC and device paths/],
    [
      'export rain --store STORE --format bundle --damaged --out x.zip',
      /--damaged: a bundle can only be made of an intact record/,
    ],
    ['verify', /assize\.db: there is no such file/],
    ['verify --store STORE', /--store: give the file without it: assize verify \//],
    ['verify STORE checkpoint.txt', /"checkpoint\.txt" is one word too many: give an earlier checkpoint with --since/],
    ['verify STORE --head abc', /--head: a head or root is 64 hexadecimal digits/],
    ['standin --port 70000', /--port: /],
    ['doctor --allow-host https://192.0.2.1/', /--allow-host: https.* is an address; /],
    ['doctor --allow-host 192.0.2.1:11434', /--allow-host: 192.* is an address; /],
    ['doctor --allow-host [::1]:8080', /--allow-host: .* is an address; /],
    ['standin --profile nonsense', /--profile: .*'nonsense'; known: instant, /],
    ['standin --port 0 --profile hang:7', /--profile: '7' is no share/],
    ['standin --port 0 --log NOWHERE/log', /--log: /],
  ];

  test.concurrent.for(attempts)('assize %s', async ([words, message], { expect }) => {
    const room = bench.room(`words-${attempts.findIndex(([each]) => each === words)}`);
    const args = words.split(' ').filter((word) => word !== '');
    const given = args.map((word) => word.replace('FILE', file).replace('STORE', store).replace('NOWHERE', join(room, 'none')));
    const writes = args[0] === 'run' && !args.includes('--store') ? ['--store', join(room, 'store.db')] : [];
    const ended = await bench.assize([...given.slice(0, 1), ...writes, ...given.slice(1)]);
    expect(ended.code, ended.errors).toBe(2);
    expect(args.length === 0 ? ended.output : ended.errors).toMatch(message);
    if (args.length > 0) {
      expect(ended.output).toBe('');
      expect(ended.errors).toMatch(/^assize: [^\n]+\n$/);
    }
    expect(snapshot(room)).toEqual({});
  });
});

test('unknown names: exit 2, and the known ones', async () => {
  const before = snapshot(bench.path('good'));
  const unknown = await Promise.all([
    bench.assize(['stats', 'rein', '--store', store, '--json']),
    bench.assize(['export', 'rein', '--store', store, '--format', 'trials-csv', '--out', bench.path('good/x.csv')]),
  ]);
  for (const { code, errors } of unknown) {
    expect(code).toBe(2);
    expect(errors).toBe(`assize: ${store}: there is no experiment "rein"; the store has "rain"\n`);
  }
  expect(unknown[0] && errorOf(unknown[0])).toMatchObject({ code: 'not-found', file: store });
  const [replayed, exported] = await Promise.all([
    bench.assize(['replay', '--store', store, '--trial', 'ffff', '--json']),
    bench.assize(`export rain --store ${store} --format events-jsonl --trial ffff --out ${bench.path('good/x.jsonl')}`),
  ]);
  for (const { code, errors } of [replayed, exported]) {
    expect(code).toBe(2);
    expect(errors).toMatch(/--trial: .*no trial "ffff"/);
  }
  expect(errorOf(replayed)).toMatchObject({ code: 'not-found', field: '--trial' });
  expect(snapshot(bench.path('good'))).toEqual(before);
});

test('an export never replaces a file unasked and never leaves half of one', async () => {
  const room = bench.room('out');
  const out = join(room, 'trials.jsonl');
  const put = (target: string, ...more: string[]) =>
    bench.assize(['export', 'rain', '--store', store, '--format', 'trials-jsonl', '--out', target, ...more]);
  writeFileSync(out, 'mine\n');
  const refused = await put(out);
  expect(refused.code).toBe(2);
  expect(refused.errors).toBe(`assize: ${out}: the file is there already; use --force to replace it\n`);
  expect(readFileSync(out, 'utf8')).toBe('mine\n');
  const forced = await put(out, '--force');
  expect(forced, forced.errors).toMatchObject({ code: 0, output: '' });
  expect(parseTrialLines(readFileSync(out, 'utf8'))).toHaveLength(3);
  const streamed = await put('-');
  expect(streamed).toMatchObject({ code: 0, errors: '', output: readFileSync(out, 'utf8') });

  mkdirSync(join(room, 'folder'));
  const content = snapshot(bench.path('good'))['store.db'];
  const refusals: readonly (readonly [target: string, message: string])[] = [
    [join(room, 'none/x.jsonl'), `${join(room, 'none')}: --out: the folder does not exist`],
    [join(out, 'x.jsonl'), `${out}: --out: this is a file`],
    [join(room, 'folder'), 'this is a folder; name a file'],
    [store, `${store}: --out: this is the store itself`],
  ];
  for (const { code, errors, message } of await Promise.all(
    refusals.map(async ([target, message]) => ({ message, ...(await put(target, '--force')) })),
  )) {
    expect(code, errors).toBe(2);
    expect(errors).toContain(message);
  }
  expect(Object.keys(snapshot(room))).toEqual(['folder', 'trials.jsonl']);
  expect(snapshot(bench.path('good'))['store.db']).toBe(content);
});

test.skipIf(process.platform === 'win32')('devices are neither read nor replaced', async () => {
  const [read, replaced] = await Promise.all([
    bench.assize(['run', '/dev/zero', '--store', bench.path('device.db')]),
    bench.assize(['export', 'rain', '--store', store, '--format', 'trials-csv', '--out', '/dev/null', '--force']),
  ]);
  for (const { code, errors } of [read, replaced]) {
    expect(code, errors).toBe(2);
    expect(errors).toContain('this is not a regular file');
  }
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

test('try names the option at fault', async () => {
  const room = bench.room('try');
  const facts = join(room, 'facts.txt');
  writeFileSync(facts, 'It is dark and the swallows fly low.');
  const attempt = (changes: Record<string, string>) => {
    const options = {
      protocol: 'standard',
      model: 'llama3.1:8b',
      question: 'Will it rain?',
      facts,
      labels: 'NO,YES',
      ...changes,
    };
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    return bench.assize(['try', ...words, '--store', join(room, 'store.db'), '--ollama', standin.url, '--json']);
  };
  const faults: readonly (readonly [option: string, value: string, message: RegExp])[] = [
    ['protocol', 'standart', /no protocol "standart"/],
    ['model', 'gpt-oss:120b-cloud', /name a local model/],
    ['model', '', /./],
    ['question', '', /./],
    ['labels', 'NO', /at least two different labels/],
    ['labels', 'NO,,YES', /./],
    ['facts', join(room, 'none.txt'), /cannot be read/],
  ];
  for (const ended of await Promise.all(
    faults.map(async ([option, value, message]) => ({ option, message, ...(await attempt({ [option]: value })) })),
  )) {
    expect(ended.code, ended.errors).toBe(2);
    expect(errorOf(ended)).toMatchObject({ field: `--${ended.option}` });
    expect(ended.errors).toMatch(ended.message);
  }
  expect(Object.keys(snapshot(room))).toEqual(['facts.txt']);
});

test('the demo model says that its port is taken', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const ended = await bench.assize(['standin', '--port', String(port)]);
  other.close();
  expect(ended).toMatchObject({ code: 2, output: '' });
  expect(ended.errors).toContain(`--port: port ${port} is in use`);
});

test('doctor reports a broken store and a missing server as problems, and makes nothing', async () => {
  const room = bench.room('doctor');
  const broken = join(room, 'broken.db');
  writeFileSync(broken, 'no database');
  const away = await startDemoServer({ port: 0 });
  await away.close();
  const before = snapshot(room);
  const [ill, torn, well] = await Promise.all([
    bench.assize(['doctor', '--store', broken, '--ollama', away.url, '--json']),
    bench.assize(['doctor', '--store', broken, '--ollama', standin.url]),
    bench.assize(['doctor', '--store', join(room, 'new/store.db'), '--ollama', standin.url, '--json']),
  ]);
  const problems = doctorReportSchema.parse(JSON.parse(ill.output)).checks.filter(({ state }) => state === 'problem');
  expect(problems.map(({ name }) => name)).toEqual(['store', 'ollama']);
  expect(problems.every(({ mend }) => mend !== null)).toBe(true);
  expect(ill.code).toBe(4);
  expect(torn.code, torn.output).toBe(2);
  expect(torn.output).toMatch(/PROBLEM {2}store: .*\n +-> do as it says, or use another --store/);
  expect(well.code, well.output).toBe(0);
  expect(doctorReportSchema.parse(JSON.parse(well.output)).ok).toBe(true);
  expect(snapshot(room)).toEqual(before);
});

test('doctor ends with 4 for an Ollama that is too old for trials', async () => {
  const bodies: Readonly<Record<string, unknown>> = {
    '/api/version': { version: '0.4.9' },
    '/api/tags': { models: [{ name: 'llama3.1:8b', size: 5e9 }] },
    '/api/ps': { models: [] },
  };
  const old = kept(
    await serve(({ url = '' }, response) => {
      response.end(url === '/' ? 'Ollama is running' : JSON.stringify(bodies[url] ?? {}));
    }),
  );
  const { code, output } = await bench.assize(['doctor', '--store', join(bench.room('old'), 's.db'), '--ollama', old.url]);
  expect(output).toMatch(/^PROBLEM {2}ollama version: 0\.4\.9: it knows no schemas/m);
  expect(output.match(/^PROBLEM/gm)).toHaveLength(1);
  expect(code, output).toBe(4);
});

test('doctor looks at every server of an experiment', async () => {
  const room = bench.room('doctor-experiment');
  const away = await startDemoServer({ port: 0 });
  await away.close();
  const small = await startDemoServer({ port: 0, models: ['tiny:1b'], anyModel: false });
  const openai = (url: string) => ({ kind: 'openai', url: `${url}/v1` });
  const model = (name: string, backend: string) => ({ [name]: { model: 'llama3.1:8b', backend } });
  const experiment = {
    ...JSON.parse(sampleExperiment),
    backends: {
      here: openai(standin.url),
      gone: openai(away.url),
      small: openai(small.url),
      unused: openai('http://127.0.0.1:1'),
    },
    arms: [
      {
        name: 'court',
        protocol: 'agentic-sim',
        cast: { ...model('judge', 'here'), ...model('prosecutor', 'gone'), ...model('defense', 'small') },
      },
    ],
  };
  const file = writeExperiment(room, JSON.stringify(experiment));
  const ended = await bench.assize(['doctor', file, '--store', join(room, 'new/store.db'), '--json']);
  await small.close();
  expect(ended.code, ended.errors).toBe(4);
  const checks = doctorReportSchema.parse(JSON.parse(ended.output)).checks.filter(({ name }) => name.startsWith('backend'));
  expect(Object.fromEntries(checks.map(({ name, state, found }) => [name, `${state}: ${found}`]))).toEqual({
    'backend here': `warning: ${standin.url}/v1 is the DEMO MODEL: its answers are made up`,
    'backend gone': expect.stringMatching(/^problem: the server "gone" does not answer \(.*ECONNREFUSED\)/),
    'backend small': `problem: ${small.url}/v1 does not have llama3.1:8b`,
  });
  const broken = await bench.assize(['doctor', join(room, 'nothing.json')]);
  expect(broken.code).toBe(2);
  expect(broken.errors).toContain('no such file');
});
