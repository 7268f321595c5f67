import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { protocolFiguresSchema } from '../../../shared/api/protocolFigures.ts';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { withCopy } from '../audit/testing/tampering.ts';
import { writeEveryProtocol } from '../store/testing/everyProtocol.ts';
import type { QueryProgress } from './query.ts';
import { queriesHere } from './testing/queriesHere.ts';

const room = openFolder('protocol-figures');
const path = room.path('every.db');
const pool = queriesHere(path);
/** Experiments of a store of every protocol: EVINCE and a debate of two, and all others. */
const [evince, others] = ['several labels', 'binary'];

const onlyFile = (folder: string): string => {
  const kept = readdirSync(folder);
  expect(kept).toHaveLength(1);
  return kept[0] ?? '';
};

beforeAll(() => writeEveryProtocol(path));
describe('figures of protocols', () => {
  test('EVINCE: the measures of all exchanges, the same as single trials show them', async () => {
    const figures = await pool.run('protocolFigures', { experiment: evince });
    expect(protocolFiguresSchema.parse(figures)).toEqual(figures);
    expect(figures.trials).toBe(8);
    expect(Object.keys(figures.listed)).toEqual(['exponential', 'mixture', 'gated', 'free']);
    const arm = 'exponential';
    const wd = figures.traces.find((trace) => trace.arm === arm && trace.measure === 'wd');
    expect(wd?.values).toHaveLength(2);
    for (const [index, trial] of (figures.listed[arm] ?? []).entries()) {
      const { entries } = await pool.run('trial', { trial });
      const recorded = entries.flatMap((entry) => (entry.kind === 'exchange' ? [entry.wd] : []));
      expect(wd?.values[index]?.filter((value) => value !== null)).toEqual(recorded);
    }
    const [first] = wd?.steps ?? [];
    const values = wd?.values.flatMap(([value]) => value ?? []) ?? [];
    expect(first).toMatchObject({ step: '1', n: 2, cases: 2 });
    expect(first?.value).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / 2, 12);
    expect(figures.traces.filter(({ arm: of, kind }) => of === arm && kind === 'divergence').map(({ of }) => of)).toEqual([
      'A',
      'B',
      'mixture',
    ]);
    // One trial of the mixture failed.
    const { mixture: _failed, ...listed } = figures.listed;
    const ended = figures.ends.flatMap((end) => (end.arm === 'mixture' ? [] : end.trials));
    expect(ended.toSorted()).toEqual(Object.values(listed).flat().toSorted());
  });

  test('the settings of arms have every default filled in', async () => {
    const { arms } = await pool.run('protocolFigures', { experiment: evince });
    const exponential = arms.find(({ arm }) => arm === 'exponential');
    expect(exponential?.settings).toMatchObject({
      modulation: 'exponential',
      maxRounds: 5,
      model: 'llama3.1:8b, agentB qwen2.5:7b',
      belief: 'verbal',
    });
    expect(arms.find(({ arm }) => arm === 'mixture')).toMatchObject({
      settings: { modulation: 'mixture' },
      defaults: { modulation: 'exponential' },
    });
  });

  test('a note says that examples that no prompt shows change nothing', async () => {
    const { arms } = await pool.run('protocolFigures', { experiment: others });
    const byStyle = (style: string) => arms.find(({ settings }) => settings.style === style);
    expect(byStyle('cot-4-step')).toMatchObject({ settings: { shots: 30 }, idle: ['shots'] });
    expect(byStyle('few-shot')).toMatchObject({ settings: { shots: 30 } });
    expect(byStyle('few-shot')).not.toHaveProperty('idle');
    const found = await pool.run('protocolFigures', { experiment: evince });
    expect(found.arms.every(({ idle }) => idle === undefined)).toBe(true);
  });

  test('Debate-Feedback: opinions begin with the first one, and every round is settled once', async () => {
    const { traces, settlements, listed } = await pool.run('protocolFigures', { experiment: others });
    const opinion = traces.find(({ arm, kind, of }) => arm === 'assisted' && kind === 'opinion' && of === 'opinion');
    expect(opinion?.steps.map(({ step }) => step)).toEqual(['0', '1', '2']);
    expect(traces.find(({ arm, kind }) => arm === 'assisted' && kind === 'reliability')?.steps.map(({ n }) => n)).toEqual([2, 2]);
    expect(traces.some(({ arm, kind }) => arm === 'unassisted' && kind === 'reliability')).toBe(false);
    for (const round of [1, 2]) {
      const settled = settlements.filter((each) => each.arm === 'assisted' && each.round === round);
      expect(settled.flatMap(({ trials }) => trials).toSorted()).toEqual(listed.assisted?.toSorted());
    }
  });

  test('SocraSynth: sheets of both orders, the titles of the subtopics, and CRIT by round', async () => {
    const { panels, panelled, traces } = await pool.run('protocolFigures', { experiment: others });
    const assigned = panels.filter(({ arm }) => arm === 'assigned');
    expect(panelled).toBe(panels.length);
    expect(assigned).toHaveLength(2);
    for (const { subtopics, sheets } of assigned) {
      expect(sheets.map(({ first }) => first).toSorted()).toEqual(['agentA', 'agentB']);
      expect(sheets.every(({ scores }) => scores.length === subtopics?.length)).toBe(true);
    }
    const crit = traces.find(({ arm, kind }) => arm === 'assigned' && kind === 'evaluation');
    expect(crit?.steps.at(-1)?.step).toBe('closing');
  });

  test('are kept for the same record and part, but for cases and texts, which are read again', async () => {
    const cache = room.path('kept');
    const asked = { experiment: others, cache };
    const first = await pool.run('protocolFigures', asked);
    const file = join(cache, onlyFile(cache));
    const text = readFileSync(file, 'utf8');
    const titles = first.panels.flatMap(({ subtopics }) => subtopics ?? []);
    expect(titles.length).toBeGreaterThan(0);
    for (const secret of [...titles, ...first.panels.map((panel) => `"case":"${panel.case}"`)]) {
      expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
    }
    const progress: QueryProgress[] = [];
    const again = await pool.run('protocolFigures', asked, undefined, (each) => progress.push(each));
    // Read from the file: no chain is read again.
    expect(progress).toEqual([]);
    expect(JSON.stringify(again)).toBe(JSON.stringify(first));
    expect(JSON.stringify(await pool.run('protocolFigures', { experiment: others }))).toBe(JSON.stringify(first));
    await pool.run('protocolFigures', { ...asked, subset: { arms: ['assigned'] } });
    expect(readdirSync(cache)).toHaveLength(2);
  });

  test('of a record that is damaged are remade and not kept', async () => {
    const cache = room.path('heads');
    await pool.run('protocolFigures', { experiment: evince, cache });
    const sql =
      "UPDATE trials SET head_hash = ? WHERE trial = (SELECT min(trial) FROM trials WHERE status = 'done' AND experiment = ?)";
    await withCopy(
      path,
      (db) => void db.prepare(sql).run('0'.repeat(64), evince),
      async (copy) => {
        const own = queriesHere(copy);
        await own.run('protocolFigures', { experiment: evince, cache });
      },
    );
    expect(readdirSync(cache)).toHaveLength(1);
  });

  test('a part of the trials has the traces of that part', async () => {
    const whole = await pool.run('protocolFigures', { experiment: evince });
    const part = await pool.run('protocolFigures', { experiment: evince, subset: { arms: ['mixture', 'gated'] } });
    expect(part.trials).toBe(4);
    expect(part.traces).toEqual(whole.traces.filter(({ arm }) => ['mixture', 'gated'].includes(arm)));
    expect(part.arms).toEqual(whole.arms);
    expect(await pool.run('protocolFigures', { experiment: evince, subset: { outcomes: ['timeout'] } })).toMatchObject({
      trials: 0,
      traces: [],
    });
  });
});
