import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportToStream, replay, show } from '../engine.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { pendingTrials } from '../lab/pendingTrials.ts';
import { queries } from '../queries/queries.ts';
import { openStoreReadOnly } from '../store/store.ts';
import { kept } from '../testing/kept.ts';
import { reading } from '../testing/reading.ts';
import { openFolder } from './testing/sampleStore.ts';
import { verifyPath } from './testing/tampering.ts';

/** Stores whose trials were tried by versions of protocols, and read by rules, that this program does not have. */
const formats = [1, 2] as const;
const experiment = 'fixture ü';
const room = openFolder('older-stores');
const pathOf = (format: number) => room.path(`format-${format}.db`);

beforeAll(() => {
  for (const format of formats) {
    const packed = readFileSync(join(import.meta.dirname, `../store/fixtures/format-${format}.db.gz`));
    writeFileSync(pathOf(format), gunzipSync(packed));
  }
});

describe.each(formats)('a store of format %i', (format) => {
  const path = pathOf(format);

  test('verifies, and its trials are shown and exported', async () => {
    expect(verifyPath(path)).toMatchObject({ result: 'intact', first_bad: null });
    const lines: string[] = [];
    await exportToStream(path, experiment, { format: 'trials-jsonl' }, (piece) => lines.push(piece));
    const trials = lines
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const decided = trials.find(({ protocol, outcome }) => protocol === 'standard' && outcome === 'decided');
    expect(decided).toMatchObject({ protocol_version: 1, prediction: expect.any(String) });
    const shown = await show(path, experiment, decided.trial);
    expect(shown).toMatchObject({ prediction: decided.prediction });
  });

  test('has no run that could continue, so that the screens open', () => {
    const store = kept(openStoreReadOnly(path));
    expect(store.runs.unended()).toHaveLength(format - 1);
    expect(queries.wantedRuns.run(store, { session: 'another', ours: false }, () => undefined)).toEqual({
      runs: [],
      failures: [],
    });
  });

  test('says which of its trials cannot be replayed, and why, and calls none different', async () => {
    const report = await replay(path, undefined, () => undefined);
    const { imported, tried } = Object.groupBy(countedTrials(path), ({ protocol }) =>
      protocol === 'imported' ? 'imported' : 'tried',
    );
    expect(report).toMatchObject({
      identical: imported?.length ?? 0,
      different: 0,
      not_replayable: tried?.length,
      unfinished: 0,
    });
    for (const { result, problem } of report.trials) {
      expect(result).toBe('not-replayable');
      expect(problem).toMatch(/^version 1 of protocol [a-z-]+ is not in this program$/);
    }
  });

  test.each([[], ['undecided' as const]])('its unfinished experiment is not continued, nor tried again: %j', (...retry) => {
    const store = kept(openStoreReadOnly(path));
    const goOn = () => pendingTrials(store, loadFrozen(store, experiment), { retry });
    expect(goOn).toThrow(expect.objectContaining({ code: 'bad-input' }));
    expect(goOn).toThrow(/was begun with version 1 of protocol .* give the experiment another name, or use another store$/);
  });
});

const countedTrials = (path: string) => reading(path, ({ trials }) => trials.all());
