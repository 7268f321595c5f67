import { describe, expect, test } from 'vitest';
import type { Moderation } from '../../../shared/moderation.ts';
import type { Effects, PreparedCall } from '../../record/effects.ts';
import { AwaitsModerator } from '../../record/moderation.ts';
import { payloads } from '../testing/heldTrial.ts';
import { emptyRecord, replayInMemory, runInMemory, termsFor } from '../testing/memoryTrial.ts';
import { failed } from '../testing/scriptedModel.ts';
import { askedKeys, textOf } from '../testing/settings.ts';
import { critic, effectsOf, hold, openCase, registered } from './debate.fixture.ts';

describe('the moderator', () => {
  test('the trial waits before the openings and after the first round, and continues from the record', async () => {
    const bound = registered.bind({ subtopics: 2, moderated: true, maxRounds: 2 });
    const terms = termsFor(registered, [], 0);
    const record = emptyRecord();
    const go = (answer: Moderation | null) => {
      let given = answer;
      const effects: Effects & { calls: PreparedCall[] } = {
        ...effectsOf({ says: critic(5, 5) }),
        moderate: () => {
          const moderation = given;
          given = null;
          return moderation === null ? null : { at: '2026-01-01T00:00:00.000Z', moderation };
        },
      };
      return { effects, end: runInMemory(record, bound, terms, openCase, effects) };
    };
    const first = go(null);
    await expect(first.end).rejects.toThrow(AwaitsModerator);
    expect(askedKeys(first.effects.calls).at(-1)).toBe('subtopics/balance');
    expect(payloads(record, 'moderation-ask')).toMatchObject([{ key: 'subtopics/moderation', kind: 'subtopics' }]);

    // Asked again, it still waits, and asks no model and no moderator twice.
    const again = go(null);
    await expect(again.end).rejects.toThrow(AwaitsModerator);
    expect(again.effects.calls).toEqual([]);
    expect(payloads(record, 'moderation-ask')).toHaveLength(1);

    const edited = [{ title: 'Cost', scope: 'Who pays.' }];
    const second = go({ action: 'subtopics', subtopics: edited });
    await expect(second.end).rejects.toThrow(AwaitsModerator);
    expect(askedKeys(second.effects.calls)).toEqual([
      'opening/agentA',
      'opening/agentB',
      'round-1/agentA',
      'round-1/agentB',
      'round-1/critic',
    ]);
    for (const call of second.effects.calls) expect(textOf(call)).toContain('Subtopic 1: Cost');
    expect(payloads(record, 'subtopics-settle').map(({ settledBy }) => settledBy)).toEqual(['agents', 'moderator']);

    const third = go({ action: 'accept' });
    const end = await third.end;
    expect(end).toEqual({ outcome: 'decided', incomplete: false });
    expect(await replayInMemory(record, bound, terms, openCase)).toEqual({ end, unused: [] });
  });

  test('subtopics that are accepted, or sent back as they were, are the agents own', async () => {
    for (const unchanged of [true, false]) {
      const { record } = await hold({
        params: { moderated: true, maxRounds: 0 },
        moderate: (_key, { kind, subtopics }) => ({
          at: '',
          moderation:
            kind === 'subtopics' && unchanged ? { action: 'subtopics', subtopics: [...subtopics] } : { action: 'accept' },
        }),
      });
      expect(payloads(record, 'subtopics-settle')).toHaveLength(1);
    }
  });

  test('an answer to another question is refused', async () => {
    const answer = { action: 'remark', to: 'both', text: 'Go on.' } as const;
    await expect(hold({ params: { moderated: true }, moderate: () => ({ at: '', moderation: answer }) })).rejects.toThrow(
      /waits for its subtopics/,
    );
  });
});

describe('what goes wrong', () => {
  const broken =
    (...keys: readonly string[]) =>
    (key: string) =>
      keys.includes(key) ? failed('timeout', false) : null;

  test('a side that proposes nothing leaves the list to the other; two leave nothing to argue about', async () => {
    const one = await hold({ params: { maxRounds: 0 }, says: broken('subtopics/agentA', 'subtopics/merge', 'subtopics/settle') });
    expect(one.end).toEqual({ outcome: 'decided', incomplete: true });
    const [settled] = payloads(one.record, 'subtopics-settle');
    expect(settled?.proposals.agentA).toBeNull();
    expect(settled?.subtopics).toBe(settled?.proposals.agentB);
    const none = await hold({ says: broken('subtopics/agentA', 'subtopics/agentB') });
    expect(none.end.outcome).toBe('timeout');
  });

  test('a turn that fails is announced to later speakers; two openings that fail end the trial', async () => {
    const { effects, end } = await hold({ params: { maxRounds: 0 }, says: broken('opening/agentA') });
    expect(end).toEqual({ outcome: 'decided', incomplete: true });
    const closing = effects.calls.find(({ key }) => key.startsWith('closing/agentA'));
    expect(closing === undefined ? '' : textOf(closing)).toContain('Agent A has made no opening.');
    const silent = await hold({ says: broken('opening/agentA', 'opening/agentB') });
    expect(silent.end.outcome).toBe('timeout');
  });
});
