import { describe, expect, test } from 'vitest';
import { failureOutcomes } from '../../shared/domain.ts';
import type { EventKind, EventPayload, RecordEvent } from '../../shared/events.ts';
import { foldTrial, lastAttempt } from './fold.ts';
import { indexSteps } from './ledger.ts';
import { parseEvent } from './parse.ts';

const ref = (letter: string) => letter.repeat(43);

const open = (attempt = 1): EventPayload<'trial-open'> => ({
  v: 1,
  at: '2026-01-01T00:00:00.000Z',
  arm: 'arm',
  case: ref('c'),
  replicate: 0,
  attempt,
  seed: 7,
  protocol: 'standard',
  protocolVersion: 1,
  freeze: '0'.repeat(64),
});

const answer = (key: string, more: Partial<EventPayload<'call-answer'>> = {}): EventPayload<'call-answer'> => ({
  v: 1,
  at: '2026-01-01T00:00:00.000Z',
  key,
  role: 'judge',
  request: ref('r'),
  setup: ref('s'),
  seed: 1,
  messages: [],
  answer: ref('a'),
  done: 'stop',
  method: 'json',
  promptTokens: 100,
  completionTokens: 10,
  modelMs: 5,
  loadMs: 1,
  wallMs: 7,
  ...more,
});

const ruling = (prediction: string, inconsistent = false): EventPayload<'ruling-give'> => ({
  v: 1,
  key: 'ruling',
  role: 'judge',
  prediction,
  confidence: 0.75,
  belief: { NO: 0.25, YES: 0.75 },
  source: 'verbal',
  inconsistent,
  opinion: null,
});

const close = (outcome: EventPayload<'trial-close'>['outcome'], incomplete = false): EventPayload<'trial-close'> => ({
  v: 1,
  at: '2026-01-01T00:00:09.000Z',
  outcome,
  incomplete,
});

type Step = { [K in EventKind]: readonly [K, EventPayload<K>] }[EventKind];

function chain(...steps: readonly Step[]): RecordEvent[] {
  return steps.map(([kind, payload], seq) => parseEvent({ seq, kind, payload: JSON.stringify(payload), hash: '' }));
}

describe('foldTrial', () => {
  test('a decided trial: its ruling, and what it took', () => {
    const summary = foldTrial(
      chain(
        ['trial-open', open()],
        ['call-answer', answer('turn-1/judge/attempt-1', { rejected: 'malformed', method: undefined })],
        ['call-answer', answer('turn-1/judge/attempt-2')],
        ['call-answer', answer('ruling/judge/attempt-1', { setup: ref('t') })],
        ['ruling-give', ruling('YES', true)],
        ['trial-close', close('decided')],
      ),
    );
    expect(summary).toMatchObject({
      status: 'done',
      outcome: 'decided',
      incomplete: false,
      inconsistent: true,
      prediction: 'YES',
      confidence: 0.75,
    });
    expect(summary).toMatchObject({ belief: { NO: 0.25, YES: 0.75 }, beliefSource: 'verbal' });
    // A retry is a request more and not a call more.
    expect(summary).toMatchObject({ calls: 2, attempts: 3, promptTokens: 300, completionTokens: 30, modelMs: 15, wallMs: 21 });
    expect(summary.setups).toEqual([ref('s'), ref('t')]);
  });

  test('a trial that is not done has no outcome, and says so', () => {
    const summary = foldTrial(
      chain(['trial-open', open()], ['call-answer', answer('a/attempt-1')], ['ruling-give', ruling('YES')]),
    );
    expect(summary).toMatchObject({
      status: 'running',
      outcome: null,
      prediction: null,
      confidence: null,
      belief: null,
      beliefSource: null,
    });
  });

  test.each(failureOutcomes)('a failure is never given a verdict: %s', (outcome) => {
    const events = chain(['trial-open', open()], ['ruling-give', ruling('YES', true)], ['trial-close', close(outcome, true)]);
    expect(foldTrial(events)).toMatchObject({
      outcome,
      incomplete: true,
      inconsistent: false,
      prediction: null,
      confidence: null,
      belief: null,
    });
  });

  test('a forfeited turn leaves a decided trial decided and incomplete', () => {
    const forfeit = { v: 1, key: 'turn-1/defense/forfeit', role: 'defense', failure: 'timeout' } as const;
    const events = chain(
      ['trial-open', open()],
      ['turn-forfeit', forfeit],
      ['ruling-give', ruling('NO')],
      ['trial-close', close('decided', true)],
    );
    expect(foldTrial(events)).toMatchObject({ outcome: 'decided', incomplete: true, prediction: 'NO' });
  });

  test('the last attempt counts, alone', () => {
    const events = chain(
      ['trial-open', open(1)],
      ['call-answer', answer('a/attempt-1')],
      ['trial-close', close('timeout')],
      ['trial-open', open(2)],
      ['call-answer', answer('a/attempt-1')],
      ['ruling-give', ruling('NO')],
      ['trial-close', close('decided')],
    );
    expect(foldTrial(events)).toMatchObject({ outcome: 'decided', prediction: 'NO', attempts: 1, open: { attempt: 2 } });
    expect(lastAttempt(events)).toHaveLength(4);
    expect(foldTrial(events.slice(0, 4))).toMatchObject({ status: 'running', outcome: null, attempts: 0, open: { attempt: 2 } });
  });

  test('what does not begin with trial-open is no trial', () => {
    expect(() => foldTrial([])).toThrow('trial-open');
    expect(() => foldTrial(chain(['trial-close', close('decided')]))).toThrow('trial-open');
  });
});

describe('indexSteps', () => {
  const measure = (key: string) => ({ v: 1, key, name: 'n', value: 1 }) as const;

  test('finds a step by kind and key, and knows which were never asked for', () => {
    const steps = indexSteps(
      chain(['trial-open', open()], ['measure-take', measure('a')], ['call-answer', answer('a')], ['measure-take', measure('b')]),
    );
    expect(steps.unused()).toEqual(['measure-take a', 'call-answer a', 'measure-take b']);
    expect(steps.find('measure-take', 'a')).toEqual(measure('a'));
    expect(steps.find('utterance-make', 'a')).toBeUndefined();
    expect(steps.unused()).toEqual(['call-answer a', 'measure-take b']);
    steps.find('call-answer', 'a');
    steps.find('measure-take', 'b');
    expect(steps.unused()).toEqual([]);
  });

  test('one key twice in an attempt is refused; in two attempts it is not', () => {
    const twice = [
      ['measure-take', measure('a')],
      ['measure-take', measure('a')],
    ] as const;
    expect(() => indexSteps(chain(['trial-open', open()], ...twice))).toThrow('measure-take a occurs twice');
    const steps = indexSteps(
      chain(['trial-open', open()], ['measure-take', measure('a')], ['trial-open', open(2)], ['measure-take', measure('a')]),
    );
    expect(steps.unused()).toEqual(['measure-take a']);
  });
});

describe('parseEvent', () => {
  test.each(['toString', 'constructor', '__proto__', '', 'trial-opened'])(
    'a kind that does not exist is refused by name: %j',
    (kind) => {
      expect(() => parseEvent({ seq: 0, kind, payload: '{}', hash: '' })).toThrow(
        `unknown kind of event ${JSON.stringify(kind)}`,
      );
    },
  );

  test('a payload of a later version, or with a field too many, is refused', () => {
    for (const payload of [{ ...close('decided'), v: 2 }, { ...close('decided'), more: 1 }, { v: 1 }]) {
      expect(() => parseEvent({ seq: 0, kind: 'trial-close', payload: JSON.stringify(payload), hash: '' })).toThrow();
    }
  });
});
