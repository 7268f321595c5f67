import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answer } from './answer.ts';
import { type JsonValue, parseSchema } from './schema.ts';
import { countTokens } from './tokens.ts';
import { matches } from './validate.ts';

const ruling = z.strictObject({
  opinion: z.string().max(1200),
  prediction: z.enum(['rearrested', 'not rearrested']),
  confidence: z.number().min(0).max(1),
  reasoning: z.array(z.string().max(300)).max(5),
});
const turn = z.strictObject({
  private_strategy: z.strictObject({
    own_strengths: z.array(z.string().max(200)).max(4),
    own_weaknesses: z.array(z.string().max(200)).max(4),
    opponent_points: z.array(z.string().max(200)).max(4),
    plan: z.string().max(500),
  }),
  utterance: z.string().max(1500),
});

const narratives = [
  'sex is male; age is 22; numberofarrestsby2002 is 6; cocaine is True; college02 is not enrolled, GED; homelessness is True',
  'sex is female; age is 19; numberofarrestsby2002 is 1; cocaine is False; college02 is enrolled in a 4-year college; homelessness is False',
  'sex is male; age is 18; numberofarrestsby2002 is 2; cocaine is False; college02 is not enrolled, high school degree; foodstamp is True',
  'sex is female; age is 21; numberofarrestsby2002 is 3; cocaine is True; college02 is not enrolled, some college; victim is True',
  'sex is male; age is 20; numberofarrestsby2002 is 1; depression is none of the time; hhsize97 is 5; race is white',
  'sex is male; age is 23; numberofarrestsby2002 is 4; depression is most of the time; hhsize97 is 3; race is black',
];
const manyNarratives = Array.from({ length: 60 }, (_, index) => {
  const base = narratives[index % narratives.length] ?? '';
  return `${base.replace(/age is \d+/, `age is ${18 + (index % 7)}`)}; experience02 is ${index % 5}; num_weight is ${140 + index}`;
});

/** Words that tell that a speech is about a fact. */
const aboutFact: Record<string, RegExp> = {
  age: /\bage\b/i,
  numberofarrestsby2002: /arrest/i,
  cocaine: /cocaine/i,
  college02: /school|college/i,
  homelessness: /homeless/i,
  foodstamp: /food stamps/i,
  victim: /victim/i,
  depression: /depress/i,
  hhsize97: /household/i,
};

function prompt(narrative: string, role: string, record = ''): { role: string; content: string }[] {
  return [
    { role: 'system', content: 'This is a court of reason. Candidate labels: rearrested, not rearrested' },
    { role: 'user', content: `Case facts\n${narrative}\n\n${record}\n\nYou are the ${role}. Answer in JSON.` },
  ];
}

function ask<T>(
  schema: z.ZodType<T>,
  messages: { role: string; content: string }[],
  options: { model?: string; temperature?: number; seed?: number; budget?: number } = {},
): T {
  const { model = 'llama3.1:8b', temperature = 0.7, seed = 1, budget = 2000 } = options;
  const written = answer({
    model,
    messages,
    schema: parseSchema(z.toJSONSchema(schema)),
    temperature,
    seed,
    budget,
    thinking: false,
  });
  return schema.parse(JSON.parse(written.text));
}

describe('answers about a case', () => {
  it('depend on nothing but the request, and not on the seed at temperature 0', () => {
    const messages = prompt(narratives[0] ?? '', 'judge');
    expect(ask(ruling, messages)).toEqual(ask(ruling, messages));
    expect(ask(ruling, messages, { seed: 2 })).not.toEqual(ask(ruling, messages));
    expect(ask(ruling, messages, { seed: 2, temperature: 0 })).toEqual(ask(ruling, messages, { seed: 9, temperature: 0 }));
    expect(ask(ruling, messages, { model: 'mistral:7b' })).not.toEqual(ask(ruling, messages));
  });

  it('mention the facts, in 50 to 130 words, and speak for the side that the prompt assigns', () => {
    for (const narrative of narratives) {
      for (const role of ['prosecutor', 'defense attorney']) {
        const { utterance } = ask(turn, prompt(narrative, role));
        const words = narrative.split('; ').map((part) => aboutFact[part.split(' is ')[0] ?? ''] ?? /^$/);
        expect(words.filter((word) => word.test(utterance)).length, utterance).toBeGreaterThanOrEqual(2);
        expect(utterance.split(' ').length).toBeGreaterThan(50);
        expect(utterance.split(' ').length).toBeLessThan(130);
        expect(utterance).toMatch(role === 'prosecutor' ? /'rearrested'/ : /'not rearrested'/);
      }
    }
  });

  it('quote a case told in free text', () => {
    const text =
      'A farmer found that the bridge over the river had been closed since the storm. Nobody had told the drivers of the milk lorries.';
    const { utterance } = ask(turn, [{ role: 'user', content: `${text}\n\nYou are the prosecutor. Answer in JSON.` }]);
    expect(utterance).toMatch(/farmer|milk/);
  });

  it('find both labels over many cases, mostly the same one for the same facts', () => {
    const verdicts = manyNarratives.map((narrative) => ask(ruling, prompt(narrative, 'judge')).prediction);
    const positive = verdicts.filter((verdict) => verdict === 'rearrested').length;
    expect(positive).toBeGreaterThan(8);
    expect(positive).toBeLessThan(52);
    const again = manyNarratives.map((narrative) => ask(ruling, prompt(narrative, 'judge'), { seed: 77 }).prediction);
    const same = again.filter((verdict, index) => verdict === verdicts[index]).length;
    expect(same).toBeGreaterThan(36);
    expect(same).toBeLessThan(60);
  });

  it('move the judge as the record grows', () => {
    const speech = ask(turn, prompt(narratives[2] ?? '', 'prosecutor')).utterance;
    const before = ask(ruling, prompt(narratives[2] ?? '', 'judge'), { temperature: 0 });
    const after = ask(ruling, prompt(narratives[2] ?? '', 'judge', `Prosecutor (opening): ${speech}`), { temperature: 0 });
    const belief = ({ prediction, confidence }: z.infer<typeof ruling>): number =>
      prediction === 'rearrested' ? confidence : 1 - confidence;
    expect(belief(after)).not.toBe(belief(before));
  });

  it('do not read like copies over 20 trials', () => {
    const speeches = manyNarratives.slice(0, 20).map((narrative) => ask(turn, prompt(narrative, 'prosecutor')).utterance);
    const sentences = speeches.flatMap((speech) => speech.split(/(?<=[.?!])\s+/));
    expect(new Set(sentences).size / sentences.length).toBeGreaterThan(0.85);
  });

  it('share out distributions that sum to 1', () => {
    const labels = ['Dengue', 'Malaria', 'Typhoid', 'Jaundice'] as const;
    const mass = z.number().min(0).max(1);
    const schema = z.strictObject({
      distribution: z.strictObject({ Dengue: mass, Malaria: mass, Typhoid: mass }),
      ranked: z
        .array(z.strictObject({ label: z.enum(labels), probability: mass }))
        .min(3)
        .max(3),
    });
    const found = ask(schema, prompt('fever is high; rash is True; headache is True', 'doctor'));
    expect(Object.values(found.distribution).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
    expect(found.ranked.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 9);
    expect(new Set(found.ranked.map(({ label }) => label)).size).toBe(3);
  });

  it('stay within the budget and the lengths where that is possible', () => {
    for (const budget of [400, 200, 120]) {
      const written = answer({
        model: 'm',
        messages: prompt(narratives[0] ?? '', 'judge'),
        schema: parseSchema(z.toJSONSchema(ruling)),
        temperature: 0.7,
        seed: 1,
        budget,
        thinking: false,
      });
      expect(countTokens(written.text)).toBeLessThanOrEqual(budget);
    }
    for (const limit of [1, 5, 12, 40, 90, 200]) {
      const schema = z.strictObject({
        utterance: z.string().max(limit),
        title: z.string().max(limit),
        reason: z.string().max(limit).min(1),
      });
      const found = ask(schema, prompt(narratives[0] ?? '', 'prosecutor'));
      if (limit >= 90) expect(found.utterance).toMatch(/[.?!]$/);
    }
  });
});

const stringSchema = fc.oneof(
  fc.record({ type: fc.constant('string') }),
  fc.tuple(fc.nat(60), fc.nat(200)).map(([least, more]) => ({ type: 'string', minLength: least, maxLength: least + more })),
  fc
    .constantFrom(
      '^[A-Z]{3}-\\d{2,4}$',
      '^(yes|no)$',
      '^[^\\n]+$',
      '\\S',
      '^\\w+@\\w+\\.(com|org)$',
      '^\\d+(\\.\\d+)?$',
      '^[a-f0-9]{8}$',
    )
    .map((pattern) => ({ type: 'string', pattern })),
  fc
    .uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 })
    .map((values) => ({ type: 'string', enum: values })),
);
const numberSchema = fc.oneof(
  fc.record({ type: fc.constantFrom('number', 'integer') }),
  fc
    .tuple(fc.integer({ min: -50, max: 50 }), fc.nat(100), fc.constantFrom('number', 'integer'))
    .map(([low, width, type]) => ({ type, minimum: low, maximum: low + width })),
  fc
    .tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 2, max: 100 }), fc.constantFrom('number', 'integer'))
    .map(([low, width, type]) => ({ type, exclusiveMinimum: low, exclusiveMaximum: low + width })),
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -20, max: 20 }))
    .map(([step, low]) => ({ type: 'integer', multipleOf: step, minimum: low, maximum: low + 3 * step })),
);
const keyName = fc.constantFrom(
  'utterance',
  'prediction',
  'confidence',
  'reason',
  'factor',
  'weight',
  'plan',
  'title',
  'score',
  'agree',
  'item one',
  'x',
);

const { schema: anySchema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => {
  const object = fc
    .tuple(
      fc.uniqueArray(fc.tuple(keyName, tie('schema'), fc.boolean()), { selector: ([name]) => name, maxLength: 4 }),
      fc.boolean(),
    )
    .map(([entries, closed]) => ({
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, schema]) => [name, schema])),
      required: entries.filter(([, , required]) => required).map(([name]) => name),
      ...(closed ? { additionalProperties: false } : {}),
    }));
  return {
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      stringSchema,
      numberSchema,
      fc.constantFrom<Record<string, unknown>>(
        { type: 'boolean' },
        { type: 'null' },
        { const: 'fixed' },
        { const: 7 },
        { enum: ['a', 1, null] },
      ),
      object,
      fc
        .tuple(tie('schema'), fc.nat(3), fc.nat(3))
        .map(([items, least, more]) => ({ type: 'array', items, minItems: least, maxItems: least + more })),
      fc
        .array(tie('schema'), { minLength: 1, maxLength: 3 })
        .map((parts) => ({ type: 'array', prefixItems: parts, items: false, minItems: parts.length })),
      fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      fc.tuple(object, object).map((allOf) => ({ allOf: allOf.map((part) => ({ ...part, additionalProperties: true })) })),
      tie('schema').map((additionalProperties) => ({ type: 'object', additionalProperties })),
    ),
  };
});

describe('answers to any schema', () => {
  const messages = prompt(narratives[0] ?? '', 'judge');
  const write = (schema: unknown, seed = 1): JsonValue =>
    JSON.parse(
      answer({ model: 'm', messages, schema: parseSchema(schema), temperature: 0.7, seed, budget: 4000, thinking: false }).text,
    );

  it('satisfy it', () => {
    let judged = 0;
    fc.assert(
      fc.property(anySchema, fc.nat(1000), (schema, seed) => {
        let value: JsonValue;
        try {
          value = write(schema, seed);
        } catch (error) {
          // Two random objects may contradict each other: nothing can satisfy such a schema.
          if (JSON.stringify(schema).includes('allOf')) return;
          throw error;
        }
        expect(matches(value, parseSchema(schema), parseSchema(schema))).toBe(true);
        const judge = z.fromJSONSchema(schema);
        expect(judge.safeParse(value).success, JSON.stringify({ schema, value })).toBe(true);
        judged += 1;
      }),
      { numRuns: 600 },
    );
    expect(judged).toBeGreaterThan(400);
  });

  it('follow references, also in circles', () => {
    const tree = z.object({
      title: z.string().max(40),
      get children(): z.ZodArray<typeof tree> {
        return z.array(tree).max(3);
      },
    });
    expect(tree.safeParse(write(z.toJSONSchema(tree))).success).toBe(true);
    const list = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: { value: { type: 'integer' }, next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
          required: ['value', 'next'],
          additionalProperties: false,
        },
      },
    };
    expect(matches(write(list), parseSchema(list), parseSchema(list))).toBe(true);
  });

  it('satisfy exactly one branch of oneOf, different items and forbidden values', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const schema = {
        type: 'object',
        properties: {
          one: {
            oneOf: [
              { type: 'integer', multipleOf: 2, minimum: 1, maximum: 12 },
              { type: 'integer', multipleOf: 3, minimum: 1, maximum: 12 },
            ],
          },
          set: { type: 'array', items: { enum: ['a', 'b', 'c', 'd'] }, uniqueItems: true, minItems: 3, maxItems: 4 },
          not: { type: 'integer', minimum: 1, maximum: 3, not: { const: 2 } },
          record: {
            type: 'object',
            propertyNames: { enum: ['north', 'south'] },
            additionalProperties: { type: 'number', minimum: 0, maximum: 1 },
            required: ['north', 'south'],
          },
        },
        required: ['one', 'set', 'not', 'record'],
      };
      expect(matches(write(schema, seed), parseSchema(schema), parseSchema(schema))).toBe(true);
    }
  });

  it('are refused where none can exist', () => {
    expect(() => write({ type: 'integer', minimum: 3, maximum: 2 })).toThrow();
    expect(() => write({ $ref: '#/$defs/none' })).toThrow();
    expect(() => parseSchema({ type: 'picture' })).toThrow();
  });
});
