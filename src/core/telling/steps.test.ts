import { expect, test } from 'vitest';
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import { linesOf as linesOfBlocks } from './blocks.ts';
import { stepOf, subtopicOf } from './steps.ts';

const at = (seq: number) => ({ seq, key: `key-${seq}`, role: 'moderator' });
const [costs, law] = [
  { title: 'Costs', scope: 'Who pays.' },
  { title: 'Law', scope: 'Who may.' },
];
const settled = { kind: 'subtopics', settledBy: 'agents', balanced: false, balance: 'One side.' } as const;
const asked: TranscriptEntry = { ...at(2), kind: 'moderation', asks: 'subtopics', subtopics: [costs, law] };
const edited: TranscriptEntry = {
  ...at(3),
  key: asked.key,
  kind: 'moderated',
  moderation: { action: 'subtopics', subtopics: [law] },
};
const entries: TranscriptEntry[] = [
  { ...at(1), ...settled, subtopics: [costs, law] },
  asked,
  edited,
  { ...at(4), ...settled, settledBy: 'moderator', subtopics: [law], balanced: null, balance: null },
];
function linesOf(entry: TranscriptEntry, all = entries): string[] | undefined {
  const step = stepOf(entry, { entries: all, isCounterbalanced: false });
  return step === null ? undefined : linesOfBlocks(step.blocks);
}

test('subtopics, what the moderator is asked and what it answers are shown in lines', () => {
  expect(entries.map((entry) => linesOf(entry))).toEqual([
    ['As both agents settled them.', '1. Costs: Who pays.', '2. Law: Who may.', 'The critic finds them not balanced: One side.'],
    undefined,
    ['The moderator puts these in the place of the subtopics:', '1. Law: Who may.'],
    ['As the moderator left them.', '1. Law: Who may.', 'The critic could not be asked whether they are balanced.'],
  ]);
  expect(linesOf(asked, entries.slice(0, 2))?.[0]).toBe(
    'The trial is not finished: it waits for its moderator, to accept the subtopics or to change them.',
  );
  const remark: TranscriptEntry = { ...at(5), kind: 'moderated', moderation: { action: 'remark', to: 'agentB', text: 'Go on.' } };
  expect(linesOf(remark)).toEqual(['The moderator to Agent B:', 'Go on.']);
  expect(linesOf({ ...at(5), kind: 'moderated', moderation: null })).toEqual(['The moderator answered: erased from the store.']);
});

test('a precedent is shown as its case and facts, each after its column’s name, or as its text if it is a single one', () => {
  const precedent = (id: string | null, ...facts: { name: string; value: string; shown?: string }[]) => ({
    ...{ case: id, label: 'YES', similarity: null, facts },
  });
  const found: TranscriptEntry = {
    ...{ ...at(6), kind: 'precedents', method: 'tf-idf', model: null, failure: null },
    precedents: [
      precedent('HC-031', { name: 'age', value: '25', shown: 'Age (years)' }, { name: 'claims', value: '2' }),
      precedent(null, { name: 'text', value: 'It rained.' }),
    ],
  };
  expect(linesOf(found)?.slice(-2)).toEqual([
    'Precedent 1: case HC-031, YES: Age (years) 25 · claims 2',
    'Precedent 2: YES: It rained.',
  ]);
});

test('a speech names the subtopic of the list that holds when it is made', () => {
  const speech = { kind: 'utterance', turn: 'opening', text: 'So.', planned: false, plan: null, subtopic: 1 } as const;
  const trial = { entries, isCounterbalanced: false };
  expect(subtopicOf({ ...at(2), ...speech }, trial)).toBe('1. Costs');
  expect(subtopicOf({ ...at(9), ...speech }, trial)).toBe('1. Law');
  const { subtopic: _none, ...general } = speech;
  expect(subtopicOf({ ...at(9), ...general }, trial)).toBeUndefined();
});
