import { describe, expect, test } from 'vitest';
import type { EventPayload } from '../../../shared/events.ts';
import type { PreparedCall } from '../../record/effects.ts';
import { findProtocol, type RegisteredProtocol } from '../index.ts';
import { caseOf } from '../testing/cases.ts';
import { emptyRecord, type MemoryRecord, runInMemory, termsFor } from '../testing/memoryTrial.ts';
import { answeredAs, failed, scriptedEffects } from '../testing/scriptedModel.ts';
import { baseKey, textOf } from '../testing/settings.ts';

const protocolOf = (id: string): RegisteredProtocol => {
  const found = findProtocol(id);
  if (found === undefined) throw new Error(`${id} is not registered`);
  return found;
};

const labels = ['NO', 'YES'];
const kase = { ...caseOf('tabular', 2), labels, positive: 'YES' };

async function hold(id: string, params: object, says: Parameters<typeof scriptedEffects>[0] = () => null) {
  const registered = protocolOf(id);
  const record = emptyRecord();
  const effects = scriptedEffects(says);
  const end = await runInMemory(record, registered.bind(params), termsFor(registered, [], 0), kase, effects);
  return { record, effects, end };
}

function rulingOf(record: MemoryRecord): EventPayload<'ruling-give'> {
  const found = record.events.find((event) => event.kind === 'ruling-give');
  if (found?.kind !== 'ruling-give') throw new Error('no ruling');
  return found.payload;
}

const ballots = (list: readonly [string, number][]) => (call: PreparedCall) => {
  const [prediction, confidence] = list[Number(/voter(\d+)$/.exec(baseKey(call))?.[1] ?? 1) - 1] ?? ['NO', 50];
  return answeredAs(call, { reason: 'so', prediction, confidence });
};

describe('vote', () => {
  test('the majority rules, with its share as confidence', async () => {
    const list: [string, number][] = [
      ['YES', 60],
      ['NO', 99],
      ['YES', 55],
    ];
    const { record } = await hold('vote', { voters: 3 }, ballots(list));
    expect(rulingOf(record)).toMatchObject({ prediction: 'YES', source: 'votes', role: 'voter' });
    expect(rulingOf(record).confidence).toBeCloseTo(2 / 3, 12);
    // The mean of what they state: (0.6 + 0.01 + 0.55) / 3
    expect(rulingOf(record).grounds?.votes?.mean?.YES).toBeCloseTo(1.16 / 3, 12);
  });

  test('weights outvote numbers, and shares of the weights are the belief', async () => {
    const list: [string, number][] = [
      ['YES', 60],
      ['NO', 99],
      ['YES', 55],
    ];
    const { record } = await hold('vote', { voters: 3, weights: [1, 3, 1] }, ballots(list));
    expect(rulingOf(record)).toMatchObject({ prediction: 'NO', source: 'votes' });
    expect(rulingOf(record).belief).toEqual({ NO: 0.6, YES: 0.4 });
    expect(rulingOf(record).grounds?.votes).toMatchObject({
      decidedBy: 'weights',
      counts: { NO: 1, YES: 2 },
      weights: { NO: 3, YES: 2 },
    });
  });

  test('weights that do not fit the seats, or count nothing, are refused', () => {
    const bind = (id: string, params: object) => () => protocolOf(id).bind(params);
    expect(bind('vote', { voters: 3, weights: [1, 2] })).toThrow(/2 weights for 3 votes/);
    expect(bind('vote', { voters: 2, weights: [0, 0] })).toThrow(/every weight is 0/);
    expect(bind('courtroom', { judges: 3, weights: [1, 1, 1] })).toThrow(/the last judge decides here/);
    expect(bind('courtroom', { judges: 3, deliberation: 'parallel', weights: [1, 1, 2] })).not.toThrow();
  });

  test('every voter is asked the very same, with its own seed', async () => {
    const { effects } = await hold('vote', { voters: 4, shots: 1 });
    expect(new Set(effects.calls.map(textOf)).size).toBe(1);
    expect(new Set(effects.calls.map(({ request }) => request.options.seed)).size).toBe(4);
  });

  test('an even bench that ties follows the surer half', async () => {
    const { record } = await hold(
      'vote',
      { voters: 2 },
      ballots([
        ['NO', 60],
        ['YES', 70],
      ]),
    );
    expect(rulingOf(record)).toMatchObject({
      prediction: 'YES',
      confidence: 0.5,
      grounds: { votes: { decidedBy: 'confidence' } },
    });
  });

  test('voters that fail have no vote', async () => {
    const says = (call: PreparedCall) =>
      baseKey(call).endsWith('voter2')
        ? failed('timeout', false)
        : ballots([
            ['NO', 60],
            ['NO', 60],
            ['YES', 70],
          ])(call);
    const { record, end } = await hold('vote', { voters: 3 }, says);
    expect(end).toEqual({ outcome: 'decided', incomplete: true });
    expect(rulingOf(record)).toMatchObject({ prediction: 'YES', grounds: { votes: { asked: 3, failures: { timeout: 1 } } } });
  });
});
