import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { statsReportSchema } from '../../../../shared/outputs.ts';
import { makeSampleStore } from '../../audit/testing/sampleStore.ts';
import { findChromium } from '../../pdf/chromium.ts';
import { type EngineRoom, failureOf, openEngineRoom } from '../testing/engineRoom.ts';

const experiment = 'nlsy97-demo';
let room: EngineRoom;
let trial: { id: string; case: string };
beforeAll(async () => {
  room = openEngineRoom({ name: 'exports' });
  mkdirSync(room.path('made'));
  renameSync(await makeSampleStore(room.path('made'), { cases: 2 }), room.path('store.db'));
  const { lines } = await room.client.experiments.trials({ experiment, arm: 'court', limit: 1 });
  const [line] = lines;
  if (line === undefined) throw new Error('the sample store has no such trial');
  trial = { id: line.trial, case: line.case };
});
afterAll(() => room.close());

describe('an export', () => {
  test.each([
    ['trials-csv', `${experiment}.csv`],
    ['trials-jsonl', `${experiment}.jsonl`],
    ['events-jsonl', `${experiment}.events.jsonl`],
  ] as const)('as %s is the file that the command line writes, and is taken once', async (format, fileName) => {
    const made = await room.client.exports.make({ experiment, trial: null, format });
    const text = await room.exported(experiment, format);
    expect(made).toMatchObject({ fileName, bytes: Buffer.byteLength(text) });
    const taken = room.service.files.take(made.file);
    expect(taken).toMatchObject({ fileName, bytes: made.bytes });
    expect(readFileSync(taken?.path ?? '', 'utf8')).toBe(text);
    expect(room.service.files.take(made.file)).toBeNull();
  });

  test('of the statistics is the report that the command line prints', async () => {
    const made = await room.client.exports.make({ experiment, trial: null, format: 'statistics-json' });
    expect(made.fileName).toBe(`${experiment}.statistics.json`);
    const report: unknown = JSON.parse(readFileSync(room.service.files.take(made.file)?.path ?? '', 'utf8'));
    expect(statsReportSchema.parse(report)).toMatchObject({ experiment });
  });

  test('of one trial bears the name of its case', async () => {
    const made = await room.client.exports.make({ experiment, trial: trial.id, format: 'trials-jsonl' });
    expect(made.fileName).toBe(`${experiment}-${trial.case}.jsonl`);
    const text = readFileSync(room.service.files.take(made.file)?.path ?? '', 'utf8');
    expect(text).toBe(await room.exported(experiment, 'trials-jsonl', trial.id));
    expect(text.trim().split('\n')).toHaveLength(1);
  });

  test('of something missing is refused', async () => {
    const make = (given: object) =>
      failureOf(room.client.exports.make({ experiment, trial: null, format: 'trials-csv', ...given }));
    expect(await make({ experiment: 'nowhere' })).toMatchObject({ code: 'not-found' });
    expect(await make({ trial: '0'.repeat(16) })).toMatchObject({ code: 'not-found', field: 'trial' });
    expect(await make({ experiment: 'nowhere', trial: trial.id })).toMatchObject({ code: 'not-found', field: 'trial' });
    expect(await make({ trial: '../../x' })).toMatchObject({ code: 'bad-input', field: 'trial' });
    expect(room.kept).toEqual([]);
  });
});

async function all<Frame>(frames: AsyncIterable<Frame>): Promise<Frame[]> {
  const found: Frame[] = [];
  for await (const frame of frames) found.push(frame);
  return found;
}

describe('a report', () => {
  const ask = (given: { trial: string | null; format: 'html' | 'pdf' }) => room.client.exports.report({ experiment, ...given });
  async function made(given: { trial: string | null; format: 'html' | 'pdf' }) {
    const frames = await all(await ask(given));
    const done = frames.at(-1);
    if (done?.kind !== 'done') throw new Error('the stream ended without a report');
    const content = readFileSync(room.service.files.take(done.file)?.path ?? '', 'latin1');
    return { ...done, content };
  }

  test('of a trial and over the experiment is the file that the command line writes', async () => {
    for (const one of [trial.id, null]) {
      const { fileName, note, content } = await made({ trial: one, format: 'html' });
      expect([fileName, note]).toEqual([
        one === null ? `experiment-report-${experiment}.html` : `trial-report-${trial.case}-court-${experiment}.html`,
        null,
      ]);
      const text = await room.exported(experiment, 'html', one ?? undefined);
      expect(Buffer.from(content, 'latin1').toString('utf8')).toBe(text);
    }
  });

  test.runIf(findChromium() !== undefined)('is a PDF where there is a Chromium', async () => {
    const { fileName, note, content } = await made({ trial: null, format: 'pdf' });
    expect([fileName, note, content.slice(0, 5)]).toEqual([`experiment-report-${experiment}.pdf`, null, '%PDF-']);
  });

  test.runIf(findChromium({ PATH: '' }) === undefined)('is HTML without one, and says why', async () => {
    vi.stubEnv('PATH', '');
    try {
      const { fileName, note, content } = await made({ trial: trial.id, format: 'pdf' });
      expect(fileName).toMatch(/\.html$/);
      expect(note).toContain('install Google Chrome');
      expect(content).toMatch(/^<!doctype html>/i);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test('of something missing, or of a trial of another experiment, is refused', async () => {
    expect(await failureOf(made({ trial: '0'.repeat(16), format: 'html' }))).toMatchObject({ code: 'not-found', field: 'trial' });
    const nowhere = async () => all(await room.client.exports.report({ experiment: 'nowhere', trial: null, format: 'html' }));
    expect(await failureOf(nowhere())).toMatchObject({ code: 'not-found' });
    expect(room.kept).toEqual([]);
  });

  test('that no one waits for any more is not made', async () => {
    const leave = new AbortController();
    const frames = await room.client.exports.report({ experiment, trial: null, format: 'pdf' }, { signal: leave.signal });
    leave.abort();
    await expect(all(frames)).rejects.toThrow();
    expect(room.kept).toEqual([]);
  });
});
