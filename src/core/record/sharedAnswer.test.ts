import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { EventPayload } from '../../shared/events.ts';
import { runtimeSchema } from '../../shared/experiment.ts';
import type { SharedQuestion } from '../protocols/court.ts';
import { caseOf } from '../protocols/testing/cases.ts';
import { acting, emptyRecord, plainTerms, replayInMemory, runInMemory } from '../protocols/testing/memoryTrial.ts';
import { answered, failed, scriptedEffects } from '../protocols/testing/scriptedModel.ts';
import type { CallReport, SharedAsk } from './effects.ts';
import { memoryPreparation } from './memoryPreparation.ts';
import { answerShared } from './sharedAnswer.ts';
import { sharedCallPlace, sharedKey } from './sharedKey.ts';

const kase = caseOf('text', 2);
const [no = '', yes = ''] = kase.labels;

const terms = (attempt = 1) => plainTerms({ attempt, runtime: runtimeSchema.parse({ retries: 1 }) });

const question = (number: number): SharedQuestion<{ prediction: string }> => ({
  facts: [],
  prompt: () => [{ role: 'user', parts: ['What is it?'] }],
  answer: {
    name: 'hearing',
    schema: z.object({ prediction: z.enum([no, yes]) }),
    labelFields: ['prediction'],
    labels: kase.labels,
  },
  temperature: 0.5,
  seed: 11,
  number,
});

const asked = (attempt?: number): SharedAsk => ({
  name: 'q'.repeat(43),
  role: 'clerk',
  question: question(1),
  terms: terms(attempt),
});
const by = (digest: string | null, report: CallReport): CallReport => ({ ...report, sentTo: { ...report.sentTo, digest } });
const says = (label: string, digest: string | null = null) => by(digest, answered(`{"prediction":"${label}"}`));

/** Asks with answers in turn; keys of the calls that were made, and of the one whose answer was taken. */
async function ask(ledger: ReturnType<typeof memoryPreparation>, reports: CallReport[], digest: string | null, attempt?: number) {
  const made: string[] = [];
  const seeds: number[] = [];
  const answer = await answerShared(
    asked(attempt),
    ledger,
    (call) => {
      made.push(call.key);
      seeds.push(call.request.options.seed);
      const next = reports.shift();
      return next === undefined ? Promise.reject(new Error('one call too many')) : Promise.resolve(next);
    },
    digest,
  );
  return { made, seeds, from: answer.call.key, text: answer.raw.answer };
}

const first = sharedKey(asked().name, 1);
const second = sharedKey(asked().name, 2);

test('keys of shared questions are read as they are written', () => {
  const question12 = asked().name.slice(0, 12);
  expect(sharedCallPlace(`${first}/attempt-2`)).toEqual({ question: question12, hearing: 1, attempt: 2 });
  expect(sharedCallPlace(`${second}/attempt-1`)).toEqual({ question: question12, hearing: 2, attempt: 1 });
  for (const key of ['answer/attempt-1', `${first}/attempt-0`, `${first}/attempt-1/x`, `x${first}/attempt-1`]) {
    expect(sharedCallPlace(key)).toBeNull();
  }
});

describe('an answer on the record', () => {
  test('serves all that ask the same model, or one whose server reports no digest', async () => {
    const ledger = memoryPreparation();
    expect(await ask(ledger, [says(no, 'one')], 'one')).toMatchObject({ made: [`${first}/attempt-1`] });
    for (const digest of ['one', null]) {
      expect(await ask(ledger, [], digest)).toMatchObject({ made: [], from: `${first}/attempt-1` });
    }
  });

  test('of another model under the same name is left to those who have it, and the question is put again', async () => {
    const ledger = memoryPreparation();
    const before = await ask(ledger, [says(no, 'one')], 'one');
    const after = await ask(ledger, [says(yes, 'two')], 'two');
    expect(after).toMatchObject({ made: [`${second}/attempt-1`], from: `${second}/attempt-1`, text: `{"prediction":"${yes}"}` });
    expect(after.seeds).toEqual(before.seeds);
    expect(await ask(ledger, [], 'two')).toMatchObject({ made: [], from: `${second}/attempt-1` });
    expect(await ask(ledger, [], 'one')).toMatchObject({ made: [], from: `${first}/attempt-1` });
  });

  test('that failed in passing stays for first attempts, is asked again by a further one, and then serves all', async () => {
    const ledger = memoryPreparation();
    const timeouts = [failed('timeout', false), failed('timeout', false)];
    expect(await ask(ledger, timeouts, null)).toMatchObject({ from: `${first}/attempt-2`, text: null });
    expect(await ask(ledger, [], null)).toMatchObject({ made: [], text: null });
    expect(await ask(ledger, [says(yes)], null, 2)).toMatchObject({ made: [`${second}/attempt-1`] });
    expect(await ask(ledger, [], null)).toMatchObject({ made: [], from: `${second}/attempt-1` });
  });

  test.each([
    ['cannot come', () => [failed('overflow', true)]],
    ['was no answer', () => [answered('x'), answered('y')]],
  ])('that %s is not asked again', async (_what, reports) => {
    const ledger = memoryPreparation();
    const { from } = await ask(ledger, reports(), null);
    expect(await ask(ledger, [], null, 2)).toMatchObject({ made: [], from });
  });
});

describe('ambiguity', () => {
  const ambiguous = async (digests: readonly [string | null, string | null]) => {
    const reports = [says(no, digests[0]), says(yes, digests[1])];
    const protocol = acting(async (court) => {
      const answers = [];
      for (const number of [1, 2]) answers.push(await court.askOnce(`hearing-${number}`, 'clerk', question(number)));
      const labels = answers.map(({ value }) => value.prediction);
      court.findAmbiguity('ambiguity', { role: 'clerk', labels, ambiguous: true });
      const stated = { prediction: no, confidence: null, belief: null, source: 'verbal', inconsistent: false } as const;
      court.rule('ruling', { role: 'judge', ...stated });
    });
    const record = emptyRecord();
    const effects = scriptedEffects(undefined, () => reports.shift() ?? null);
    const end = await runInMemory(record, protocol, terms(), kase, effects);
    expect(await replayInMemory(record, protocol, terms(), kase)).toEqual({ end, unused: [] });
    const found = record.events.find(({ kind }) => kind === 'ambiguity-find')?.payload as EventPayload<'ambiguity-find'>;
    return found.ambiguous;
  };

  test('is known of hearings by one model, and unknown of two models', async () => {
    expect(await ambiguous(['one', 'one'])).toBe(true);
    expect(await ambiguous([null, null])).toBe(true);
    expect(await ambiguous(['one', 'two'])).toBeNull();
  });
});
