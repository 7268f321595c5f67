import { describe, expect, it, test } from 'vitest';
import { runtimeSchema } from '../../../shared/experiment.ts';
import {
  armNames,
  checkDraft,
  type DraftForm,
  draftFormSchema,
  draftInput,
  draftPath,
  faultAt,
  formFor,
  isUntouched,
  matrixForms,
  newArm,
  serversOf,
  sharedPrefix,
  withCopy,
  withoutCopies,
} from './draft.ts';
import { newPrimary, primaryFormSchema } from './primaryForm.ts';
import { ofCases } from './SampleSection.tsx';

const preferred = { backend: 'standin', server: 'default', model: 'mistral:7b' } as const;
const form: DraftForm = {
  name: '',
  from: 'test',
  n: 5,
  seed: 42,
  replicates: 1,
  backend: null,
  runtime: runtimeSchema.parse({}),
  arms: [newArm('a', 'agentic-sim'), newArm('b', 'standard')],
};

describe('arms of a draft', () => {
  it('are named after protocol, model and prompts, and distinguished by numbers', () => {
    const named = { ...newArm('d', 'standard'), name: 'StandardLLM · mistral:7b (2)' };
    const arms = [...form.arms, newArm('c', 'standard'), named, { ...newArm('e', 'standard'), prompts: 'brief' }];
    expect(armNames(arms, preferred)).toEqual([
      'AgenticSimLLM · mistral:7b',
      'StandardLLM · mistral:7b',
      'StandardLLM · mistral:7b (3)',
      'StandardLLM · mistral:7b (2)',
      'StandardLLM · mistral:7b · brief',
    ]);
  });

  it('name many changed parameters where a number of them would be the same for two arms', () => {
    const armOf = (key: string, words: number) => ({
      ...newArm(key, 'debate-feedback'),
      params: { rounds: 3, debaters: 3, words },
    });
    expect(armNames([armOf('a', 50)], preferred)).toEqual(['Debate-Feedback · mistral:7b · 3 parameters changed']);
    expect(armNames([armOf('a', 50), armOf('b', 60)], preferred)).toEqual(
      [50, 60].map((words) => expect.stringMatching(new RegExp(`rounds: 3.*longest statement, in words: ${words}$`))),
    );
  });

  it('are duplicated at the end of the list', () => {
    expect(withCopy(form.arms, 'a', 'c').map(({ key }) => key)).toEqual(['a', 'b', 'c']);
  });

  it('count once they differ from the arm that they were copied from', () => {
    const keysOf = (arms: DraftForm['arms']) => withoutCopies({ ...form, arms }, preferred).arms.map(({ key }) => key);
    const copy = { ...newArm('a', 'standard'), key: 'c' };
    expect(keysOf([newArm('a', 'standard'), copy, { ...copy, key: 'd' }])).toEqual(['a']);
    expect(keysOf([newArm('a', 'standard'), copy, { ...copy, key: 'd', params: { style: 'cot' } }])).toEqual(['a', 'c', 'd']);
    expect(keysOf([newArm('a', 'standard'), { ...copy, name: 'again' }])).toEqual(['a', 'c']);
    expect(keysOf([newArm('a', 'standard'), { ...copy, model: preferred.model, server: preferred.server }])).toEqual(['a']);
    expect(keysOf([])).toEqual([]);
  });

  it('come from a matrix, but those that are there already', () => {
    const there = { ...newArm('a', 'standard'), model: 'm' };
    const cells = ['standard', 'evince'].flatMap((protocol) => ['m', 'n'].map((model) => ({ protocol, model, params: {} })));
    const made = matrixForms(cells, [there], preferred, () => 'new');
    expect(made.map(({ protocol, model }) => [protocol, model])).toEqual([
      ['standard', 'n'],
      ['evince', 'm'],
      ['evince', 'n'],
    ]);
    const [asked] = matrixForms(
      [{ protocol: 'standard', model: 'm', params: { style: 'system1' }, prompts: 'brief' }],
      [there],
      preferred,
      () => 'new',
    );
    expect(asked).toEqual({ ...there, key: 'new', params: { style: 'system1' }, prompts: 'brief' });
    const follows = newArm('b', 'standard');
    const preferredCell = [{ protocol: 'standard', model: preferred.model, params: {} }];
    expect(matrixForms(preferredCell, [follows], preferred, () => 'new')).toEqual([]);
    expect(isUntouched(newArm('a', 'standard'), 'standard')).toBe(true);
    expect(isUntouched(there, 'standard')).toBe(false);
  });
});

it('says how many arms a screen can make', () => {
  const arms = Array.from({ length: 101 }, (_, index) => ({ ...newArm(`k${index}`, 'standard'), model: `m${index}` }));
  const faults = (many: number) => checkDraft(draftInput({ ...form, arms: arms.slice(0, many) }, 'deposits', preferred)).faults;
  expect(faults(100)).toEqual([]);
  expect(faults(101)).toEqual([{ path: 'arms', message: expect.stringMatching(/^These are 101 arms.*up to 100;/) }]);
  expect(faults(0)).toEqual([{ path: 'arms', message: 'An experiment needs at least one arm.' }]);
});

describe('counterbalancing', () => {
  const armsOf = (...arms: DraftForm['arms']) => draftInput({ ...form, arms }, 'deposits', preferred).arms;

  it('is in the draft where it was chosen, and the draft of any other arm is without a word of it', () => {
    const [court, plain] = armsOf(
      { ...newArm('a', 'agentic-sim'), counterbalance: ['labels', 'sides'] },
      newArm('b', 'standard'),
    );
    expect(court?.counterbalance).toEqual(['sides', 'labels']);
    expect(plain).not.toHaveProperty('counterbalance');
  });

  it('leaves out what the protocol or its parameters do not know, and knows it again when they do', () => {
    const arm = { ...newArm('a', 'standard'), counterbalance: ['sides', 'order', 'labels'] as const };
    const shots = { ...arm, counterbalance: [...arm.counterbalance], params: { style: 'cot-nshot' } };
    expect(armsOf({ ...shots, params: {} })[0]?.counterbalance).toEqual(['labels']);
    expect(armsOf(shots)[0]?.counterbalance).toEqual(['order', 'labels']);
    expect(armsOf({ ...shots, protocol: 'agentic-sim', params: {} })[0]?.counterbalance).toEqual(['sides', 'order', 'labels']);
    expect(armsOf({ ...shots, params: { shots: 'many' } })[0]).not.toHaveProperty('counterbalance');
  });

  it('is nothing for open questions, also where a kept draft has it', () => {
    const kept: DraftForm = { ...form, arms: [{ ...newArm('a', 'agentic-sim'), counterbalance: ['sides'] }] };
    const armFor = (labels: string[]) => draftInput(formFor(kept, { labels }), 'policy', preferred).arms[0];
    expect(armFor(['yes', 'no'])?.counterbalance).toEqual(['sides']);
    expect(armFor([])).not.toHaveProperty('counterbalance');
  });

  it('is read in drafts that were kept before there was any', () => {
    const { counterbalance: _none, ...kept } = newArm('a', 'standard');
    expect(draftFormSchema.parse({ ...form, arms: [kept] }).arms[0]?.counterbalance).toEqual([]);
  });
});

describe('the draft that a form means', () => {
  it('casts every role, those with their own model with that', () => {
    const arms = [
      { ...newArm('a', 'agentic-sim'), roles: { judge: ' qwen2.5:7b ', defense: '', predictor: 'x' }, options: { topP: 0.9 } },
    ];
    const { draft } = checkDraft(draftInput({ ...form, arms }, 'nlsy97', preferred));
    expect(draft?.arms[0]?.cast).toEqual({
      '*': { model: 'mistral:7b', backend: 'default', options: { topP: 0.9 } },
      judge: { model: 'qwen2.5:7b', backend: 'default', options: { topP: 0.9 } },
    });
    expect(draft).toMatchObject({ entry: 'nlsy97', sample: { from: 'test', n: 5 }, backend: 'standin', seed: 42 });
    expect(draft).not.toHaveProperty('name');
  });

  it('asks the servers that arm and roles name, and none of them with the demo model', () => {
    const arm = { ...newArm('a', 'agentic-sim'), server: 'gpu', roleServers: { judge: 'second', predictor: 'third' } };
    const cast = (backend: 'ollama' | 'standin') =>
      checkDraft(draftInput({ ...form, backend, arms: [arm] }, 'nlsy97', preferred)).draft?.arms[0]?.cast;
    expect(cast('ollama')).toEqual({
      '*': { model: 'mistral:7b', backend: 'gpu', options: {} },
      judge: { model: 'mistral:7b', backend: 'second', options: {} },
    });
    expect(Object.values(cast('standin') ?? {}).map(({ backend }) => backend)).toEqual(['default', 'default']);
    expect(serversOf([arm], preferred)).toEqual(['gpu', 'second']);
    expect(serversOf([newArm('b', 'standard')], { server: 'gpu' })).toEqual(['gpu']);
  });

  it('takes a draft that was kept before there were servers', () => {
    const { server: _server, roleServers: _roles, ...before } = newArm('a', 'standard');
    expect(draftFormSchema.parse({ ...form, arms: [before] }).arms).toEqual([newArm('a', 'standard')]);
  });

  it('leaves the number of cases out where all are wanted', () => {
    expect(draftInput({ ...form, n: null }, 'nlsy97', preferred).sample).toEqual({ from: 'test' });
  });

  it('reports faults at their places', () => {
    const same = [newArm('a', 'standard'), newArm('b', 'standard')].map((arm) => ({ ...arm, name: 'one' }));
    expect(checkDraft(draftInput({ ...form, arms: same }, 'nlsy97', preferred))).toEqual({
      draft: null,
      faults: [{ path: 'arms.1.name', message: 'Another arm has this name; each needs its own.' }],
    });
    const { faults } = checkDraft(
      draftInput({ ...form, n: 0, arms: [{ ...newArm('a', 'standard'), model: ' ' }] }, 'nlsy97', preferred),
    );
    expect(faultAt(faults, 'sample.n')).not.toBeNull();
    expect(faultAt(faults, 'arms.0.cast.*.model')).toBe('Name a model.');
    expect(faultAt(faults, 'arms.0.cast')).toBeNull();
    expect(faultAt(faults, 'arms.0.cast', true)).toBe('Name a model.');
    expect(faultAt(checkDraft(draftInput({ ...form, arms: [] }, 'nlsy97', preferred)).faults, 'arms')).toMatch(/at least one/);
  });

  it('reads the key paths of the engine', () => {
    expect(draftPath('dataset.sample.n')).toBe('sample.n');
    expect(draftPath('arms[2].params.turns')).toBe('arms.2.params.turns');
    expect(draftPath(null)).toBeNull();
  });
});

describe('what two prompts begin with alike', () => {
  const message = (content: string, role = 'user') => ({ role, content });

  it('ends with the first character that differs, and nothing after it is alike', () => {
    const before = [message('rules', 'system'), message('facts and record')];
    expect(sharedPrefix(before, [message('rules', 'system'), message('facts alone'), message('more')])).toEqual([5, 7, 0]);
    expect(sharedPrefix(before, [message('rule', 'system'), message('facts and record')])).toEqual([4, 0]);
    expect(sharedPrefix(before, [message('rules', 'user')])).toEqual([0]);
    expect(sharedPrefix([], [message('x')])).toEqual([0]);
  });
});

describe('what is decided beforehand', () => {
  const decided = { ...newPrimary('a', 'b'), test: 'equivalence' as const, width: 0.2 };
  const inputOf = (primary: DraftForm['primary'], arms = form.arms) =>
    draftInput({ ...form, arms, primary }, 'nlsy97', preferred);

  it('names the arms as they are called, has a margin only where the test does, and stops by accuracy alone', () => {
    const [a, b] = armNames(form.arms, preferred);
    expect(checkDraft(inputOf(decided)).draft).toMatchObject({
      primary: { compare: [a, b], test: 'equivalence', margin: 0.05, family: 1 },
      stop: { width: 0.2 },
    });
    expect(inputOf({ ...decided, test: 'difference', measure: 'brier' })).toMatchObject({
      primary: { compare: [a, b], measure: 'brier', test: 'difference' },
    });
    expect(inputOf({ ...decided, test: 'difference', measure: 'brier' })).not.toHaveProperty('stop');
  });

  it('can be an arm against a baseline, which no run can stop by, and one of several tests', () => {
    const [a] = armNames(form.arms, preferred);
    const input = inputOf({ ...decided, b: 'baseline:majority', family: 3 });
    expect(checkDraft(input).draft?.primary).toMatchObject({ compare: [a, 'baseline:majority'], family: 3 });
    expect(input).not.toHaveProperty('stop');
  });

  it('is one test in forms that were kept before the number was asked for', () => {
    const { family: _new, ...kept } = decided;
    expect(primaryFormSchema.parse(kept).family).toBe(1);
  });

  it('is nothing by default, and a fault if an arm of it was removed', () => {
    expect(inputOf(undefined)).not.toHaveProperty('primary');
    const faultsOf = (arms: DraftForm['arms']) => checkDraft(inputOf(decided, arms)).faults.map(({ path }) => path);
    expect(faultsOf(form.arms.slice(1))).toEqual(['primary.compare.0']);
    expect(faultsOf(form.arms.slice(0, 1))).toEqual(['primary.compare.1']);
    expect(faultsOf([newArm('c', 'standard')])).toEqual(['primary.compare.0', 'primary.compare.1']);
  });
});

test('the number of cases says how many of the file are new, and not tried', () => {
  expect([ofCases(20, 0, 40), ofCases(40, 0, 40), ofCases(25, 20, 40), ofCases(20, 20, 21), ofCases(50, 0, 40)]).toEqual([
    ...['of 40, 20 are not tried', 'of 40', 'of 40, 5 of them new, 15 are not tried', 'of 21, 1 is not tried', 'of 40'],
  ]);
});
