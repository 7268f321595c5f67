import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { partName } from '../../../core/record/hash.ts';
import { erasureChain } from '../../../core/record/identity.ts';
import { caseDefinitionSchema } from '../../../shared/api/dataFiles.ts';
import { type EraseTarget, erasedText } from '../../../shared/erasure.ts';
import { forge } from '../audit/testing/forging.ts';
import { secondVerifier } from '../audit/testing/pythonVerifier.ts';
import { verifyPath } from '../audit/testing/tampering.ts';
import { bundleOf } from '../bundle/testing/bundles.ts';
import { dataFolder } from '../dataFiles/dataFolder.ts';
import { eraseInStore, erasePreview } from '../engine.ts';
import { erasureOf } from '../lab/erasedData.ts';
import { type Hearings, openHearings, textCases } from '../lab/preparation/testing/hearings.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { openStore } from '../store/store.ts';
import { withStore } from '../store/withStore.ts';

/** Two experiments about the same people. */

const python = secondVerifier();
const arms = [{ name: 'alone', protocol: 'single', cast: { '*': { model: 'm:1' } } }];
let standin: DemoServer;
let lab: Hearings;

beforeAll(async () => {
  standin = await startDemoServer();
});

afterAll(() => standin.close());

beforeEach(async () => {
  lab = openHearings({ url: standin.url, cases: textCases(8).map((kase) => ({ ...kase, town: 'Bonn' })), arms });
  await lab.run();
});

afterEach(() => lab.close());

/** Runs another experiment over the same file. */
async function runAgain(dataset: object, name = 'again'): Promise<void> {
  const again = { name, arms, dataset };
  lab.extend(again);
  await lab.run();
}

async function isIntact() {
  const report = verifyPath(lab.store);
  await python.agrees(lab.store, report);
  expect(report).toMatchObject({ result: 'intact', first_bad: null });
}

test('when each experiment over a data set was erased, nothing of the data set stays', async () => {
  await runAgain({});
  const [first, second] = lab.look((store) => store.experiments.all().map(({ dataset }) => dataset));
  expect(first).toBe(second);
  const one = await eraseInStore(lab.store, { kind: 'experiment', experiment: 'hearings' }, {});
  expect(one).toMatchObject({ cases: 0 });
  await expect(eraseInStore(lab.store, { kind: 'experiment', experiment: 'hearings' }, {})).rejects.toThrow('erased before');
  const two = await eraseInStore(lab.store, { kind: 'experiment', experiment: 'again' }, {});
  expect(two).toMatchObject({ cases: 8 });
  lab.look((store) => {
    expect(store.datasets.get(first ?? 0).salt.length).toBe(0);
    expect([...store.blobs.all()].filter(({ dataset }) => dataset === first)).toEqual([]);
  });
  await isIntact();
});

test('a case goes too where another experiment knows more about it', async () => {
  await runAgain({ groups: ['town'] });
  const kase = lab.look((store) => store.trials.all()[0]?.case_id ?? '');
  const erased = await eraseInStore(lab.store, { kind: 'case', experiment: 'hearings', case: kase }, {});
  expect(erased).toMatchObject({ experiments: ['hearings', 'again'], cases: 2 });
  expect(verifyPath(lab.store).erasures?.map(erasedText)).toEqual(
    ['hearings', 'again'].map((name) => `everything about case ${kase} of "${name}"`),
  );
  lab.look((store) => {
    for (const { id } of store.datasets.all().slice(1)) {
      const ref = store.datasets.caseOfId(id, kase)?.ref ?? '';
      expect(() => store.datasets.read(ref)).toThrow('erased');
    }
  });
  await isIntact();
});

test('an experiment with other facts about the same ids keeps them, and is named with what erases it', async () => {
  const file = join(dirname(lab.store), 'other.jsonl');
  writeFileSync(
    file,
    textCases(8)
      .map(({ id, label }) => JSON.stringify({ id, label, text: `Letter ${id}` }))
      .join('\n'),
  );
  // A name of another person's record may not be read by the shell into which the command is pasted.
  const name = 'again $(id)';
  await runAgain({ path: 'other.jsonl' }, name);
  const kase = lab.look((store) => store.trials.all()[0]?.case_id ?? '');
  const [one, whole] = [
    { kind: 'case', experiment: 'hearings', case: kase },
    { kind: 'experiment', experiment: 'hearings' },
  ] as const;
  const named = async (target: EraseTarget) => {
    const { stays } = await erasePreview(lab.store, target);
    return stays.find((sentence) => sentence.startsWith(`Experiment ${JSON.stringify(name)} has `));
  };
  expect(await named(one)).toMatch(`or assize erase 'again $(id)' --case ${kase} --store ${lab.store}`);
  expect(await named(whole)).toMatch(/8 of these case ids too.*assize erase 'again \$\(id\)' --store \S+$/);
  await eraseInStore(lab.store, { kind: 'experiment', experiment: name }, {});
  const { stays } = await erasePreview(lab.store, one);
  expect(stays.filter((sentence) => sentence.includes(name))).toEqual([]);
});

test('the list of data sets loses a file that holds an erased case, whichever columns it is read with, and is named where it stays', async () => {
  const rows = textCases(8).map((kase) => JSON.stringify({ ...kase, town: 'Bonn' }));
  mkdirSync(dataFolder(lab.store));
  writeFileSync(join(dataFolder(lab.store), 'letters.jsonl'), rows.join('\n'));
  const question = 'What is the letter about?';
  const definition = { kind: 'text', id: 'id', label: { column: 'label' }, question, groups: ['town'] };
  await withStore(openStore(lab.store, { create: false }), (store) => {
    const listed = { id: 'entry', name: 'Letters', addedAt: '2026-01-02T03:04:05.000Z', file: 'letters.jsonl' };
    const read = {
      format: 'jsonl',
      definition: caseDefinitionSchema.parse(definition),
      cases: 8,
      labels: [],
      positive: null,
    } as const;
    store.dataFiles.add({ ...listed, ...read, fileHash: '0'.repeat(64), bytes: 1 });
    store.runs.save({ experiment: 'hearings', backend: 'standin', concurrency: 1, session: null, entry: 'entry' });
    const fileHash = createHash('sha256')
      .update(readFileSync(join(dirname(lab.store), 'cases.jsonl')))
      .digest('hex');
    store.dataFiles.add({ ...listed, ...read, id: 'same', name: 'Same file', fileHash, bytes: 1 });
    store.dataFiles.add({ ...listed, ...read, id: 'other', name: 'Other', fileHash: '1'.repeat(64), bytes: 1 });
  });
  const kase = lab.look((store) => store.trials.all()[0]?.case_id ?? '');
  const shown = await erasePreview(lab.store, { kind: 'experiment', experiment: 'hearings' });
  const named = [
    expect.stringContaining('"Letters"'),
    expect.stringMatching(/^Not reached; .*: your own data file \(".+" in the experiment file\), earlier/),
  ];
  expect(shown).toMatchObject({ cases: 8, files: [], stays: expect.arrayContaining(named) });
  const listed = shown.stays.filter((line) => line.includes('of the list stays'));
  expect(listed.map((line) => line.split('"')[1]).toSorted()).toEqual(['Letters', 'Same file']);
  const erased = await eraseInStore(lab.store, { kind: 'case', experiment: 'hearings', case: kase }, {});
  expect(erased).toMatchObject({ files: ['Letters', 'Same file', 'Other'] });
});

test('a data file is named also where it is called as Assize calls words that were entered', async () => {
  renameSync(join(dirname(lab.store), 'cases.jsonl'), join(dirname(lab.store), 'facts.txt'));
  await runAgain({ path: 'facts.txt' });
  const { stays } = await erasePreview(lab.store, { kind: 'experiment', experiment: 'again' });
  expect(stays).toContainEqual(expect.stringMatching(/^Not reached; .*"facts\.txt"/));
});

test('how many texts stay since other trials have them is as many as are left, and nothing is said of none', async () => {
  const trial = lab.look((store) => store.trials.all()[0]);
  const sharedAfter = async (kase: string) => {
    const { stays } = await erasePreview(lab.store, { kind: 'case', experiment: 'hearings', case: kase });
    return stays.filter((line) => line.includes('word for word'));
  };
  const shared = await sharedAfter(trial?.case_id ?? '');
  await eraseInStore(lab.store, { kind: 'case', experiment: 'hearings', case: trial?.case_id ?? '' }, {});
  const [left, untried] = lab.look((store) => {
    const chain = store.events
      .chain(trial?.trial ?? '')
      .map(({ payload }) => payload.toString())
      .join();
    const tried = store.trials.all().map(({ case_id }) => case_id);
    return [
      [...store.blobs.all()].filter(
        ({ ref, dataset, bytes }) =>
          dataset > 0 && chain.includes(partName(ref)) && bytes?.toString().startsWith('{"backend"') === false,
      ).length,
      textCases(8).find(({ id }) => !tried.includes(id))?.id ?? '',
    ] as const;
  });
  expect(left).toBeGreaterThan(0);
  expect(shared).toEqual([expect.stringMatching(new RegExp(`^${left} texts? that other trials`))]);
  expect(await sharedAfter(untried)).toEqual([]);
});

test.each([
  ['of no kind', { scope: 'all' }],
  ['of a form that is none', { experiment: {} }],
  ['of a case, which names an experiment too', { scope: 'case', case: 'x'.repeat(43) }],
])('an erasure %s is found by both verifiers', async (_name, change) => {
  await eraseInStore(lab.store, { kind: 'experiment', experiment: 'hearings' }, {});
  const forged = `${lab.store}.forged`;
  forge(lab.store, forged, erasureChain, ({ events }) => void Object.assign(events[0]?.payload ?? {}, change));
  const report = verifyPath(forged);
  expect(report.first_bad).toMatchObject({ kind: 'text-erase' });
  await python.agrees(forged, report);
});

test.each([
  ['a case', { scope: 'case', experiment: null, salt: false }, true, 'no erasure is about its trial'],
  ['a case that is still there', { scope: 'case', experiment: null, salt: false }, false, 'the text of its case is not'],
  ['another experiment', { scope: 'experiment', experiment: 'again', salt: false }, false, 'no erasure is about its trial'],
  ['a data set whose salt stays', { scope: 'data-set', experiment: null, salt: false }, false, 'leaves its salt'],
] as const)('an inconvenient answer cannot be passed off as an erasure of %s', async (_name, about, withCase, problem) => {
  await runAgain({});
  const rulings = lab.inTrials('ruling-give');
  await withStore(openStore(lab.store, { create: false }), (store) => {
    const [one, other] = store.trials.ofExperiment('hearings');
    const dataset = store.datasets.all()[1];
    if (dataset === undefined || one === undefined || other === undefined) throw new Error('there are no two trials');
    const kase = store.datasets.caseOfId(dataset.id, one.case_id)?.ref ?? '';
    const opinion = rulings.find(({ trial }) => trial === other.trial)?.payload.opinion ?? '';
    expect(opinion).not.toBe('');
    const gone = new Set([opinion, ...(withCase ? [kase] : [])]);
    const kept = [...store.blobs.all()].map(({ ref }) => ref).filter((ref) => !gone.has(ref));
    const outline = { ...store.datasets.read(kase), facts: [], question: null, groups: {} };
    const stays = new Map(withCase ? [[kase, JSON.stringify(outline)]] : []);
    const erasing = { dataset: { id: dataset.id, manifest: dataset.manifest ?? '' }, kept, stays };
    store.write(() => store.erasures.erase({ ...erasing, about: { ...about, case: about.scope === 'case' ? kase : null } }));
  });
  const report = verifyPath(lab.store);
  expect(report.first_bad?.problem).toContain(problem);
  await python.agrees(lab.store, report);
  await expect(bundleOf(lab.store, 'hearings', `${lab.store}.zip`)).rejects.toThrow(problem);
});

test('who erases a case hears which other one has its facts, and the experiment names all that were erased', async () => {
  const [first, second, third, ...others] = textCases(10);
  if (first === undefined || second === undefined || third === undefined) throw new Error('there are ten cases');
  const cases = [first, { ...first, id: second.id }, third, ...others.map(({ id }) => ({ ...third, id }))];
  const twins = openHearings({ url: standin.url, cases, arms });
  try {
    await twins.run();
    const one: EraseTarget = { kind: 'case', experiment: 'hearings', case: first.id };
    const has = expect.stringMatching(new RegExp(`^Case ${second.id} has the same facts`));
    expect((await erasePreview(twins.store, one)).stays[0]).toEqual(has);
    expect(((await eraseInStore(twins.store, one, {})) as { stays: string[] }).stays[0]).toEqual(has);
    const ids = others.map(({ id }) => id);
    const many = await erasePreview(twins.store, { ...one, case: third.id });
    expect(many.stays[0]).toContain(`The cases ${ids.slice(0, 5).join(', ')} and 2 more have the same facts`);
    const two = await erasePreview(twins.store, { ...one, case: second.id });
    expect(two.stays.filter((line) => line.includes('same facts'))).toEqual([]);
    await eraseInStore(twins.store, { ...one, case: second.id }, {});
    const erased = twins.look((store) => erasureOf(store, 'hearings'));
    expect(erased && erasedText(erased)).toMatch(new RegExp(`the cases ${first.id}, ${second.id}$`));
  } finally {
    twins.close();
  }
});
