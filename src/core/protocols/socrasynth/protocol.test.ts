import { describe, expect, test } from 'vitest';
import type { Moderation } from '../../../shared/moderation.ts';
import { payloads, promptOf } from '../testing/heldTrial.ts';
import { failed, marksIn } from '../testing/scriptedModel.ts';
import { baseKey, textOf } from '../testing/settings.ts';
import { critic, hold, illness, levels, member, openCase, predictions, registered, sheetOf } from './debate.fixture.ts';

describe('the course of a debate', () => {
  test('an open question: every step in order, decided, with no ruling', async () => {
    const { keys, end, record } = await hold({ params: { maxRounds: 1 }, says: critic(5) });
    expect(end).toEqual({ outcome: 'decided', incomplete: false });
    expect(keys).toEqual([
      'subtopics/agentA',
      'subtopics/agentB',
      'subtopics/merge',
      'subtopics/settle',
      'subtopics/balance',
      'opening/agentA',
      'opening/agentB',
      'round-1/agentA',
      'round-1/agentB',
      'round-1/critic',
      'exhausted/agentA',
      'exhausted/agentB',
      'closing/agentA',
      'closing/agentB',
      'closing/critic',
      'proposal/agentA',
      'proposal/agentB',
      'panel/judge1/a-first',
      'panel/judge1/b-first',
    ]);
    expect(payloads(record, 'ruling-give')).toEqual([]);
    expect(payloads(record, 'belief-update')).toEqual([]);
  });

  test('contentiousness falls by the decay; closing statements are held where the loop ended, the proposal at 0.3', async () => {
    const { record } = await hold({ says: critic(5, 5, 5, 5) });
    expect(levels(record)).toEqual([
      'opening 0.9000',
      'round-1 0.7500',
      'round-2 0.6250',
      'round-3 0.5208',
      'round-4 0.4340',
      'closing 0.3617',
      'proposal 0.3000',
    ]);
    expect(payloads(record, 'debate-stop')).toMatchObject([{ rounds: 4, reason: 'rounds' }]);
  });

  test('without a cap it is 12 rounds and ends at 0.0841', async () => {
    const { record } = await hold({ params: { maxRounds: 50, subtopics: 1 }, says: critic(...Array<number>(12).fill(5)) });
    expect(payloads(record, 'debate-stop')).toMatchObject([{ rounds: 12, reason: 'contentiousness' }]);
    expect(levels(record)).toContain('closing 0.0841');
  });

  test('a fall of G stops the next round, not the one in which it fell', async () => {
    const { record, keys } = await hold({ says: critic(5, 7, 6.5) });
    expect(payloads(record, 'debate-stop')).toMatchObject([{ rounds: 3, reason: 'quality' }]);
    expect(keys).toContain('round-3/agentB');
    expect(keys.some((key) => key.startsWith('round-4'))).toBe(false);
  });

  test('a CRIT that fails is no fall: the debate continues, no score is made up, and the next is compared with the last known', async () => {
    const { record, end } = await hold({ says: critic(7, null, 6) });
    expect(end).toEqual({ outcome: 'decided', incomplete: true });
    expect(payloads(record, 'debate-stop')).toMatchObject([{ rounds: 3, reason: 'quality' }]);
    const scored = payloads(record, 'measure-take').flatMap(({ key, name }) => (name === 'crit' ? [key] : []));
    expect(scored).toEqual(['round-1/critic/score', 'round-3/critic/score', 'closing/critic/score']);
  });

  test('every utterance is one argument on one subtopic', async () => {
    const { record } = await hold({ params: { maxRounds: 1, subtopics: 3 }, says: critic(5) });
    const spoken = payloads(record, 'utterance-make').map(({ role, turn, subtopic }) => `${role} ${turn} ${subtopic}`);
    const numbers = [1, 2, 3];
    expect(spoken).toEqual(
      ['opening', 'refutation', 'closing'].flatMap((turn) =>
        ['agentA', 'agentB'].flatMap((side) => numbers.map((number) => `${side} ${turn} ${number}`)),
      ),
    );
  });

  test('style words states the words of table 6.1 and no number', async () => {
    const { effects } = await hold({ params: { style: 'words', maxRounds: 0 } });
    expect(promptOf(effects, 'opening/agentA')).toContain('Be very confrontational.');
    for (const call of effects.calls) expect(textOf(call)).not.toContain('Contentiousness:');
  });

  test('the proposal is drafted by A, revised by B, with open questions and next steps', async () => {
    const joint = { proposal: 'What both of us can accept.', open_questions: ['Who pays?'], next_steps: ['Ask.'] };
    const { record, effects } = await hold({
      params: { maxRounds: 0 },
      says: (key) =>
        key === 'proposal/agentA'
          ? { ...joint, proposal: 'A draft of what both can accept.' }
          : key === 'proposal/agentB'
            ? joint
            : null,
    });
    const made = payloads(record, 'proposal-make');
    expect(made.map(({ role, stage }) => [role, stage])).toEqual([
      ['agentA', 'draft'],
      ['agentB', 'joint'],
    ]);
    expect(JSON.parse(record.texts.get(made[1]?.proposal ?? '') ?? '')).toEqual(joint);
    expect(promptOf(effects, 'proposal/agentB')).toContain('A draft of what both');
  });
});

describe('labelled cases', () => {
  test('agreement stops the rounds, for any G', async () => {
    const { record } = await hold({ kase: illness, says: predictions({ opening: ['jaundice', 'jaundice'] }) });
    expect(payloads(record, 'debate-stop')).toMatchObject([{ rounds: 0, reason: 'agreement' }]);
    expect(payloads(record, 'ruling-give')).toMatchObject([{ prediction: 'jaundice' }]);
  });

  const divided = predictions({ opening: ['jaundice', 'hepatitis'] });

  test('if no one concedes the panel decides, and a tied sheet is half a sheet of each', async () => {
    const { record } = await hold({
      kase: illness,
      params: { maxRounds: 0 },
      says: (key) => divided(key) ?? sheetOf(key, key.endsWith('a-first') ? '8:6 7:7' : '6:7 7:6', 'agent_a'),
    });
    // 15:13 and 13:13
    expect(payloads(record, 'panel-score').map(({ winner }) => winner)).toEqual(['agentA', null]);
    const [ruling] = payloads(record, 'ruling-give');
    expect(ruling).toMatchObject({ prediction: 'jaundice', source: 'votes', confidence: 0.75 });
    expect(ruling?.grounds?.votes).toMatchObject({ asked: 2, counts: { jaundice: 1, hepatitis: 0 }, decidedBy: 'majority' });
  });

  test('sheets that are won one each are settled by points, then by what is declared, and else the case is undecided', async () => {
    const sheets = (first: string, second: string, declared: 'agent_b' | 'tie') =>
      hold({
        kase: illness,
        params: { maxRounds: 0 },
        says: (key) => divided(key) ?? sheetOf(key, `${key.endsWith('a-first') ? first : second} 5:5`, declared),
      });
    const byPoints = await sheets('9:4', '5:6', 'agent_b');
    expect(payloads(byPoints.record, 'ruling-give')).toMatchObject([
      { prediction: 'jaundice', grounds: { votes: { decidedBy: 'points' } } },
    ]);
    const declared = await sheets('6:5', '5:6', 'agent_b');
    expect(payloads(declared.record, 'ruling-give')).toMatchObject([
      { prediction: 'hepatitis', grounds: { votes: { decidedBy: 'declared' } } },
    ]);
    const equal = await sheets('6:5', '5:6', 'tie');
    expect(equal.end.outcome).toBe('undecided');
    expect(payloads(equal.record, 'ruling-give')).toEqual([]);
  });

  test('assigned stances: A defends the positive label, no one predicts, the panel decides', async () => {
    const { record, effects } = await hold({
      kase: illness,
      params: { stances: 'assigned', maxRounds: 1 },
      says: (key) => sheetOf(key, '3:8 4:7', 'agent_b'),
    });
    expect(payloads(record, 'belief-update')).toEqual([]);
    expect(payloads(record, 'ruling-give')).toMatchObject([{ prediction: 'jaundice', confidence: 1 }]);
    for (const call of effects.calls) {
      expect(textOf(call)).toContain('Agent A defends the answer "hepatitis". Agent B defends the answer "jaundice".');
    }
    expect(registered.bind({ stances: 'assigned' }).claims(illness)).toEqual({ agentA: 'hepatitis', agentB: 'jaundice' });
  });

  test('assigned stances refuse more than two labels in a sentence; free ones take them, and open cases', () => {
    const cases = { kind: 'text', labels: ['a', 'b', 'c'], multiLabel: false } as const;
    expect(registered.bind({ stances: 'assigned' }).refusal(cases)).toMatch(/exactly 2 labels.*has 3/);
    expect(registered.bind({ stances: 'free' }).refusal(cases)).toBeNull();
    expect(registered.bind({}).refusal({ ...cases, kind: 'open', labels: [] })).toBeNull();
    expect(registered.bind({}).refusal({ ...cases, multiLabel: true })).toMatch(/multi-label/);
  });

  test('a sheet won by a side that predicts nothing speaks for no label: the verdict has no belief', async () => {
    const { record } = await hold({
      kase: illness,
      params: { maxRounds: 0 },
      cast: { '*': member, judge1: member, judge2: member },
      says: (key) => {
        if (key === 'opening/agentA') return failed('timeout', false);
        const forA = key.startsWith('panel/') && key.includes('judge2') && key.endsWith('a-first');
        const points = forA ? '9:5' : '4:8';
        return divided(key) ?? sheetOf(key, `${points} ${points}`, forA ? 'agent_a' : 'agent_b');
      },
    });
    expect(new Set(payloads(record, 'panel-score').map(({ winner }) => winner))).toEqual(new Set(['agentA', 'agentB']));
    expect(payloads(record, 'ruling-give')).toMatchObject([{ prediction: 'hepatitis', confidence: null, belief: null }]);
  });

  test('without a sheet there is no verdict, unless both agree', async () => {
    const broken = (key: string) => (key.startsWith('panel/') ? failed('timeout', false) : null);
    const none = await hold({ kase: illness, params: { maxRounds: 0 }, says: (key) => broken(key) ?? divided(key) });
    expect(none.end).toEqual({ outcome: 'timeout', incomplete: true });
    const both = predictions({ opening: ['jaundice', 'jaundice'] });
    const params = { maxRounds: 0, onAgreement: 'panel' };
    const agreed = await hold({ kase: illness, params, says: (key) => broken(key) ?? both(key) });
    expect(agreed.end).toEqual({ outcome: 'decided', incomplete: true });
  });
});

describe('the panel', () => {
  const cast = { '*': member, judge2: member, judge1: member };

  test('has as many judges as the cast lists, each in both orders, the first side first on the page and in the answer', async () => {
    const { effects, keys } = await hold({ params: { maxRounds: 0 }, cast });
    expect(keys.filter((key) => key.startsWith('panel/'))).toEqual([
      'panel/judge1/a-first',
      'panel/judge1/b-first',
      'panel/judge2/a-first',
      'panel/judge2/b-first',
    ]);
    for (const call of effects.calls.filter(({ key }) => key.startsWith('panel/'))) {
      const closings = marksIn(textOf(call)).filter(({ key }) => key.startsWith('closing/'));
      const first = call.key.includes('a-first') ? 'agentA' : 'agentB';
      expect(closings[0]?.role).toBe(first);
      expect(closings.at(-1)?.role).not.toBe(first);
      const fields = Object.keys((call.request.schema as { properties: object }).properties);
      expect(fields[0]).toBe(first === 'agentA' ? 'agent_a_claim' : 'agent_b_claim');
    }
    expect(registered.bind({ subtopics: 2, maxRounds: 0 }, cast).plannedCalls(openCase)).toEqual({ min: 18, max: 18 });
  });

  test('reads closing statements alone, or all that was said', async () => {
    const turnsRead = async (panelReads: string) => {
      const { effects } = await hold({ params: { maxRounds: 1, panelReads }, says: critic(5) });
      const sheet = effects.calls.find(({ key }) => key.startsWith('panel/'));
      return new Set(marksIn(sheet === undefined ? '' : textOf(sheet)).map(({ key }) => key.split('/')[0]));
    };
    expect(await turnsRead('closing')).toEqual(new Set(['closing']));
    expect(await turnsRead('all')).toEqual(new Set(['opening', 'round-1', 'closing']));
  });

  test('keeps whom the judge declares apart from who has more points', async () => {
    const { record } = await hold({
      params: { maxRounds: 0 },
      says: (key) => sheetOf(key, '4:9 5:5', 'agent_a'),
    });
    expect(payloads(record, 'panel-score').map(({ winner, declared }) => [winner, declared])).toEqual([
      ['agentB', 'agentA'],
      ['agentB', 'agentA'],
    ]);
  });
});

describe('who sees what', () => {
  test('independent openings do not know of each other; in sequence B knows that of A', async () => {
    const openingOfB = async (opening: string) => {
      const { effects } = await hold({ params: { opening, maxRounds: 0 } });
      return marksIn(promptOf(effects, 'opening/agentB')).some(({ key }) => key.startsWith('opening/agentA'));
    };
    expect(await openingOfB('independent')).toBe(false);
    expect(await openingOfB('sequential')).toBe(true);
  });

  test('what an agent has left to say is read by itself alone', async () => {
    const { effects } = await hold({
      params: { maxRounds: 0 },
      says: (key) => (key.startsWith('exhausted/') ? { remaining: `secret of ${key}`, exhausted: false } : null),
    });
    const knowing = (secret: string) => effects.calls.filter((call) => textOf(call).includes(secret)).map(baseKey);
    expect(knowing('secret of exhausted/agentA')).toEqual(['closing/agentA']);
    expect(knowing('secret of exhausted/agentB')).toEqual(['closing/agentB']);
  });

  test("a remark reaches its addressee's later turns alone", async () => {
    const remark: Moderation = { action: 'remark', to: 'agentB', text: 'Speak of the costs.' };
    const { effects } = await hold({
      params: { moderated: true, maxRounds: 2 },
      says: critic(5, 5),
      moderate: (_key, { kind }) => ({ at: '', moderation: kind === 'remark' ? remark : { action: 'accept' } }),
    });
    const knowing = effects.calls.filter((call) => textOf(call).includes('Speak of the costs.')).map(baseKey);
    expect(knowing).toEqual(['round-2/agentB', 'closing/agentB']);
  });
});
