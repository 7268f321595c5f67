import type { JsonSchema } from '../../shared/model.ts';
import type { RandomSource } from '../cases/shuffle.ts';
import { asArray, isRecord, membersOf } from './fields.ts';

/** `longest` and `shortest` bound what an answer can take: the longest or shortest texts, lists, choices and numbers. */
export type SampleLengths = 'random' | 'longest' | 'shortest';

/** The keywords that the sampler obeys, and those that only describe. */
const keywords = new Set(
  (
    'type const enum anyOf oneOf properties required additionalProperties propertyNames items prefixItems ' +
    'minItems maxItems minLength maxLength minimum maximum $schema title description default examples'
  ).split(' '),
);

/** Mostly letters and spaces, and what texts trip over: quotes, brackets, line ends, other scripts, characters of two UTF-16 units. */
const letters = [...'etaoinshrdlucmfwypvbgkETAOIN'.repeat(3), ...'      .,;:-0123456789"\\{}[]`\n\täéñß誰чтоمن😀𝔘'];

/** A part of the schema with the keywords that it uses; throws an Error that names what the sampler cannot draw. */
function checked(schema: unknown, path: string): JsonSchema {
  if (!isRecord(schema)) throw new Error(`the schema at ${path} is no object`);
  const unknown = Object.keys(schema).find((keyword) => !keywords.has(keyword));
  if (unknown !== undefined) throw new Error(`the sampler does not know the keyword ${unknown} at ${path}`);
  return schema;
}

const textLength = (value: unknown): number => JSON.stringify(value).length;

/**
 * A value that the JSON schema admits. Strings are of random characters and lengths, numbers uniform in their range,
 * choices equally likely, optional keys present in half of the draws. Throws an Error, with the place, for keywords
 * that it does not know, for types that are missing and for records whose names are not listed.
 */
export function sampleAnswer(schema: JsonSchema, random: RandomSource, lengths: SampleLengths = 'random'): unknown {
  const between = (least: number, most: number): number => {
    if (lengths !== 'random') return lengths === 'longest' ? most : least;
    return least + random.below(most - least + 1);
  };

  const choose = (values: readonly unknown[]): unknown => {
    if (lengths === 'random') return values[random.below(values.length)];
    const sign = lengths === 'longest' ? -1 : 1;
    return values.toSorted((a, b) => sign * (textLength(a) - textLength(b)))[0];
  };

  const count = (part: JsonSchema, least: string, most: string, path: string): number => {
    const [low, high] = [part[least] ?? 0, part[most]];
    if (typeof low !== 'number' || typeof high !== 'number') throw new Error(`${path} has no ${most}`);
    return between(low, high);
  };

  const number = (part: JsonSchema, path: string): number => {
    const { minimum, maximum } = part;
    if (typeof minimum !== 'number' || typeof maximum !== 'number') throw new Error(`${path} has no range`);
    if (part.type === 'integer') {
      const drawn = minimum + Math.floor(random.next() * (maximum - minimum + 1));
      return lengths === 'random' ? drawn : Number(choose([minimum, maximum]));
    }
    const drawn = minimum + random.next() * (maximum - minimum);
    return Number(choose([minimum, drawn, maximum]));
  };

  const object = (part: JsonSchema, path: string): unknown => {
    const required = asArray(part.required);
    const members: [string, unknown][] = [];
    const listed = membersOf(part);
    if (listed.size === 0 && part.additionalProperties !== false) throw new Error(`${path} lists no names`);
    for (const [name, member] of listed) {
      if (required.includes(name) || between(0, 1) === 1) members.push([name, draw(member, `${path}.${name}`)]);
    }
    return Object.fromEntries(members);
  };

  const array = (part: JsonSchema, path: string): unknown => {
    const fixed = asArray(part.prefixItems).map((item, index) => draw(item, `${path}.${index}`));
    if (part.prefixItems !== undefined) return fixed;
    return Array.from({ length: count(part, 'minItems', 'maxItems', path) }, () => draw(part.items, `${path}[]`));
  };

  const draw = (unchecked: unknown, path: string): unknown => {
    const part = checked(unchecked, path);
    if (Object.hasOwn(part, 'const')) return part.const;
    if (Array.isArray(part.enum)) return choose(part.enum);
    const branches = asArray(part.anyOf ?? part.oneOf);
    if (branches.length > 0) {
      const drawBranch = (branch: unknown): unknown => draw(branch, path);
      return lengths === 'random' ? drawBranch(branches[random.below(branches.length)]) : choose(branches.map(drawBranch));
    }
    if (part.type === 'string') {
      const characters = count(part, 'minLength', 'maxLength', path);
      return Array.from({ length: characters }, () => letters[random.below(letters.length)]).join('');
    }
    if (part.type === 'integer' || part.type === 'number') return number(part, path);
    if (part.type === 'boolean') return choose([false, true]);
    if (part.type === 'null') return null;
    if (part.type === 'array') return array(part, path);
    if (part.type === 'object') return object(part, path);
    throw new Error(`the schema at ${path} has no type that the sampler knows`);
  };
  return draw(schema, '$');
}
