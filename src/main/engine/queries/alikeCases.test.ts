import { expect, test } from 'vitest';
import type { AlikeCase } from '../../../shared/api/trials.ts';
import type { ShownFact } from '../../../shared/domain.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { makeSampleStore, noFault, sampleData } from '../audit/testing/sampleStore.ts';
import { erase } from '../erase/erase.ts';
import { openStore } from '../store/store.ts';
import { keptFolder } from '../testing/kept.ts';
import { queriesHere } from './testing/queriesHere.ts';

const experiment = 'nlsy97-demo';
const alone = {
  name: 'cot',
  protocol: 'standard',
  params: { style: 'cot' },
  cast: { '*': { model: 'm', options: { temperature: 0.8 } } },
};

/** A store of the demonstration experiment, and what it says. */
async function made(change: Readonly<Record<string, unknown>>, cases: number, fault?: typeof noFault) {
  const store = await makeSampleStore(keptFolder(), { cases, change, ...(fault === undefined ? {} : { fault }) });
  const pool = queriesHere(store);
  const { lines } = await pool.run('trialPage', { experiment, order: 'case', offset: 0, limit: 100 });
  return {
    store,
    lines,
    alike: (trial: string) => pool.run('alikeCases', { trial }),
    view: (trial: string) => pool.run('trial', { trial }),
  };
}

/** By hand: how many facts of two cases are the same, and of how many. */
function counted(one: readonly ShownFact[], other: readonly ShownFact[]): [number, number] {
  const valueIn = (facts: readonly ShownFact[], name: string) => facts.find((fact) => fact.name === name)?.value;
  const same = one.filter(({ name, value }) => value === valueIn(other, name) || Number(value) === Number(valueIn(other, name)));
  return [same.length, new Set([...one, ...other].map(({ name }) => name)).size];
}

test('the cases of the arm are listed, with their rulings, the values that differ, and those that were ruled otherwise in some trial', async () => {
  const { lines, alike, view } = await made({ arms: [alone], replicates: 2 }, 30);
  const ruled = lines.filter(({ outcome }) => outcome === 'decided');
  expect(ruled.length).toBeLessThan(lines.length);
  const facts = new Map<string, readonly ShownFact[]>();
  for (const { case: id, trial } of lines) facts.set(id, facts.get(id) ?? (await view(trial)).facts);
  const factsOf = (id: string) => facts.get(id) ?? [];
  const found = { all: 0, otherTrial: 0 };
  for (const own of lines) {
    const { cases, otherwise, counts, part } = await alike(own.trial);
    const others = new Set(ruled.filter((line) => line.case !== own.case).map((line) => line.case));
    const differs = (line: TrialLine) =>
      own.outcome === 'decided' && line.outcome === 'decided' && line.prediction !== own.prediction;
    for (const each of cases) {
      const [here, there] = [factsOf(own.case), factsOf(each.line.case)];
      expect([each.same, each.facts]).toEqual(counted(here, there));
      expect(each.differing).toHaveLength(each.facts - each.same);
      const valueIn = (of: readonly ShownFact[], title: string) =>
        of.find(({ name, shown = name }) => shown === title)?.value ?? null;
      for (const { title, one, other } of each.differing)
        expect([one, other]).toEqual([valueIn(here, title), valueIn(there, title)]);
      expect(each.isOtherwise).toBe(differs(each.line));
    }
    expect(part).toBeNull();
    expect(new Set(cases.map(({ line }) => line.case))).toEqual(others);
    const firstOther = ({ line }: AlikeCase) => lines.find((each) => each.case === line.case && differs(each));
    const some = cases.filter((each) => firstOther(each) !== undefined);
    const byTrial = ({ line, ...rest }: AlikeCase) => ({ ...rest, trial: line.trial });
    expect(otherwise.map(byTrial)).toEqual(
      some.map((each) => ({ ...byTrial(each), trial: firstOther(each)?.trial, isOtherwise: true })),
    );
    expect(counts).toEqual({ cases: cases.length, otherwise: otherwise.length });
    found.all += otherwise.length;
    found.otherTrial += some.filter((each) => !each.isOtherwise).length;
  }
  expect(Math.min(found.all - found.otherTrial, found.otherTrial)).toBeGreaterThan(0);
});

test('each case is listed once, by the same replicate, until its facts are erased', async () => {
  const { store: path, lines, alike } = await made({ replicates: 2, arms: [alone] }, 4, noFault);
  const second = lines.filter(({ replicate }) => replicate === 1);
  const [own, gone] = second;
  if (own === undefined || gone === undefined) throw new Error('four cases were tried twice');
  const { cases } = await alike(own.trial);
  expect(cases.map(({ line }) => line.trial).toSorted()).toEqual(
    second
      .slice(1)
      .map(({ trial }) => trial)
      .toSorted(),
  );
  for (const { line, runs } of cases)
    expect(runs.map(({ prediction }) => prediction)).toEqual(
      lines.filter((each) => each.case === line.case).map(({ prediction }) => prediction),
    );
  const store = openStore(path, { create: false });
  await erase(store, { kind: 'case', experiment, case: gone.case }, true);
  store.close();
  expect((await alike(own.trial)).cases.map(({ line }) => line.case)).not.toContain(gone.case);
  expect(await alike(gone.trial)).toEqual({
    ...{ cases: [], otherwise: [], counts: { cases: 0, otherwise: 0 }, part: null },
  });
});

test('cases that are texts are compared with none', async () => {
  const dataset = { kind: 'text', path: sampleData, columns: { text: 'college02' }, question: 'Will it?', labels: ['NO', 'YES'] };
  const { lines, alike } = await made({ dataset: { ...dataset, id: 'id', sample: { from: 'test', n: 3 } }, arms: [alone] }, 3);
  expect(lines).toHaveLength(3);
  expect((await alike(lines[0]?.trial ?? '')).cases).toEqual([]);
});
