import { expect, test } from 'vitest';
import { z } from 'zod';
import type { EventPayload } from '../../shared/events.ts';
import { runtimeSchema } from '../../shared/experiment.ts';
import { type AnswerSpec, readerVersion } from '../answers/answer.ts';
import type { BoundProtocol } from '../protocols/index.ts';
import { caseOf } from '../protocols/testing/cases.ts';
import { emptyRecord, type MemoryRecord, replayInMemory, runInMemory } from '../protocols/testing/memoryTrial.ts';
import { answered, scriptedEffects } from '../protocols/testing/scriptedModel.ts';
import type { TrialTerms } from './effects.ts';
import { refOf } from './hash.ts';

const kase = caseOf('text', 2);
const [no = '', yes = ''] = kase.labels;
const verdict: AnswerSpec<{ prediction: string }> = {
  name: 'verdict',
  schema: z.object({ prediction: z.enum([no, yes]) }),
  labelFields: ['prediction'],
  labels: kase.labels,
};
const terms: TrialTerms = {
  seed: 7,
  experimentSeed: 42,
  caseSeed: 11,
  attempt: 1,
  salt: new Uint8Array(32).fill(5),
  templates: {},
  examples: [],
  runtime: runtimeSchema.parse({ retries: 2 }),
  belief: 'verbal',
  retriever: null,
  castOf: () => ({ model: 'model', backend: 'default', options: {} }),
};

/** One question and the ruling that follows from its answer. */
const asking: BoundProtocol = {
  params: {},
  shots: 0,
  roles: [],
  assistant: null,
  plannedCalls: () => ({ min: 1, max: 1 }),
  contested: (labels) => labels,
  precedents: null,
  sharedCalls: () => 0,
  claims: () => ({}),
  swaps: {},
  refusal: () => null,
  async run(court) {
    const { value } = await court.ask('ask', 'judge', [{ role: 'user', parts: ['task'] }], verdict, { temperature: 0 });
    const { prediction } = value;
    court.rule('ruling', { role: 'judge', prediction, confidence: null, belief: null, source: 'verbal', inconsistent: false });
  },
};

const callOf = (record: MemoryRecord) => record.events[2]?.payload as EventPayload<'call-answer'>;

/** A record of a refused answer and a good one, to which more was said, and which other rules have read. */
async function recorded(more: string, change: Partial<EventPayload<'call-answer'>>): Promise<MemoryRecord> {
  const record = emptyRecord();
  const answers = ['x', `{"prediction":"${yes}"}`];
  await runInMemory(
    record,
    asking,
    terms,
    kase,
    scriptedEffects(() => answered(answers.shift() ?? '')),
  );
  const call = callOf(record);
  const text = `${record.texts.get(call.answer ?? '')}${more}`;
  const answer = refOf(terms.salt, text);
  record.texts.set(answer, text);
  Object.assign(call, { answer, ...change });
  return record;
}

const contradicted = `\nprediction: ${no}`;

test.each<[string, string, Partial<EventPayload<'call-answer'>>]>([
  ['the present rules read it alike', '', {}],
  ['they find the same value in another way', '', { method: 'tolerant-json' }],
  ['they refuse what stands beside the value', contradicted, { method: 'embedded-json' }],
])('a reading of older rules stands where %s', async (_name, more, change) => {
  for (const reader of [undefined, readerVersion - 1]) {
    const record = await recorded(more, { reader, ...change });
    await expect(replayInMemory(record, asking, terms, kase)).resolves.toMatchObject({ unused: [], end: { outcome: 'decided' } });
  }
});

test.each<[string, string, Partial<EventPayload<'call-answer'>>, RegExp]>([
  [
    'that the answer does not tell',
    contradicted,
    { method: 'labelled-fields', reader: undefined },
    new RegExp(`read by rules of version 1, and this program, which has version ${readerVersion}, reads it otherwise$`),
  ],
  ['of newer rules', contradicted, { method: 'embedded-json', reader: 999 }, /rules of version 999/],
  ['of newer rules that refuse', '', { method: undefined, rejected: 'malformed', reader: 999 }, /rules of version 999/],
  // A further attempt repeats what was wrong with the answer before it, in the reader's words.
  ['whose words the model was told', '', { request: 'r'.repeat(43), reader: undefined }, /rules of version 1/],
])('a reading %s is not for this program to replay', async (_name, more, change, words) => {
  await expect(replayInMemory(await recorded(more, change), asking, terms, kase)).rejects.toMatchObject({
    name: 'OtherReader',
    key: 'ask/attempt-2',
    message: expect.stringMatching(words),
  });
});

test('a reading of the present rules is one by these, or a difference', async () => {
  const record = await recorded(contradicted, { method: 'embedded-json', reader: readerVersion });
  await expect(replayInMemory(record, asking, terms, kase)).rejects.toMatchObject({ name: 'Divergence', key: 'ask/attempt-2' });
});

test('a refusal of older rules stands, and what does not follow from it differs', async () => {
  const record = await recorded('', { method: undefined, rejected: 'invalid_label', reader: undefined });
  // A third attempt should follow, and the record has the ruling.
  await expect(replayInMemory(record, asking, terms, kase)).rejects.toMatchObject({ key: 'ask/attempt-3' });
});
