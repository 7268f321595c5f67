import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSampleStore } from '../../audit/testing/sampleStore.ts';
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

  test('of one trial bears the name of its case', async () => {
    const made = await room.client.exports.make({ experiment, trial: trial.id, format: 'trials-jsonl' });
    expect(made.fileName).toBe(`${experiment}-${trial.case}.jsonl`);
    const text = readFileSync(room.service.files.take(made.file)?.path ?? '', 'utf8');
    expect(text).toBe(await room.exported(experiment, 'trials-jsonl', trial.id));
    expect(text.trim().split('\n')).toHaveLength(1);
  });

  test('as html is the report of one trial', async () => {
    const made = await room.client.exports.make({ experiment, trial: trial.id, format: 'html' });
    expect(made.fileName).toBe(`${experiment}-${trial.case}.html`);
    const text = readFileSync(room.service.files.take(made.file)?.path ?? '', 'utf8');
    expect(text).toBe(await room.exported(experiment, 'html', trial.id));
    expect(text).toMatch(/^<!doctype html>/i);
  });

  test('of what is not there is refused', async () => {
    const make = (given: object) =>
      failureOf(room.client.exports.make({ experiment, trial: null, format: 'trials-csv', ...given }));
    expect(await make({ experiment: 'nowhere' })).toMatchObject({ code: 'not-found' });
    expect(await make({ trial: '0'.repeat(16) })).toMatchObject({ code: 'not-found', field: 'trial' });
    expect(await make({ experiment: 'nowhere', trial: trial.id })).toMatchObject({ code: 'not-found', field: 'trial' });
    expect(await make({ trial: '../../x' })).toMatchObject({ code: 'bad-input', field: 'trial' });
    expect(room.kept).toEqual([]);
  });
});
