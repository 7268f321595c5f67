import { expect, test } from 'vitest';
import { findProtocol } from '../../../core/protocols/index.ts';
import { line } from '../trial/testing/entries.ts';
import { factsOfTwo, inCommon, oneTruthText } from './inCommon.ts';

const tried = (about: Parameters<typeof line>[0], model: string, params: Record<string, unknown> = {}, text = 'It rained.') => ({
  ...{ line: line(about), title: null, question: 'Is it so?', facts: [{ name: 'text', value: text }], erased: null, params },
  ...{ cast: [{ role: 'judge', model, backend: 'local', claim: null }], entries: [] },
});

test('two trials of one protocol differ in parameters, models and seeds', () => {
  const other = tried({ seed: 2 }, 'qwen2.5:7b', { turns: 1, belief_from: 'own' }, 'It was dry.');
  expect(inCommon(tried({}, 'llama3.1:8b', { turns: 3 }), other)).toEqual({
    same: 'Both have the same case id (7), protocol (AgenticSimLLM) and prompts.',
    different: 'They differ in facts, model (llama3.1:8b; qwen2.5:7b), turns (3; 1), belief from (not set; own) and seed (1; 2).',
  });
});

test('of two protocols the parameters that both have are compared, and the options of models', () => {
  const prompts = { name: 'short', hash: '0123456789abcdef0123' };
  expect(inCommon(tried({}, 'llama3.1:8b', { turns: 3 }), tried({ protocol: 'socrasynth' }, 'llama3.1:8b'))).toEqual({
    same: 'Both have the same case id (7), facts, model (llama3.1:8b) and seed (1).',
    different: 'They differ in protocol (AgenticSimLLM; SocraSynth).',
  });
  const [one, other] = [tried({}, 'm', { turns: 3, temperature: 0.7 }), tried({ protocol: 'standard' }, 'm', { temperature: 0 })];
  expect(inCommon(one, other).different).toBe('They differ in protocol (AgenticSimLLM; StandardLLM) and temperature (0.7; 0).');
  const set = { ...one, cast: one.cast.map((each) => ({ ...each, options: '{"top_p":0.5}' })) };
  expect(inCommon(one, set).different).toBe('They differ in model options (none; {"top_p":0.5}).');
  const varied = tried({ protocol: 'socrasynth', prompts }, 'llama3.1:8b');
  expect(inCommon(tried({}, 'llama3.1:8b'), varied).different).toContain('prompts (shipped; short 0123456789ab)');
});

test('a parameter that the others leave without effect is no difference', () => {
  const now = (protocol: string) => ({ protocol, protocol_version: findProtocol(protocol)?.version ?? 0 });
  const [bench, one] = [{ shots: 1 }, { style: 'cot', shots: 30 }] as const;
  const differing = (params: Record<string, unknown>) =>
    inCommon(tried(now('courtroom'), 'm', bench), tried(now('standard'), 'm', params)).different;
  expect(differing(one)).not.toContain('shots');
  expect(differing({ ...one, style: 'cot-nshot' })).toContain('shots (1; 30)');
});

test('where only the seed differs, the temperature says what that does', () => {
  const differing = (params: Record<string, unknown>) =>
    inCommon(tried({}, 'm', params), tried({ seed: 2 }, 'm', params)).different;
  expect([{}, { temperature: 0.7 }, { temperature: 0 }].map(differing)).toEqual([
    'They differ in seed (1; 2).',
    'They differ in seed (1; 2). At their temperature of 0.7 another seed gives other answers.',
    'They differ in seed (1; 2). At their temperature of 0 another seed hardly ever gives other answers.',
  ]);
  const first = tried({}, 'm', { temperature: 0.5 });
  const ofOther = (text?: string) => inCommon(first, tried({ seed: 2, case: '8' }, 'm', { temperature: 0.5 }, text)).different;
  const seedsToo = ' At their temperature of 0.5 another seed gives other answers.';
  expect(ofOther()).toBe(`They differ in case id (7; 8) and seed (1; 2).${seedsToo}`);
  expect(ofOther('It was dry.')).not.toContain(seedsToo);
});

test('a changed trial and an unchanged one differ in what was changed', () => {
  const withheld = { kind: 'withhold', text: '', applies: true, from: null, to: null, speech: 'turn-1/defense' } as const;
  expect(inCommon(tried({}, 'a'), tried({ change: withheld }, 'a')).different).toBe(
    'They differ in one change (in the second: without Defense, turn 1).',
  );
});

test('where the truth of only one case is known, it says which ruling cannot be called right', () => {
  const [known, unknown] = [line({ truth: 'YES', case: 'a' }), line({ truth: null, case: 'b' })];
  const said = 'The truth is known only for case a. Whether the ruling on case b is right cannot be said.';
  expect([oneTruthText(known, unknown), oneTruthText(unknown, known)]).toEqual([said, said]);
  expect([oneTruthText(known, known), oneTruthText(unknown, unknown)]).toEqual([null, null]);
});

test('cases without an id that says anything are the same by their question', () => {
  const named = { ...tried({ case: '1' }, 'a'), title: 'Is it so?' };
  expect(inCommon(named, { ...named, question: 'Who pays?' })).toMatchObject({ different: 'They differ in question.' });
  expect(inCommon(named, named).different).toBeNull();
});

test('of two cases the facts are compared one by one, by their titles, and counted; of one case and of texts they are not', () => {
  const facts = [
    { name: 'members', value: '9' },
    { name: 'area', value: 'North', shown: 'Part of the city' },
  ];
  const [one, other] = [
    { ...tried({}, 'a'), facts },
    { ...tried({ case: '8' }, 'a'), facts },
  ];
  const [members, area] = facts;
  const differing = {
    ...other,
    facts: [
      { ...members, name: 'members', value: '9.0' },
      { ...area, name: 'area', value: 'River' },
    ],
  };
  expect(factsOfTwo(one, differing)).toEqual({
    apart: [{ name: 'area', title: 'Part of the city', one: 'North', other: 'River', isSame: false }],
    same: [{ name: 'members', title: 'members', one: '9', other: '9.0', isSame: true }],
  });
  expect(inCommon(one, differing).different).toBe('They differ in case id (7; 8) and 1 of 2 facts.');
  expect(inCommon(one, other).same).toContain('Both have the same facts,');
  expect([factsOfTwo(one, { ...differing, line: one.line }), factsOfTwo(tried({}, 'a'), tried({ case: '8' }, 'a'))]).toEqual([
    null,
    null,
  ]);
});
