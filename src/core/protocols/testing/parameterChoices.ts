import { z } from 'zod';
import type { JsonSchema } from '../../../shared/model.ts';

const propertySchema = z.object({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
});

type Choice = Readonly<Record<string, unknown>>;

/** The values worth trying of one parameter: all of a choice, both of a switch, default and least of a number. */
function valuesOf(schema: unknown): unknown[] {
  const { type, enum: choices, default: usual, minimum } = propertySchema.parse(schema);
  if (choices !== undefined) return choices;
  if (type === 'boolean') return [false, true];
  if (type === 'integer' || type === 'number') return [...new Set([usual, minimum].filter((value) => value !== undefined))];
  return [];
}

/** Settings in which every pair of parameter values occurs at least once: greedy, in a fixed order. */
export function pairwiseParameters(schema: JsonSchema): Choice[] {
  const properties = z.record(z.string(), z.unknown()).parse(schema.properties ?? {});
  const parameters = Object.entries(properties).flatMap(([name, part]) => {
    const values = valuesOf(part);
    return values.length === 0 ? [] : [{ name, values }];
  });
  const pairsOf = (choice: Choice) =>
    parameters.flatMap(({ name: a }, index) =>
      parameters.slice(index + 1).map(({ name: b }) => JSON.stringify([a, choice[a], b, choice[b]])),
    );
  const all = parameters.reduce<Choice[]>(
    (choices, { name, values }) => choices.flatMap((choice) => values.map((value) => ({ ...choice, [name]: value }))),
    [{}],
  );
  const covered = new Set<string>();
  const kept = all.filter((choice) => {
    const fresh = pairsOf(choice).filter((pair) => !covered.has(pair));
    for (const pair of fresh) covered.add(pair);
    return fresh.length > 0;
  });
  return parameters.length < 2 ? all : kept;
}
