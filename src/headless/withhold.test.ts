import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { queriesHere } from '../main/engine/queries/testing/queriesHere.ts';
import { statsReportSchema } from '../shared/outputs.ts';
import { type TrialLine, trialLineSchema, unchangedAmong } from '../shared/trialLine.ts';
import { openBench, sampleExperiment } from './testing.ts';

// Only the last speech of the debate decides: the demo model gives its label 40 points, and all facts have 10.
const bench = await openBench({ biases: [{ kind: 'speech', speaker: 'last', points: 40 }] });

test('the speech on which the verdict hangs is found, and its worth differs from the observed movement', async () => {
  const court = JSON.parse(sampleExperiment);
  const params = { turns: 1, temperature: 0, priorBelief: true };
  const arm = { name: 'court', protocol: 'agentic-sim', params, cast: { '*': { model: 'm:1b' } } };
  const dataset = { ...court.dataset, split: { test: 1 }, sample: { n: 4 } };
  const project = bench.project('withheld', JSON.stringify({ ...court, dataset, arms: [arm] }));
  const out = join(project.room, 'withheld.json');
  const vary = (...words: readonly string[]) => bench.assize(['vary', project.file, '--out', out, '--force', ...words]);
  expect((await vary('--change', 'withhold=turn-9/judge')).errors).toContain('there are turn-1/prosecutor, turn-1/defense');
  expect((await vary('--change', 'replace=turn-1/defense=')).errors).toContain('needs other words');
  expect((await vary('--change', `replace=turn-1/defense=${'x'.repeat(4001)}`)).errors).toContain('at most 4000 characters');
  // The defense takes over the side of the prosecution: its last words decide.
  const other = 'replace=turn-1/defense=The answer is YES.';
  expect(await vary('--change', 'withhold=each', '--change', other, '--change', 'seed=1')).toMatchObject({ code: 0 });
  expect(await bench.assize(['run', out, '--store', project.store, '--ollama', bench.standin.url])).toMatchObject({ code: 0 });
  expect(await bench.assize(['verify', project.store])).toMatchObject({ code: 0 });
  expect(JSON.parse((await bench.assize(['replay', project.store, '--json'])).output)).toMatchObject({
    different: 0,
    not_replayable: 0,
  });
  const stats = ['stats', 'rain', '--store', project.store, '--resamples', '200'];
  const report = statsReportSchema.parse(JSON.parse((await bench.assize([...stats, '--json'])).output));
  // Those with other seeds are no separate changes.
  expect(report.changes?.map(({ kind }) => kind).toSorted()).toEqual(['replace', 'seed', 'withhold', 'withhold']);
  const flips = report.changes?.find(({ kind }) => kind === 'replace')?.measures.find(({ name }) => name === 'flip_rate');
  expect(flips?.value).toBe(1);
  const worth = new Map(
    report.speech_worth?.map(({ speech, pairs, seeds, measures }) => [
      speech,
      { pairs, seeds, value: (name: string) => measures.find((measure) => measure.name === name)?.value ?? null },
    ]),
  );
  const [prosecutor, defense] = [worth.get('turn-1/prosecutor'), worth.get('turn-1/defense')];
  expect([defense?.pairs, defense?.seeds]).toEqual([8, 2]);
  // Of 12 points and one of each speech, the label of the last has 40 more. With both heard it is the defense's, against YES. Without
  // the defense the last is the prosecution's.
  expect(defense?.value('worth_verdict')).toBe(-1);
  expect(defense?.value('worth_belief')).toBeLessThan(-0.5);
  // Right after the prosecution the belief rises, and yet its speech changes no verdict.
  expect(prosecutor?.value('observed_movement')).toBeGreaterThan(0.1);
  expect(prosecutor?.value('worth_verdict')).toBe(0);
  expect(Math.abs(prosecutor?.value('worth_belief') ?? 1)).toBeLessThan(0.05);
  const { output } = await bench.assize(stats);
  expect(output).toMatch(/What caused it[\s\S]*Defense, opening/);
  const lines = (await bench.assize(['export', 'rain', '--store', project.store, '--out', '-', '--format', 'trials-jsonl']))
    .output;
  const trials = lines
    .trimEnd()
    .split('\n')
    .map((line) => trialLineSchema.parse(JSON.parse(line)));
  // Every changed trial has one that differs from it in its change alone, with its seeds unless these are the change.
  const isAlike = (line: TrialLine) => {
    const usual = unchangedAmong(
      trials.filter((each) => each.case === line.case),
      line,
    );
    return `${line.change?.kind} ${usual?.seed === line.seed}`;
  };
  const seeded = trials.filter(({ change }) => change !== undefined).map(isAlike);
  expect(new Set(seeded)).toEqual(new Set(['withhold true', 'replace true', 'seed false']));
  const { trial = '' } = trials.find(({ change }) => change?.kind === 'replace') ?? {};
  const shown = await bench.assize(['show', 'rain', '--store', project.store, '--trial', trial]);
  expect(shown.output).toContain(
    'other words in the speech “Defense, opening”. The court did not hear what is marked below. In its place it heard: “The answer is YES.”',
  );
  expect(shown.output).toContain(
    'Defense, opening (heard instead)\nThe answer is YES.\n\nDefense, opening, for NO (not heard by the court)\n',
  );
  const page = await bench.assize([
    ...['export', 'rain', '--store', project.store, '--out', '-', '--format', 'html', '--trial', trial],
  ]);
  expect(page.output).toMatch(/heard instead[^“]*The answer is YES\.[\s\S]*?not heard by the court/);
  const sought = { sought: 'the', experiment: null, limit: 1000 };
  const { hits } = await queriesHere(project.store).run('search', sought);
  const unheard = hits.filter(({ isUnheard }) => isUnheard).map(({ of, by }) => `${of?.trial} ${by}`);
  const changed = trials.flatMap(({ trial, change }) => {
    const speech = change?.speech ?? change?.replaced?.speech;
    return speech === undefined ? [] : [`${trial} ${speech.split('/')[1]}`];
  });
  expect(new Set(unheard)).toEqual(new Set(changed));
});

test('debates that are cut at random show what each speech adds when it is heard last', async () => {
  const court = JSON.parse(sampleExperiment);
  const arms = [
    { name: 'court', protocol: 'agentic-sim', params: { turns: 1, temperature: 0 }, cast: { '*': { model: 'm:1b' } } },
    { name: 'alone', protocol: 'single', cast: { '*': { model: 'm:1b' } } },
    { name: 'agents', protocol: 'evince', cast: { '*': { model: 'm:1b' } } },
    { name: 'feedback', protocol: 'debate-feedback', cast: { '*': { model: 'm:1b' } } },
  ];
  const dataset = { ...court.dataset, split: { test: 1 }, sample: { n: 4 } };
  const project = bench.project('truncated', JSON.stringify({ ...court, dataset, arms }));
  const out = join(project.room, 'truncated.json');
  const run = ['run', out, '--store', project.store, '--ollama', bench.standin.url];
  const vary = (...words: readonly string[]) => bench.assize(['vary', project.file, '--out', out, '--force', ...words]);
  expect((await vary('--change', 'truncate=3')).errors).toContain('draw at most 2');
  expect((await vary('--change', 'truncate', '--arm', 'alone')).errors).toContain('no one speaks');
  expect((await vary('--change', 'truncate', '--arm', 'agents')).errors).toContain('repeat the probabilities');
  expect((await vary('--change', 'withhold=each', '--arm', 'agents')).errors).toContain('repeat the probabilities');
  expect((await vary('--change', 'truncate', '--arm', 'feedback')).errors).toContain('in agentic-sim and courtroom');
  expect((await vary('--change', 'truncate', '--expect', 'INV')).errors).toContain('without an expectation');
  // Only in the court can it be done, so only the court is cut.
  expect(await vary('--change', 'truncate=2')).toMatchObject({ code: 0 });
  const written = JSON.parse(readFileSync(out, 'utf8'));
  const kept = written.arms.filter((each: { name: string }) => each.name.startsWith('court') || each.name === 'alone');
  const save = (cut: object) => {
    const changed = (each: { change?: object }) => (each.change ? { ...each, change: { ...each.change, ...cut } } : each);
    writeFileSync(out, JSON.stringify({ ...written, arms: kept.map(changed) }));
  };
  save({ draw: 3 });
  expect((await bench.assize(run)).errors).toContain('draw 3 is more than its 2 speeches');
  const change = { of: 'court', kind: 'replace', speech: 'turn-9/nobody', text: 'Yes.' };
  writeFileSync(out, JSON.stringify({ ...written, arms: [...kept, { ...kept[0], name: 'other words', change }] }));
  expect((await bench.assize(run)).errors).toContain('no speech "turn-9/nobody"; there are turn-1/prosecutor');
  save({ speeches: ['turn-1/prosecutor', 'turn-9/defense'] });
  expect((await bench.assize(run)).errors).toContain('are turn-1/prosecutor, turn-1/defense; list these');
  save({});
  expect(await bench.assize(run)).toMatchObject({ code: 0 });
  expect(await bench.assize(['verify', project.store])).toMatchObject({ code: 0 });
  expect(JSON.parse((await bench.assize(['replay', project.store, '--json'])).output)).toMatchObject({ different: 0 });
  const stats = ['stats', 'rain', '--store', project.store, '--resamples', '200'];
  const { turn_effects: turns, language } = statsReportSchema.parse(
    JSON.parse((await bench.assize([...stats, '--json'])).output),
  );
  const valuesOf = (name: string) => turns?.map(({ measures }) => measures.find((each) => each.name === name)?.value ?? null);
  // Of the arms that are no other one changed, the one in which somebody speaks.
  expect(language?.map(({ arm, trials, speeches, unmeasured }) => [arm, trials, speeches, unmeasured])).toEqual([
    ['court', 4, 8, 0],
  ]);
  const words = language?.[0]?.steps.map(({ measures }) => measures.find(({ name }) => name === 'words')?.value ?? 0) ?? [];
  expect(Math.min(...words)).toBeGreaterThan(3);
  // Two draws of two places: each case is cut before the first speech and before the second.
  expect(turns).toMatchObject([
    { arm: 'court', speech: 'turn-1/prosecutor', draws: 2, cases: 4, heard: 4, unheard: 4 },
    { arm: 'court', speech: 'turn-1/defense', draws: 2, cases: 4, heard: 0, unheard: 4 },
  ]);
  // The last speech decides, and nothing was said in it where only the prosecution is heard: that adds only its own point.
  expect(valuesOf('turn_verdict')?.[1]).toBe(-1);
  expect(valuesOf('turn_belief')?.[0]).toBeGreaterThan(0);
  expect(valuesOf('turn_belief')?.[0]).toBeLessThan(0.1);
  expect(valuesOf('turn_belief')?.[1]).toBeLessThan(-0.5);
  expect((await bench.assize(stats)).output).toMatch(/The effect of each turn[\s\S]*Defense, opening/);

  const exported = ['export', 'rain', '--store', project.store, '--out', '-', '--format'];
  const lines = (await bench.assize([...exported, 'trials-jsonl'])).output.trimEnd().split('\n');
  const trials = lines.map((line) => trialLineSchema.parse(JSON.parse(line)));
  for (const [heard, sentence, marks] of [
    [0, 'The court heard none of the 2 speeches', 2],
    [1, 'The court heard only the first 1 of 2 speeches', 1],
    [undefined, '', 0],
  ] as const) {
    const { trial = '' } = trials.find(({ arm, change }) => arm.startsWith('court') && change?.truncated?.heard === heard) ?? {};
    for (const words of [
      ['show', 'rain', '--store', project.store, '--trial', trial],
      [...exported, 'html', '--trial', trial],
    ]) {
      const { output } = await bench.assize(words);
      expect(output).toContain(sentence);
      expect(output.split('not heard by the court')).toHaveLength(marks + 1);
    }
  }
});
