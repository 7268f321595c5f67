import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changed as changedBetween } from '../main/engine/queries/compared.ts';
import { call } from '../main/engine/queries/trial.ts';
import { openStoreReadOnly } from '../main/engine/store/store.ts';
import { kept } from '../main/engine/testing/kept.ts';
import { experimentSchema } from '../shared/experiment.ts';
import { promptsReportSchema, variantReportSchema, varyReportSchema } from '../shared/promptOutputs.ts';
import { trialLineSchema } from '../shared/trialLine.ts';
import { changed, openBench, sampleExperiment, writeExperiment } from './testing.ts';

const bench = await openBench();
const { standin } = bench;
const folder = join(
  bench.path('home'),
  process.platform === 'darwin' ? 'Library/Application Support/Assize' : '.config/assize',
  'prompts',
);
const words = `---
variant: plain-2
protocol: standard
about: Short words.
---
=== prompt: answer ===
=== system ===
Question:
{{question}}

{{answers}}
=== user ===
{{earlier}}

These facts are known to the court:

{{facts}}

{{record}}

{{task}}
`;
const arm = '"protocol": "standard",';

async function ok(args: readonly string[]) {
  const ended = await bench.assize(args);
  expect(ended.code, ended.errors).toBe(0);
  return ended;
}

test('the shipped prompts are listed with their versions, and a new variant of them can be run as it is', async () => {
  const before = promptsReportSchema.parse(JSON.parse((await ok(['prompts', '--json'])).output));
  expect(before).toMatchObject({ folder, variants: [] });
  await ok(['prompts', 'new', 'agentic-sim', 'mine']);
  const { variants, protocols } = promptsReportSchema.parse(JSON.parse((await ok(['prompts', 'list', '--json'])).output));
  const shipped = protocols.find(({ protocol }) => protocol === 'agentic-sim')?.hash;
  expect(variants).toMatchObject([{ name: 'mine', protocol: 'agentic-sim', hash: shipped, problem: null }]);
  expect((await bench.assize(['prompts', 'new', 'agentic-sim', 'mine'])).code).toBe(2);
  expect((await ok(['prompts'])).output).toContain('mine  agentic-sim  ');
  expect((await ok(['prompts', 'check', join(folder, 'mine.md')])).errors).toContain('mine changes nothing');
});

test('one variant, from a file and by name, is one version: it runs, replays, is shown everywhere and is read back from the record', async () => {
  const room = bench.room('variant');
  const file = join(room, 'plain.md');
  writeFileSync(file, words);
  const { hash } = variantReportSchema.parse(JSON.parse((await ok(['prompts', 'check', file, '--json'])).output));
  await ok(['prompts', 'add', file]);
  const both = changed(sampleExperiment, [
    arm,
    `"protocol": "standard", "prompts": "plain-2", "params": { "style": "system1" }, "cast": { "*": { "model": "llama3.1:8b" } } },
     { "name": "by-path", "protocol": "standard", "prompts": "plain.md",`,
  ]);
  const experiment = writeExperiment(room, both);
  const store = join(room, 'store.db');
  await ok(['run', experiment, '--store', store, '--ollama', standin.url]);
  const lines = (await ok(['export', 'rain', '--store', store, '--format', 'trials-jsonl', '--out', '-'])).output;
  const rows = lines
    .trim()
    .split('\n')
    .map((line) => trialLineSchema.parse(JSON.parse(line)));
  expect(rows.map(({ prompts, outcome }) => ({ prompts, outcome }))).toEqual(
    Array.from({ length: 6 }, () => ({ prompts: { name: 'plain-2', hash }, outcome: 'decided' })),
  );
  const csv = (await ok(['export', 'rain', '--store', store, '--format', 'trials-csv', '--out', '-'])).output;
  expect(csv.split('\r\n')[0]).toMatch(/,prompts,first_answer,deliberation$/);
  const html = await ok(['export', 'rain', '--store', store, '--format', 'html', '--out', '-', '--trial', rows[0]?.trial ?? '']);
  expect(html.output).toContain('plain-2');
  expect(html.output).toContain(hash);
  const shown = await ok(['show', 'rain', '--store', store, '--trial', rows[0]?.trial ?? '']);
  expect(shown.output).toContain(`Prompts: variant plain-2, version ${hash}`);
  const asked = kept(openStoreReadOnly(store));
  for (const { trial } of rows) {
    const { messages } = await call.run(asked, { trial, key: 'answer/attempt-1' }, () => undefined);
    expect(messages[1]?.content).toMatch(/^These facts are known to the court:\n\n/);
  }
  await ok(['verify', store]);
  await ok(['replay', store]);

  const out = join(room, 'back.md');
  await ok(['prompts', 'export', 'rain', 'plain', '--store', store, '--out', out]);
  expect((await ok(['prompts', 'check', out])).output).toContain(hash);
  expect((await bench.assize(['prompts', 'export', 'rain', 'plain', '--store', store, '--out', out])).code).toBe(2);

  writeFileSync(file, words.replace('known to the court', 'known'));
  const later = await bench.assize(['run', experiment, '--store', store, '--ollama', standin.url]);
  expect(later.code).toBe(2);
  expect(later.errors).toContain('the words of variant "plain-2" have changed since this arm was recorded');
});

test('what cannot be used is refused with 2, file and line, before anything is written', async () => {
  const room = bench.room('refused');
  mkdirSync(folder, { recursive: true });
  const run = async (name: string) => {
    const store = join(room, 'store.db');
    const experiment = writeExperiment(
      room,
      changed(sampleExperiment, [arm, `"protocol": "standard", "prompts": ${JSON.stringify(name)},`]),
    );
    return bench.assize(['run', experiment, '--store', store, '--ollama', standin.url]);
  };
  const broken = (text: string) => writeFileSync(join(room, 'broken.md'), text);
  broken(words.replace('{{facts}}', ''));
  expect(await run('broken.md')).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/broken\.md:6: \{\{facts\}\} is missing/),
  });
  broken(words.replace('{{facts}}', '{{facts}} '.concat('word '.repeat(8000))));
  expect(await run('broken.md')).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/broken\.md:12: this part has about 100\d\d tokens/),
  });
  broken(words.replace('protocol: standard', 'protocol: vote').replace('prompt: answer', 'prompt: classification'));
  expect(await run('broken.md')).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/is of protocol vote, and the arm is standard/),
  });
  expect(await run('nobody')).toMatchObject({ code: 2, errors: expect.stringMatching(/no variant of prompts "nobody"/) });
  for (const path of ['//server/share/a.md', '\\\\server\\share\\a.md']) {
    expect(await run(path)).toMatchObject({ code: 2, errors: expect.stringMatching(/UNC and device paths/) });
    expect(await bench.assize(['prompts', 'check', path])).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/UNC and device/),
    });
  }
  for (const name of ['one.md', 'two.md']) writeFileSync(join(folder, name), words.replace('plain-2', 'twice'));
  expect(await run('twice')).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/"twice" is the name of more than one variant/),
  });
  expect((await ok(['prompts'])).output.match(/"twice" is the name of more than one variant: one\.md and two\.md/g)).toHaveLength(
    1,
  );
  expect(readFileSync(join(room, 'broken.md'), 'utf8')).toContain('protocol: vote');
  expect(() => readFileSync(join(room, 'store.db'))).toThrow('ENOENT');
});

test('vary adds an arm for each variant behind the arms that it fits, and the file runs', async () => {
  const room = bench.room('vary');
  for (const name of ['short', 'long']) {
    writeFileSync(join(room, `${name}.md`), words.replace('plain-2', name).replace('These facts', `${name}: these facts`));
  }
  const experiment = writeExperiment(room, sampleExperiment);
  const before = readFileSync(experiment, 'utf8');
  const to = join(room, 'varied.json');
  const vary = (...more: readonly string[]) => bench.assize(['vary', experiment, '--out', to, ...more]);
  const report = varyReportSchema.parse(
    JSON.parse(await vary('--change', 'prompts=./short.md,./long.md', '--json').then(({ output, errors }) => output || errors)),
  );
  const [first = ''] = report.added;
  expect(report).toMatchObject({ file: to, added: [expect.stringMatching(/ \(short\)$/), expect.stringMatching(/ \(long\)$/)] });
  expect(readFileSync(experiment, 'utf8')).toBe(before);
  const keysOf = (text: string) => Object.keys(JSON.parse(text) as object);
  expect(keysOf(readFileSync(to, 'utf8'))).toEqual(keysOf(before));
  const store = join(room, 'store.db');
  const plan = await ok(['run', to, '--plan', '--store', store, '--ollama', standin.url]);
  expect(plan.output + plan.errors).not.toContain('shows nothing');
  await ok(['run', to, '--store', store, '--ollama', standin.url]);
  const records = kept(openStoreReadOnly(store));
  const base = first.replace(/ \(short\)$/, '');
  const { settings, flips } = await changedBetween.run(
    records,
    { experiment: report.experiment, a: first, b: base },
    () => undefined,
  );
  expect(settings).toEqual([{ name: 'prompts', a: expect.stringMatching(/^short, version [0-9a-f]{8}$/), b: 'shipped' }]);
  expect(flips.pairs).toBeGreaterThan(0);
  const { arms } = JSON.parse((await ok(['stats', report.experiment, '--store', store, '--json'])).output) as {
    arms: { arm: string }[];
  };
  expect(arms.map(({ arm: name }) => name)).toContain(first);
  const expecting = async (...words: readonly string[]) => {
    const { errors, output } = await vary('--change', 'prompts=./short.md', '--expect', 'INV', '--force', ...words);
    const { arms: all } = experimentSchema.parse(JSON.parse(readFileSync(to, 'utf8')));
    return { said: errors + output, changes: all.flatMap(({ change }) => change ?? []) };
  };
  expect(await expecting()).toEqual({
    said: expect.not.stringContaining('Nothing is expected'),
    changes: [{ of: base, kind: 'prompts', expect: 'INV' }],
  });
  expect((await expecting('--change', 'labels')).said).toContain(`Nothing is expected of "${base}~labels"`);
  await vary('--change', 'prompts=./short.md,./long.md', '--force');
  for (const [change, problem] of [
    ['prompts=./short.md,./short.md', /each variant of prompts once/],
    ['seeds=7', /prompts=NAME/],
    ['prompts=./none.md', /there is no such file/],
    ['prompts=./short.md', /is there already/],
  ] as const) {
    expect(await vary('--change', change)).toMatchObject({ code: 2, errors: expect.stringMatching(problem) });
  }
  expect(await vary('--change', 'prompts=./short.md', '--arm', 'nobody')).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/no arm "nobody"/),
  });
  const foreign = words
    .replace('protocol: standard', 'protocol: vote')
    .replace('prompt: answer', 'prompt: classification')
    .replace('plain-2', 'other');
  writeFileSync(join(room, 'other.md'), foreign);
  expect(await vary('--change', 'prompts=./other.md')).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/is for protocol vote, and no arm/),
  });
  writeExperiment(room, changed(sampleExperiment, ['"name": "plain"', `"name": "${'p'.repeat(195)}"`]));
  expect(await vary('--change', 'prompts=./short.md')).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/an arm's name has at most 200 characters/),
  });
});
