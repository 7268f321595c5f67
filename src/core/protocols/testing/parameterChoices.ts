import { z } from 'zod';
import type { JsonSchema } from '../../../shared/model.ts';

const propertySchema = z.object({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
});

type Choice = Readonly<Record<string, unknown>>;

/** The values worth trying of one parameter: all of a choice, both of a switch, default (null: absent) and least of a number. */
function valuesOf(schema: unknown): unknown[] {
  const { type, enum: choices, default: usual, minimum } = propertySchema.parse(schema);
  if (choices !== undefined) return choices;
  if (type === 'boolean') return [false, true];
  if (type === 'integer' || type === 'number') return [...new Set([usual ?? null, ...(minimum === undefined ? [] : [minimum])])];
  return [];
}

interface Parameter {
  readonly name: string;
  readonly values: readonly unknown[];
}

const pair = (one: string, value: unknown, other: string, otherValue: unknown) => JSON.stringify([one, value, other, otherValue]);

/** Pairs of values, each of another parameter. */
function allPairs(parameters: readonly Parameter[]): Set<string> {
  return new Set(
    parameters.flatMap((one, index) =>
      parameters
        .slice(index + 1)
        .flatMap((other) => one.values.flatMap((a) => other.values.map((b) => pair(one.name, a, other.name, b)))),
    ),
  );
}

const pairsIn = (parameters: readonly Parameter[], choice: Choice): string[] =>
  parameters.flatMap(({ name: a }, index) =>
    parameters.slice(index + 1).flatMap(({ name: b }) => (a in choice && b in choice ? [pair(a, choice[a], b, choice[b])] : [])),
  );

/** The choice that a wanted pair begins and every other parameter extends by the value with most pairs still wanted. */
function choiceFor(parameters: readonly Parameter[], wanted: ReadonlySet<string>, start: string): Choice {
  const [a, aValue, b, bValue] = z.tuple([z.string(), z.unknown(), z.string(), z.unknown()]).parse(JSON.parse(start));
  const gain = (choice: Choice) => pairsIn(parameters, choice).filter((found) => wanted.has(found)).length;
  let chosen: Choice = { [a]: aValue, [b]: bValue };
  for (const { name, values } of parameters) {
    if (name in chosen) continue;
    const extended = values.map((value) => ({ ...chosen, [name]: value }));
    [chosen = chosen] = extended.toSorted((one, other) => gain(other) - gain(one));
  }
  return Object.fromEntries(parameters.map(({ name }) => [name, chosen[name]]));
}

/** Few settings in which every pair of parameter values occurs at least once: greedy, in a fixed order. */
export function pairwiseParameters(schema: JsonSchema): Choice[] {
  const properties = z.record(z.string(), z.unknown()).parse(schema.properties ?? {});
  const parameters = Object.entries(properties).flatMap(([name, part]) => {
    const values = valuesOf(part);
    return values.length === 0 ? [] : [{ name, values }];
  });
  const [only] = parameters;
  if (parameters.length < 2) return only === undefined ? [{}] : only.values.map((value) => ({ [only.name]: value }));
  const wanted = allPairs(parameters);
  const choices: Choice[] = [];
  for (let [next] = wanted; next !== undefined; [next] = wanted) {
    const choice = choiceFor(parameters, wanted, next);
    for (const found of pairsIn(parameters, choice)) wanted.delete(found);
    choices.push(choice);
  }
  return choices.map((choice) => Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== null)));
}
