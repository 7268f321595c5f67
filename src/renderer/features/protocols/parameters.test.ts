import { describe, expect, it } from 'vitest';
import { protocols } from '../../../core/protocols/index.ts';
import { changedParameters, paperParameters, parameterFields, parametersAside, withParameter } from './parameters.ts';
import { choiceText, parameterText, protocolDoes } from './words.ts';

describe('parameters as fields of a form', () => {
  it('knows every parameter of AgenticSimLLM by its kind, bounds and preset', () => {
    const schema = protocols.find(({ id }) => id === 'agentic-sim')?.paramsSchema ?? {};
    expect(parameterFields(schema)).toEqual([
      { kind: 'choice', name: 'beliefUpdates', choices: ['live', 'retrospective', 'none'], preset: 'live' },
      { kind: 'switch', name: 'priorBelief', preset: false },
      { kind: 'number', name: 'turns', whole: true, least: 1, most: 8, preset: 3 },
      { kind: 'choice', name: 'knowledge', choices: ['general', 'facts-only'], preset: 'general' },
      { kind: 'number', name: 'temperature', whole: false, least: 0, most: 2, preset: 0.7 },
      { kind: 'words', name: 'contested', count: 2 },
    ]);
  });

  it('falls back to JSON for what it does not know, and to nothing for what is no object', () => {
    expect(parameterFields({ type: 'object', properties: { weights: { type: 'object' } } })).toEqual([
      { kind: 'json', name: 'weights' },
    ]);
    expect(parameterFields({ type: 'string' })).toEqual([]);
  });

  it('offers numbers of a fixed list as a choice, and what may be left open as not set', () => {
    const schema = {
      type: 'object',
      properties: { judges: { type: 'number', enum: [1, 3, 5], default: 3 }, strict: { type: 'boolean' } },
    };
    const fields = parameterFields(schema);
    expect(fields).toEqual([
      { kind: 'choice', name: 'judges', choices: [1, 3, 5], preset: 3 },
      { kind: 'choice', name: 'strict', choices: [true, false], preset: null },
    ]);
    const [judges, strict] = fields;
    if (judges === undefined || strict === undefined) throw new Error('two fields are expected');
    expect(withParameter({}, judges, 5)).toEqual({ judges: 5 });
    expect(withParameter({ judges: 5 }, judges, 3)).toEqual({});
    expect(withParameter({}, strict, false)).toEqual({ strict: false });
  });

  it('sets every protocol to the values of its paper, which it accepts as its own preset', () => {
    for (const { id, paramsSchema, preset, bind } of protocols) {
      const fields = parameterFields(paramsSchema);
      const params = paperParameters(fields, preset);
      expect(bind(params).params, id).toEqual(preset);
      expect(parametersAside(fields, params, preset), id).toBe('as in the paper');
    }
  });

  it('says how far the parameters are from defaults and paper', () => {
    const { paramsSchema = {}, preset } = protocols.find(({ id }) => id === 'courtroom') ?? {};
    const fields = parameterFields(paramsSchema);
    expect(paperParameters(fields, preset)).toEqual({ judges: 5, precedents: 'all', ambiguity: 5 });
    expect(parametersAside(fields, {}, preset)).toBe('defaults');
    expect(parametersAside(fields, { judges: 5 }, preset)).toBe('1 changed');
  });

  it('shows no bound where a whole number is only bounded by what a computer counts', () => {
    const schema = { type: 'object', properties: { rounds: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } } };
    expect(parameterFields(schema)).toEqual([
      { kind: 'number', name: 'rounds', whole: true, least: 1, most: null, preset: null },
    ]);
  });

  it('names only what differs from the preset', () => {
    const fields = parameterFields(protocols.find(({ id }) => id === 'agentic-sim')?.paramsSchema ?? {});
    const turns = fields.find(({ name }) => name === 'turns');
    if (turns === undefined) throw new Error('there is no parameter turns');
    const changed = withParameter({ priorBelief: true }, turns, 2);
    expect(changed).toEqual({ priorBelief: true, turns: 2 });
    expect(changedParameters(fields, changed)).toBe(2);
    expect(withParameter(changed, turns, 3)).toEqual({ priorBelief: true });
    expect(withParameter(changed, turns, null)).toEqual({ priorBelief: true });
  });

  it('every form of a registered protocol builds parameters that the protocol accepts', () => {
    for (const protocol of protocols) {
      const given: Record<string, unknown> = {};
      for (const field of parameterFields(protocol.paramsSchema)) {
        if (field.kind === 'choice') given[field.name] = field.choices.at(-1);
        if (field.kind === 'switch') given[field.name] = !field.preset;
        if (field.kind === 'number') given[field.name] = field.most ?? field.preset ?? 1;
        if (field.kind === 'words') given[field.name] = Array.from({ length: field.count }, (_none, index) => `label ${index}`);
      }
      expect(() => protocol.bind(given)).not.toThrow();
    }
  });
});

describe('words of protocols', () => {
  it('has a sentence for every registered protocol and a label for each of its parameters', () => {
    for (const { id, paramsSchema } of protocols) {
      expect(protocolDoes(id), id).toMatch(/\.$/);
      for (const { name } of parameterFields(paramsSchema)) expect(parameterText(id, name).label, name).toMatch(/^[A-Z]/);
    }
  });

  it('names the option of agentic-sim for an earlier first answer where a protocol says what its first answer is', () => {
    const bind = protocols.find(({ id }) => id === 'agentic-sim')?.bind;
    const { label } = parameterText('agentic-sim', 'priorBelief');
    expect(bind?.({}).firstAnswer).toMatch(/after the opening of the prosecution/);
    expect(bind?.({}).firstAnswer).toContain(`“${label}”`);
    expect(bind?.({ priorBelief: true }).firstAnswer).toMatch(/before anyone speaks\.$/);
    expect(bind?.({ beliefUpdates: 'none' }).firstAnswer).toBeNull();
  });

  it('shows choices in the words of the protocol, and numbers by themselves', () => {
    expect(choiceText('courtroom', 'deliberation', 'parallel')).toMatch(/^parallel: .*majority/);
    expect(choiceText('courtroom', 'ambiguity', 0)).toBe('0: not asked');
    expect([choiceText('courtroom', 'judges', 3), choiceText('any', 'any', true)]).toEqual(['3', 'yes']);
  });

  it('spells a parameter out that has no special words', () => {
    expect(parameterText('unknown', 'juryRounds')).toEqual({ label: 'jury rounds', note: null });
  });
});
