import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordsIn } from '../../text/words.ts';
import { payloads, promptOf } from '../testing/heldTrial.ts';
import { failed } from '../testing/scriptedModel.ts';
import { evened } from './comparison.ts';
import { hold, member } from './debate.fixture.ts';

const cast = { '*': member, judge1: member, judge2: member };
const plain = 'Close it on Sundays. Shops gain more than they lose. Buses need money first.';
const debated =
  'Agent A is right. Close it slowly. Agent B shows that buses are full. Begin with one street and count who comes.';

const compare = (says: (key: string) => object | null = () => null) =>
  hold({
    cast,
    params: { maxRounds: 0, compareWithAnswer: true },
    says: (key) => says(key) ?? { 'answer/agentA': { answer: plain }, 'answer/debated': { answer: debated } }[key] ?? null,
  });

/** A judge that always finds the answer in this place better. */
const prefers = (place: 'answer_1' | 'answer_2') => (key: string) =>
  key.startsWith('comparison/')
    ? { answer_1_depth: 8, answer_1_quality: 7, answer_2_depth: 3, answer_2_quality: 2, better: place, justification: 'So.' }
    : null;

describe('debate and plain answer', () => {
  test('judges read two answers in both orders, with nothing that says where they come from', async () => {
    const { effects, keys } = await compare();
    expect(keys.slice(-5)).toEqual([
      'answer/debated',
      ...['comparison/judge1/debate-first', 'comparison/judge1/answer-first'],
      ...['comparison/judge2/debate-first', 'comparison/judge2/answer-first'],
    ]);
    const first = promptOf(effects, 'comparison/judge1/debate-first');
    const own = 'One side is right. Close it slowly. The other side shows that buses are full.';
    const inOrder = (one: string, other: string) => `Answer 1:\n\n${one}\n\nAnswer 2:\n\n${other}`;
    const texts = first.replaceAll(/\n+/g, '\n\n');
    expect(texts).toContain(inOrder(own, plain));
    expect(texts).not.toMatch(/debate|agent|panel|plain/i);
    // The other order is the same prompt with the two texts exchanged.
    const turned = promptOf(effects, 'comparison/judge1/answer-first').replaceAll(/\n+/g, '\n\n');
    expect(turned).toBe(texts.replace(inOrder(own, plain), inOrder(plain, own)));
  });

  test('the plain answer knows of no debate; the other one has the same task, and knows all that was said', async () => {
    const { effects } = await compare();
    expect(promptOf(effects, 'answer/agentA')).not.toMatch(/debate|agent|«/i);
    const task = 'Answer the question in at most 240 words.';
    for (const key of ['answer/agentA', 'answer/debated']) expect(promptOf(effects, key)).toContain(task);
    expect(promptOf(effects, 'answer/debated')).toContain('Agent B, closing, on subtopic 2:');
  });

  test('the record has what was preferred in each order, by origin and not by place', async () => {
    const { record } = await compare(prefers('answer_1'));
    const [debateFirst, answerFirst] = payloads(record, 'answer-compare');
    const [strong, weak] = [
      { depth: 8, quality: 7 },
      { depth: 3, quality: 2 },
    ];
    expect(debateFirst).toMatchObject({
      order: ['debate', 'answer'],
      better: 'debate',
      scores: [{ debate: strong, answer: weak }],
    });
    expect(answerFirst).toMatchObject({
      order: ['answer', 'debate'],
      better: 'answer',
      scores: [{ debate: weak, answer: strong }],
    });
    // Sentences of 4, 3, 8 and 8 words: the end after 15 is nearer to 14 than the one after 7.
    expect(debateFirst?.words).toEqual({ debate: 15, answer: 14 });
  });

  test('without an answer from the debate there is nothing to compare', async () => {
    const { record, end } = await compare((key) => (key === 'answer/debated' ? failed('timeout', false) : null));
    expect(end).toEqual({ outcome: 'decided', incomplete: true });
    expect(payloads(record, 'answer-compare')).toEqual([]);
  });
});

test('the longer answer is cut after the sentence whose end is nearest to the length of the other', () => {
  const sentence = fc.array(fc.constantFrom('shops', 'close', 'early', 'Agent A'), { minLength: 1, maxLength: 6 });
  const sentences = fc.array(sentence, { minLength: 1, maxLength: 6 });
  const asText = (all: readonly (readonly string[])[]) => all.map((words) => `${words.join(' ')}.`).join(' ');
  const ends = (all: readonly (readonly string[])[]) => all.map((_, index) => wordsIn(asText(all.slice(0, index + 1))).length);
  fc.assert(
    fc.property(sentences, sentences, (debate, answer) => {
      const shown = evened({ debate: asText(debate), answer: asText(answer) });
      const words = Math.min(ends(debate).at(-1) ?? 0, ends(answer).at(-1) ?? 0);
      for (const [cut, all] of [
        [shown.debate, debate],
        [shown.answer, answer],
      ] as const) {
        expect(cut).not.toMatch(/agent/i);
        const possible = ends(all);
        const nearest = Math.min(...possible.map((end) => Math.abs(end - words)));
        const isCutInside = possible.every((end) => end > words);
        expect(Math.abs(wordsIn(cut).length - words)).toBe(isCutInside ? 0 : nearest);
      }
    }),
  );
});
