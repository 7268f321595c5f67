import { describe, expect, it } from 'vitest';
import { protocols } from '../../../../core/protocols/index.ts';
import { emptyRecord, runInMemory, termsFor } from '../../../../core/protocols/testing/memoryTrial.ts';
import { answered, scriptedEffects } from '../../../../core/protocols/testing/scriptedModel.ts';
import type { PreparedCall } from '../../../../core/record/effects.ts';
import type { Case, CaseKind, Example, Fact } from '../../../../shared/domain.ts';
import { imitateAnswer } from './imitate.ts';

interface Said {
  readonly call: PreparedCall;
  readonly text: string;
}

interface Setting {
  readonly protocol?: string;
  readonly params?: object;
  readonly model?: string;
}

/** Everything that the stand-in answers in one trial of a real protocol. */
async function hold(
  kase: Case,
  { protocol = 'agentic-sim', params = { turns: 3 }, model = 'llama3.1:8b' }: Setting = {},
): Promise<Said[]> {
  const registered = protocols.find(({ id }) => id === protocol);
  if (registered === undefined) throw new Error(`no protocol ${protocol}`);
  const bound = registered.bind(params);
  const examples: Example[] = Array.from({ length: bound.shots }, (_, index) => ({
    facts: rowOf(index + 100),
    label: kase.labels[index % 2] ?? '',
  }));
  const said: Said[] = [];
  const perform = (call: PreparedCall) => {
    const text = imitateAnswer(call.request);
    said.push({ call, text });
    return Promise.resolve(answered(text));
  };
  const terms = { ...termsFor(registered, examples, 0), castOf: () => ({ model, backend: 'default', options: {} }) };
  expect(await runInMemory(emptyRecord(), bound, terms, kase, { ...scriptedEffects(), perform })).toEqual({
    outcome: 'decided',
    incomplete: false,
  });
  return said;
}

const pickOf = (values: readonly string[], index: number, step: number): string =>
  values[(index * step + (index >> 2)) % values.length] ?? '';

/** A made-up row in the words of the data set that ships with the product. */
function rowOf(index: number): Fact[] {
  const row = {
    sex: pickOf(['male', 'female', 'male'], index, 1),
    age: String(18 + (index % 6)),
    numberofarrestsby2002: pickOf(['1', '6', '2', '1', '9', '0', '3'], index, 3),
    cocaine: pickOf(['True', 'False', 'False'], index, 2),
    college02: pickOf(['not enrolled, GED', 'enrolled in a 4-year college', 'not enrolled, high school degree'], index, 1),
    homelessness: pickOf(['False', 'False', 'False', 'True'], index, 1),
    depression: pickOf(['none of the time', 'some of the time', 'most of the time'], index, 5),
    hhsize97: String(2 + (index % 5)),
    experience02: String(index % 4),
    urbanrural: pickOf(['urban', 'Unknown', 'rural'], index, 1),
    num_weight: String(120 + index),
    earlier_jobs: String(index % 3),
    hasCar: pickOf(['True', 'False'], index, 1),
    eye_colour: pickOf(['green', 'dark brown, with glasses'], index, 1),
  };
  return Object.entries(row).map(([name, value]) => ({ name, value }));
}

/** Words by which a speech tells that it is about a feature. */
const aboutFact: Record<string, RegExp> = {
  sex: /\b(?:fe)?male\b/i,
  age: /\bage of\b/i,
  numberofarrestsby2002: /arrests? by 2002/i,
  cocaine: /cocaine use/i,
  college02: /schooling|college|degree|GED/i,
  homelessness: /homelessness/i,
  depression: /depression/i,
  hhsize97: /household of/i,
  experience02: /work by 2002/i,
  urbanrural: /(?:urban|rural) area/i,
  num_weight: /body weight/i,
  earlier_jobs: /earlier jobs?/i,
  hasCar: /has car/i,
  eye_colour: /eye colour/i,
};

function caseOf(kind: CaseKind, facts: readonly Fact[], labels: readonly string[] = ['NO', 'YES']): Case {
  const question = 'Will this person be re-arrested within three years?';
  return { kind, facts, question, labels, positive: labels[1] ?? null, multiLabel: false };
}

const rows = Array.from({ length: 60 }, (_, index) => caseOf('tabular', rowOf(index)));
const told: readonly Case[] = [
  caseOf('text', [
    {
      name: 'text',
      value:
        'The parcel came a week late and the vase in it was broken. The shop had promised delivery within two days. Maria Keller wrote to the shop on the same evening, but the shop did not answer her letter.\n\nThe vase had cost 240 euros. Consider that nobody had insured the parcel.',
    },
  ]),
  caseOf(
    'text',
    [
      {
        name: 'text',
        value: 'I have had a high fever for four days. My joints ache so much that I cannot sleep. There is a rash.',
      },
    ],
    ['dengue', 'malaria'],
  ),
  caseOf(
    'pair',
    [
      { name: 'premise', value: 'A man in a blue shirt is mending the roof of a barn.' },
      { name: 'hypothesis', value: 'Somebody is at work on a building.' },
    ],
    ['not entailed', 'entailed'],
  ),
  caseOf('sections', [
    { name: 'background', value: 'The tenant left in May. The lease had run for three years.' },
    { name: "plaintiff's claim", value: 'The landlord owes the deposit of 1200 euros.' },
    { name: 'facts', value: 'The floor was scratched; two windows were broken when the keys were returned.' },
  ]),
];

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}’']+/gu) ?? [];

/** Runs of words of a text. */
function runs(text: string, length: number): string[] {
  const list = words(text);
  return list.slice(length - 1).map((_, index) => list.slice(index, index + length).join(' '));
}

/** Every text in an answer, labels aside. */
function textsOf(value: unknown, labels: readonly string[]): string[] {
  if (typeof value === 'string') return labels.includes(value) ? [] : [value];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap((part: unknown) => textsOf(part, labels))
    : [];
}

const templateRuns = new Set(
  protocols.flatMap(({ templates }) =>
    Object.values(templates).flatMap((text) => text.split(/\{\{\w+\}\}|\n\n/).flatMap((part) => runs(part, 5))),
  ),
);
const fieldNames = /private_|own_|utterance|belief_|critique_|\bis (?:True|False)\b|numberofarrests|hhsize|undefined|null|NaN/;

function expectClean(text: string): void {
  expect(text).not.toMatch(/[{}[\]<>|]/);
  expect(text).not.toMatch(fieldNames);
  expect(text).not.toMatch(/\b(\p{L}+) \1\b/iu);
  expect(text).not.toMatch(/“[^”]*“/);
  for (const run of runs(text, 5)) expect(templateRuns.has(run), `${run} in: ${text}`).toBe(false);
}

const spoken = (said: readonly Said[]): { role: string; utterance: string }[] =>
  said.flatMap(({ call, text }) => {
    const { utterance } = JSON.parse(text);
    return typeof utterance === 'string' ? [{ role: call.role, utterance }] : [];
  });

describe('the stand-in in real trials', () => {
  it('speaks of the facts of a row, for its side, without a word of the prompt', async () => {
    for (const kase of rows.slice(0, 12)) {
      const said = await hold(kase);
      for (const { text } of said) for (const part of textsOf(JSON.parse(text), kase.labels)) expectClean(part);
      for (const { role, utterance } of spoken(said)) {
        const mentioned = kase.facts.filter(({ name }) => aboutFact[name]?.test(utterance));
        expect(mentioned.length, utterance).toBeGreaterThanOrEqual(2);
        expect(words(utterance).length, utterance).toBeLessThanOrEqual(150);
        const own = role === 'prosecutor' ? 'YES' : 'NO';
        expect(utterance.split(/(?<=[.?!])\s/).at(-1), utterance).toMatch(new RegExp(`\\b${own}\\b`));
      }
    }
  });

  it('tells features in words', async () => {
    const all = (await Promise.all(rows.slice(0, 20).map((kase) => hold(kase))))
      .flatMap((said) => said.map(({ text }) => text))
      .join('\n');
    for (const phrase of [
      'six arrests by 2002',
      'a single arrest by 2002',
      'the absence of homelessness',
      'an age of 2',
      'two earlier jobs',
    ]) {
      expect(all).toContain(phrase);
    }
  });

  it('speaks of the passages of a text, a pair and a case in sections', async () => {
    for (const kase of told) {
      const passages = new Set(
        kase.facts.flatMap(({ value }) => value.split(/(?<=[.;])\s+/)).flatMap((sentence) => runs(sentence, 3)),
      );
      for (const { text } of await hold(kase)) {
        for (const part of textsOf(JSON.parse(text), kase.labels)) expectClean(part);
      }
      for (const { utterance } of spoken(await hold(kase))) {
        expect(runs(utterance, 3).filter((run) => passages.has(run)).length, utterance).toBeGreaterThanOrEqual(2);
        expect(words(utterance).length, utterance).toBeLessThanOrEqual(150);
      }
    }
  });

  it('answers the other side in words of its own', async () => {
    for (const kase of [...rows.slice(0, 6), ...told]) {
      const speeches = spoken(await hold(kase));
      const given = new Set(kase.facts.flatMap(({ value }) => runs(value, 4)));
      let met = 0;
      speeches.forEach(({ role, utterance }, index) => {
        const before = new Set(
          speeches.slice(0, index).flatMap((speech) => (speech.role === role ? [] : runs(speech.utterance, 10))),
        );
        const copied = runs(utterance, 10).filter((run) => before.has(run) && !runs(run, 4).some((part) => given.has(part)));
        expect(copied, utterance).toEqual([]);
        if (
          /prosecution|defense|opponent|was asked|was said|heard|put on|If .* were|From .* to|takes? from|I accept|I do not dispute/i.test(
            utterance,
          )
        )
          met += 1;
      });
      expect(met).toBeGreaterThanOrEqual(2);
    }
  });

  it('says something else in every turn, role, case and model', async () => {
    const [first, second, other] = await Promise.all([
      hold(rows[0] ?? caseOf('tabular', [])),
      hold(rows[1] ?? caseOf('tabular', [])),
      hold(rows[0] ?? caseOf('tabular', []), { model: 'qwen2.5:7b' }),
    ]);
    const all = [first, second, other].flatMap((said) => spoken(said).map(({ utterance }) => utterance));
    expect(new Set(all).size).toBe(all.length);
    expect(first.map(({ text }) => text)).toEqual((await hold(rows[0] ?? caseOf('tabular', []))).map(({ text }) => text));
  });

  it.each(['agentic-sim', 'standard'])('finds both labels over 60 cases of %s', async (protocol) => {
    const found = await Promise.all(
      rows.map(async (kase) =>
        JSON.parse((await hold(kase, { protocol, params: protocol === 'standard' ? {} : { turns: 1 } })).at(-1)?.text ?? ''),
      ),
    );
    const positive = found.filter(({ prediction }) => prediction === 'YES').length;
    expect(positive).toBeGreaterThan(10);
    expect(positive).toBeLessThan(50);
    for (const { confidence } of found) expect(confidence).toBeGreaterThanOrEqual(50);
  });

  it('moves the judge with the speeches, and seldom far', async () => {
    const moves: number[] = [];
    for (const kase of rows.slice(0, 20)) {
      const beliefs = (await hold(kase)).flatMap(({ text }) => {
        const { prediction, confidence } = JSON.parse(text);
        return typeof prediction === 'string' ? [prediction === 'YES' ? confidence : 100 - confidence] : [];
      });
      moves.push(...beliefs.slice(1).map((belief, index) => Math.abs(belief - beliefs[index])));
    }
    expect(moves.filter((move) => move > 0).length).toBeGreaterThan(moves.length * 0.7);
    expect(Math.max(...moves)).toBeLessThan(35);
    expect(moves.toSorted((left, right) => left - right)[Math.floor(moves.length / 2)]).toBeLessThan(12);
  });

  it('recalls as many beliefs as there were speeches, none of them against its own prediction', async () => {
    const last = (await hold(rows[3] ?? caseOf('tabular', []), { params: { turns: 2, beliefUpdates: 'retrospective' } })).at(-1);
    const { belief_updates: updates, prediction, confidence } = JSON.parse(last?.text ?? '');
    expect(updates).toHaveLength(4);
    for (const update of updates) expect(update.confidence).toBeGreaterThanOrEqual(50);
    expect(updates.at(-1)).toEqual({ prediction, confidence });
  });

  it('weighs every fact of a case, and no example', async () => {
    for (const params of [{ style: 'cot' }, { style: 'cot-nshot', shots: 4 }]) {
      for (const kase of [...rows.slice(0, 4), ...told]) {
        const [said] = await hold(kase, { protocol: 'standard', params });
        const { factors } = JSON.parse(said?.text ?? '');
        if (kase.kind === 'tabular') expect(factors).toHaveLength(kase.facts.length);
        else expect(factors.length).toBeGreaterThanOrEqual(2);
        for (const part of textsOf(factors, ['low', 'medium', 'high'])) expectClean(part);
        expect(said?.text).not.toMatch(/21\d pounds|2[0-3]\d pounds/);
      }
    }
  });
});
