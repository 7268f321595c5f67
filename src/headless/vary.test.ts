import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { changed as changedBetween } from '../main/engine/queries/compared.ts';
import { openStoreReadOnly } from '../main/engine/store/store.ts';
import { kept } from '../main/engine/testing/kept.ts';
import { experimentSchema } from '../shared/experiment.ts';
import { statsReportSchema } from '../shared/outputs.ts';
import { varyReportSchema } from '../shared/promptOutputs.ts';
import { changed, openBench, sampleExperiment } from './testing.ts';

const bench = await openBench();

const court = changed(
  sampleExperiment,
  ['"test": 0.5, "train": 0.25, "validation": 0.25', '"test": 0.5, "train": 0.5'],
  ['"n": 3', '"n": 4'],
  [
    `"name": "plain",
      "protocol": "standard",
      "params": { "style": "system1" },`,
    `"name": "court",
      "protocol": "courtroom",
      "params": { "ambiguity": 5 },`,
  ],
);

async function varied(project: Awaited<ReturnType<typeof bench.project>>, ...words: readonly string[]) {
  const out = join(project.room, 'varied.json');
  const { code, output, errors } = await bench.assize(['vary', project.file, '--out', out, '--force', '--json', ...words]);
  if (code !== 0) throw new Error(errors + output);
  return {
    out,
    report: varyReportSchema.parse(JSON.parse(output)),
    file: experimentSchema.parse(JSON.parse(readFileSync(out, 'utf8'))),
  };
}

const again = (file: string, store: string) => bench.assize(['run', file, '--store', store, '--ollama', bench.standin.url]);

test('further arms with one thing changed run, verify and replay with the first, whose trials stay', async () => {
  const project = bench.project('arms', changed(court, ['"n": 4', '"n": 2']));
  expect(await project.run()).toMatchObject({ code: 0 });
  const before = await project.lines();
  const { out, file } = await varied(
    project,
    ...['--change', 'attribute=sex', '--change', 'fact=age=99', '--change', 'fact=age=', '--change', 'seed=2'],
    ...['--change', 'model=other:1b', '--change', 'labels', '--expect', 'INV'],
  );
  expect(file.arms.map(({ name }) => name)).toEqual([
    'court',
    ...['sex exchanged', 'age is 99', 'without age', 'seeds 1', 'seeds 2', 'other:1b'].map((what) => `court (${what})`),
  ]);
  expect(file.arms[0]?.counterbalance).toEqual(['labels']);
  expect(await again(out, project.store)).toMatchObject({ code: 0 });
  expect((await bench.assize(['verify', project.store])).code).toBe(0);
  expect(JSON.parse((await bench.assize(['replay', project.store, '--json'])).output)).toMatchObject({
    different: 0,
    not_replayable: 0,
  });
  const lines = await project.lines();
  expect(lines.filter(({ arm }) => arm === 'court')).toEqual(before);
  const older = lines.find(({ arm }) => arm === 'court (age is 99)')?.trial ?? '';
  expect((await bench.assize(['show', 'rain', '--trial', older, '--store', project.store])).output).toContain(
    'Tried again with one thing changed: age is 99. The unchanged trial of the case is that of arm court.',
  );
  const exchanged = lines.filter(({ arm }) => arm === 'court (sex exchanged)');
  expect(exchanged.map(({ groups, change }) => [groups.sex, change?.from, change?.to, change?.expect])).toEqual(
    before.map(({ groups: { sex } }) => [sex, sex, sex === 'female' ? 'male' : 'female', 'INV']),
  );
  expect(new Set(lines.filter(({ case: id }) => id === before[0]?.case).map(({ seed }) => seed)).size).toBe(3);
  const records = kept(openStoreReadOnly(project.store));
  const pair = { experiment: 'rain', a: 'court (other:1b)', b: 'court (age is 99)' };
  const { settings } = await changedBetween.run(records, pair, () => undefined);
  expect(settings).toEqual([{ name: 'model', a: expect.stringContaining('other:1b'), b: expect.any(String) }]);
  expect(lines.filter(({ change }) => change !== undefined).every(({ base_arm }) => base_arm === 'court')).toBe(true);
  const { output } = await bench.assize(['stats', 'rain', '--store', project.store, '--resamples', '100', '--json']);
  const { comparisons, unreported_arms } = JSON.parse(output);
  expect([...comparisons, ...unreported_arms].every((each) => !JSON.stringify(each).includes('court ('))).toBe(true);
});

test('a change counts where it changes the case: a value that a case has already makes no pair and no direction', {
  tags: 'exhaustive',
}, async () => {
  const project = bench.project('applies', changed(court, ['"n": 4', '"n": 8']));
  const { out } = await varied(project, '--change', 'attribute=sex=female', '--change', 'seed=1');
  expect(await again(out, project.store)).toMatchObject({ code: 0 });
  const lines = (await project.lines()).filter(({ arm }) => arm === 'court (sex is female)');
  const men = lines.filter(({ groups }) => groups.sex === 'male').length;
  expect(men).toBeGreaterThan(0);
  expect(men).toBeLessThan(lines.length);
  expect(lines.map(({ change }) => [change?.applies, change?.from, change?.to])).toEqual(
    lines.map(({ groups }) => (groups.sex === 'male' ? [true, 'male', 'female'] : [false, null, null])),
  );
  const { output } = await bench.assize(['stats', 'rain', '--store', project.store, '--resamples', '0', '--json']);
  expect(JSON.parse(output).changes).toMatchObject([
    { pairs: men, unchanged: lines.length - men, directions: [{ from: 'male', to: 'female', pairs: men }] },
    { kind: 'seed', pairs: lines.length, unchanged: 0 },
  ]);
  const man = lines.find(({ groups }) => groups.sex === 'male')?.case ?? '';
  expect(await bench.assize(['erase', 'rain', '--case', man, '--yes', '--store', project.store])).toMatchObject({ code: 0 });
  const after = await bench.assize(['stats', 'rain', '--store', project.store, '--resamples', '0', '--json']);
  expect(JSON.parse(after.output).changes).toMatchObject([
    { pairs: men - 1, unchanged: lines.length - men, erased: 1 },
    { kind: 'seed', pairs: lines.length, unchanged: 0, erased: 0 },
  ]);
  const { arms, notes } = statsReportSchema.parse(JSON.parse(after.output));
  expect(arms.flatMap(({ groups }) => groups.map(({ value }) => value))).not.toContain('');
  expect(notes).toContain(`The erased case belongs to no group: ${arms.length} trials are in no rate by group.`);
  for (const redacted of [[], ['--redact']]) {
    const zip = join(project.room, `changed${redacted.length}.zip`);
    const exported = ['export', 'rain', '--store', project.store, '--format', 'bundle', '--out', zip, ...redacted];
    expect(await bench.assize(exported)).toMatchObject({ code: 0 });
    expect(await bench.assize(['verify', zip])).toMatchObject({ code: 0 });
    const said = strFromU8(unzipSync(readFileSync(zip))['trials.jsonl'] ?? new Uint8Array());
    expect(said.includes('"from":"male"')).toBe(redacted.length === 0);
  }
  const shown = await bench.assize(['stats', 'rain', '--store', project.store, '--resamples', '0']);
  expect(shown.output).toContain('1 pair of erased cases left out');
});

test('the first cases of an experiment are a separate experiment, unchanged and with each change', async () => {
  const project = bench.project('first', court);
  const { file, report } = await varied(project, '--cases', '2', '--change', 'seed=1');
  expect(report.experiment).toBe('rain, first 2 cases');
  expect(file).toMatchObject({ dataset: { sample: { n: 2 } }, arms: [{ name: 'court' }, { change: { of: 'court' } }] });
  await expect(varied(project, '--cases', '2', '--trial', '0123456789abcdef', '--change', 'seed=1')).rejects.toThrow(/one case/);
});

test('a set about one trial has its case, its arm and its seeds, and says which trial it tries again', async () => {
  const project = bench.project('trial', changed(court, ['"replicates": 1', '"replicates": 2'], ['"n": 4', '"n": 2']));
  expect(await project.run()).toMatchObject({ code: 0 });
  const first = (await project.lines()).find(({ replicate }) => replicate === 1);
  const trial = first?.trial ?? '';
  const { out, file, report } = await varied(project, '--trial', trial, '--change', 'attribute=sex', '--change', 'seed=1');
  expect(report.experiment).toBe(`trial ${trial} again`);
  expect(file).toMatchObject({
    retrial: { experiment: 'rain', trial, replicate: 1 },
    dataset: { sample: { ids: [first?.case] } },
  });
  // The present value is nowhere: only the value after the change.
  expect(file.arms[1]?.change).toEqual({
    of: 'court',
    kind: 'facts',
    facts: { sex: first?.groups.sex === 'male' ? 'female' : 'male' },
  });
  expect(await again(out, project.store)).toMatchObject({ code: 0 });
  for (const check of ['verify', 'replay']) expect((await bench.assize([check, project.store])).code).toBe(0);
  const set = await bench.lines(project.store, report.experiment);
  expect(set.map(({ case: id, seed }) => [id, seed === first?.seed])).toEqual([
    [first?.case, true],
    [first?.case, true],
    [first?.case, false],
  ]);
  const { prediction, belief, confidence } = first ?? {};
  expect(set[0]).toMatchObject({ prediction, belief, confidence });
  const exported = ['export', report.experiment, '--store', project.store, '--format', 'html', '--out', '-'];
  const page = (await bench.assize(exported)).output;
  // In plain words, and first of the finding.
  expect(
    page.split(
      /The verdict (?:stayed the same|changed) with the change \(.*?, P\(\w+\) \S+ points\)\. Points are of the changed trial less the original\. Repeated with other seeds and no other change, it ended/,
    ),
  ).toHaveLength(3);
});

test.each([
  ['fact=height=3', /no case has the fact "height"; there are age, sex/],
  ['fact=age', /a fact needs a value/],
  ['attribute=town', /no case has the fact "town"/],
  ['attribute=age', /has 16 values; name the one/],
  ['attribute=zz_outcome', /no case has the fact/],
  ['sides', /cannot be tried with "sides" exchanged/],
  ['seed=0', /count from 1 to 100/],
  ['model=clerk=x:1b', /has no role "clerk"/],
  ['weather=fine', /there is no change "weather"/],
  ['fact=sex=', null],
])('%s is made or refused with the reason', async (change, reason) => {
  const project = bench.project(`refused-${change.replaceAll(/\W/g, '-')}`);
  const { code, errors } = await bench.assize([
    'vary',
    project.file,
    '--out',
    join(project.room, 'out.json'),
    '--change',
    change,
  ]);
  expect([code, errors]).toEqual(reason === null ? [0, expect.anything()] : [2, expect.stringMatching(reason)]);
});

test('facts that models read by other names are changed by the names of their columns, too', async () => {
  const named = '"names": { "age": "Age at arrest" }, "units": { "age": "years" }, "namesInPrompts": true, "groups"';
  const project = bench.project('named', changed(court, ['"groups"', named]));
  const { file } = await varied(project, '--change', 'fact=age=60', '--change', 'fact=Age at arrest (years)=70');
  expect(file.arms.flatMap(({ change }) => (change?.kind === 'facts' ? [change.facts] : []))).toEqual([
    { 'Age at arrest (years)': '60' },
    { 'Age at arrest (years)': '70' },
  ]);
});

test('each question makes its own arm, and an arm that the file has is not made again', async () => {
  const project = bench.project('questions', court);
  const question = (text: string) => ['--change', `question=${text}`];
  const { out, file } = await varied(project, ...question('A?'), ...question('B?'), ...question('A?'));
  const questionsOf = ({ arms }: typeof file) =>
    arms.flatMap(({ name, change }) => (change?.kind === 'question' ? [[name, change.question]] : []));
  const name = (number: string) => `court (the question in other words${number})`;
  expect(questionsOf(file)).toEqual([
    [name(''), 'A?'],
    [name(', 2'), 'B?'],
  ]);
  const vary = (...words: readonly string[]) => bench.assize(['vary', out, '--out', out, '--force', ...words]);
  expect((await vary(...question('B?'))).errors).toContain('has all of these changes already');
  expect(await vary(...question('C?'), '--change', 'noise')).toMatchObject({ code: 0 });
  expect((await vary('--change', 'noise', '--expect', 'INV')).errors).toContain('what is expected of an arm cannot change');
  const suite = await varied(project, '--change', 'seed=3', '--change', 'robustness', ...question('T?'));
  expect(suite.file.arms.filter(({ change }) => change?.kind === 'seed')).toHaveLength(3);
  expect(questionsOf(suite.file).map(([arm]) => arm)).toEqual([name(''), name(', 2')]);
});

test('an attribute with one value cannot change', async () => {
  const data = `id,age,sex,zz_outcome\n${[1, 2, 3, 4, 5, 6, 7, 8].map((each) => `c${each},${20 + each},male,${each % 2 ? 'True' : 'False'}`).join('\n')}\n`;
  const project = bench.project('alike', sampleExperiment, data);
  const vary = (change: string) =>
    bench.assize(['vary', project.file, '--out', join(project.room, 'out.json'), '--change', change]);
  expect(await vary('attribute=sex')).toMatchObject({ code: 2, errors: expect.stringContaining('has one value, male') });
  expect(await vary('attribute=sex=male')).toMatchObject({ code: 2, errors: expect.stringContaining('nothing would change') });
  expect(await vary('fact=sex=male')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('changes no case on trial'),
  });
});

test('a file whose arm differs in more than it declares is refused', async () => {
  const project = bench.project('more');
  const { file } = await varied(project, '--change', 'seed=1');
  const [first, second] = file.arms;
  const write = (arms: readonly unknown[]) => writeFileSync(project.file, JSON.stringify({ ...file, arms }));
  write([first, { ...second, belief: { sampled: 3 } }]);
  expect(await project.run('--plan')).toMatchObject({ code: 2, errors: expect.stringContaining('in belief too') });
  write([second]);
  expect(await project.run('--plan')).toMatchObject({ code: 2, errors: expect.stringContaining('no other arm "plain"') });
  write([first, { ...second, change: { of: 'plain', kind: 'model' } }]);
  expect(await project.run('--plan')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('its cast is the same as in arm'),
  });
});

test('an exchange is made in the arms that it fits, and refused where it fits none', async () => {
  const { arms, ...rest } = JSON.parse(court);
  const plain = { ...arms[0], name: 'plain', protocol: 'standard', params: { style: 'system1' } };
  const project = bench.project('exchange', JSON.stringify({ ...rest, arms: [arms[0], plain] }));
  const { file, report } = await varied(project, '--change', 'order');
  expect(file.arms.map(({ counterbalance }) => counterbalance)).toEqual([['order'], undefined]);
  expect(report.added).toEqual(['court~order']);
  await expect(varied(project, '--change', 'order', '--arm', 'plain')).rejects.toThrow(/cannot be tried with "order"/);
});
