import type { Brief } from './brief.ts';
import type { CaseFact } from './caseFacts.ts';
import type { Chooser } from './chooser.ts';
import { choicesOf, formats, labelKey, measureKey, only, probabilityKey } from './fields.ts';
import { applying, likelihoodsKey, setKey } from './labelSets.ts';
import { roundShares, shareFor, writeNumber } from './numbers.ts';
import { writePattern } from './pattern.ts';
import type { Dice } from './random.ts';
import { type JsonValue, merge, resolve, SchemaError, type SchemaNode, type SchemaObject } from './schema.ts';
import { matches, stringFits } from './validate.ts';
import type { Writer } from './writer.ts';

export interface GeneratorParts {
  readonly root: SchemaNode;
  readonly brief: Brief;
  readonly chooser: Chooser;
  readonly writer: Writer;
  readonly dice: Dice;
  /** 1 for a full answer, towards 0 for one that must be short. */
  readonly scale: number;
}

/** Lists with an item for every fact, and lists of what was believed after each speech. */
const everyFact = /^(?:factors|features|attributes|facts)$/i;
const recalledKey = /updates|beliefs|recall|history/i;

interface Place {
  readonly key: string;
  readonly depth: number;
  readonly listed: boolean;
}

/** Writes values for a schema. Throws `SchemaError` where no value can be found. */
export class Generator {
  readonly #parts: GeneratorParts;
  #steps = 0;

  constructor(parts: GeneratorParts) {
    this.#parts = parts;
  }

  whole(): JsonValue {
    const value = this.#value(this.#parts.root, { key: '', depth: 0, listed: false });
    if (!matches(value, this.#parts.root, this.#parts.root)) throw new SchemaError('no answer was found for this schema');
    return value;
  }

  #value(node: SchemaNode, place: Place): JsonValue {
    this.#steps += 1;
    if (place.depth > 30 || this.#steps > 50_000) throw new SchemaError('the schema is too deep');
    const schema = resolve(node, this.#parts.root);
    if (schema.const !== undefined) return this.#oneOfValues([schema.const], schema);
    const choices = choicesOf(schema, this.#parts.root);
    if (choices !== null)
      return this.#choose(
        choices.filter((value) => stringFits(value, schema)),
        place,
      );
    if (schema.enum !== undefined) return this.#oneOfValues(schema.enum, schema);
    if (schema.anyOf !== undefined || schema.oneOf !== undefined) return this.#branch(schema, place);
    return schema.not === undefined ? this.#typed(schema, place) : this.#tried(schema, place);
  }

  #oneOfValues(values: readonly JsonValue[], schema: SchemaObject): JsonValue {
    const allowed = values.filter((value) => matches(value, schema, this.#parts.root));
    if (allowed.length === 0) throw new SchemaError('no value of the list is allowed');
    return this.#parts.dice.pick(allowed);
  }

  #tried(schema: SchemaObject, place: Place): JsonValue {
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const value = this.#typed(schema, place);
      if (matches(value, schema, this.#parts.root)) return value;
    }
    throw new SchemaError('no answer avoids what the schema forbids');
  }

  #choose(options: readonly string[], place: Place): string {
    const { writer, dice, brief, chooser } = this.#parts;
    if (options.length === 0) throw new SchemaError('no enum value is allowed');
    const isLabel =
      labelKey.test(place.key) || (brief.labels.length > 0 && options.every((option) => brief.labels.includes(option)));
    if (isLabel && !place.listed) return chooser.choose(place.key, options);
    const named = this.#factNamed(options);
    if (named !== null && !isLabel) return named;
    const focus = writer.focus;
    // `low`, `medium`, `high` and the like: how much the fact in question tells.
    const at = focus === null ? dice.next() : Math.abs(writer.evidence.lean(focus)) * 0.9 + dice.next() * 0.3;
    return options[Math.min(options.length - 1, Math.floor(at * options.length))] ?? '';
  }

  /** Where the options are the names of facts, the next fact becomes what the object is about. */
  #factNamed(options: readonly string[]): string | null {
    const { writer, brief } = this.#parts;
    if (!brief.facts.some(({ name }) => options.includes(name))) return null;
    for (let turn = 0; turn < brief.facts.length; turn += 1) {
      const fact = writer.dealFact();
      if (fact !== null && options.includes(fact.name)) {
        writer.focus = fact;
        return fact.name;
      }
    }
    return null;
  }

  #branch(schema: SchemaObject, place: Place): JsonValue {
    const { anyOf, oneOf, ...base } = schema;
    const exclusive = anyOf === undefined ? undefined : oneOf;
    const rest: SchemaObject = exclusive === undefined ? base : { ...base, oneOf: exclusive };
    const { dice, root } = this.#parts;
    const cost = (branch: SchemaNode): number => {
      if (typeof branch === 'boolean') return 1;
      if (branch.type === 'null') return place.depth > 4 || dice.chance(0.1) ? -1 : 9;
      const nested = branch.$ref !== undefined || branch.type === 'object' || branch.type === 'array';
      return nested && (place.depth > 4 || this.#parts.scale < 0.2) ? 5 : dice.next();
    };
    const ordered = (anyOf ?? oneOf ?? [])
      .map((branch) => ({ branch, cost: cost(branch) }))
      .sort((left, right) => left.cost - right.cost);
    for (const { branch } of ordered) {
      const focus = this.#parts.writer.focus;
      try {
        for (let attempt = 0; attempt < 3; attempt += 1) {
          const value = this.#value(merge(rest, resolve(branch, root)), place);
          if (matches(value, schema, root)) return value;
        }
      } catch (error) {
        if (!(error instanceof SchemaError)) throw error;
      }
      this.#parts.writer.focus = focus;
    }
    throw new SchemaError('no branch of the schema can be answered');
  }

  #typed(schema: SchemaObject, place: Place): JsonValue {
    switch (this.#typeFor(schema)) {
      case 'object':
        return this.#object(schema, place, new Map());
      case 'array':
        return this.#array(schema, place);
      case 'number':
      case 'integer':
        return this.#number(schema, place);
      case 'boolean':
        return this.#boolean(place);
      case 'null':
        return null;
      default:
        return this.#string(schema, place);
    }
  }

  #typeFor(schema: SchemaObject): string {
    if (typeof schema.type === 'string') return schema.type;
    if (schema.type !== undefined) {
      const solid = schema.type.filter((type) => type !== 'null');
      if (solid.length === 0 || (solid.length < schema.type.length && this.#parts.dice.chance(0.1))) return 'null';
      return this.#parts.dice.pick(solid);
    }
    if (schema.properties !== undefined || (schema.required?.length ?? 0) > 0 || schema.minProperties !== undefined)
      return 'object';
    if (schema.items !== undefined || schema.prefixItems !== undefined || schema.minItems !== undefined) return 'array';
    const numeric = only([schema.minimum, schema.maximum, schema.exclusiveMinimum, schema.exclusiveMaximum, schema.multipleOf]);
    return numeric.length > 0 ? 'number' : 'string';
  }

  #boolean({ key }: Place): boolean {
    const { brief, dice } = this.#parts;
    if (/exhaust|conce|agree|settled|done|finish/i.test(key))
      return dice.chance(Math.min(0.85, 0.1 + 0.1 * brief.speeches.length));
    return dice.chance(/balanced|valid|relevant|sound|clear/i.test(key) ? 0.8 : 0.5);
  }

  #number(schema: SchemaObject, { key, listed }: Place): number {
    const { chooser, dice } = this.#parts;
    const whole = schema.type !== 'number' && (schema.type === 'integer' || schema.type?.includes('number') === false);
    return writeNumber(schema, whole, shareFor(key, schema, listed ? null : chooser.confidence(), dice));
  }

  #string(schema: SchemaObject, place: Place): string {
    const { writer, brief, dice, scale, chooser } = this.#parts;
    const limit = schema.maxLength ?? Number.POSITIVE_INFINITY;
    const least = schema.minLength ?? 0;
    if (least > limit) throw new SchemaError('minLength is above maxLength');
    const sample = schema.format === undefined ? undefined : formats[schema.format];
    const labels = brief.labels.filter((label) => stringFits(label, schema));
    if (sample === undefined && labelKey.test(place.key) && labels.length > 1 && !place.listed)
      return chooser.choose(place.key, labels);
    const room = scale >= 0.3 ? limit : Math.min(limit, Math.max(least, Math.round(scale * 300)));
    // A label that nothing offers is made up as a short name.
    const kind = labelKey.test(place.key) && brief.labels.length < 2 && limit <= 120 ? 'title' : place.key;
    const text = sample ?? writer.write(kind, place.listed, least, room);
    if (stringFits(text, schema)) return text;
    for (const pattern of only([schema.pattern, ...(schema.patterns ?? [])])) {
      for (const more of [4, 8, 16, 64, Math.min(2000, least + 2)]) {
        for (let attempt = 0; attempt < 12; attempt += 1) {
          const written = writePattern(pattern, dice, more);
          const padded = written.padEnd(least, 'a');
          if (stringFits(written, schema)) return written;
          if (stringFits(padded, schema)) return padded;
        }
      }
    }
    throw new SchemaError('no text was found for the pattern');
  }

  #array(schema: SchemaObject, place: Place): JsonValue {
    const { dice, scale, brief, writer, chooser } = this.#parts;
    const least = Math.max(schema.minItems ?? 0, 0);
    const most = schema.maxItems ?? Number.POSITIVE_INFINITY;
    if (least > most) throw new SchemaError('minItems is above maxItems');
    const item = schema.items ?? true;
    const recalled = recalledKey.test(place.key) && least > 0 && least === most && least <= brief.speeches.length;
    const spread = recalled ? null : this.#spread(item, schema, place);
    if (spread !== null) return spread;
    const prefix = schema.prefixItems ?? [];
    const usual = everyFact.test(place.key) && brief.facts.length > 0 ? Math.min(brief.facts.length, 30) : dice.between(2, 4);
    const natural =
      prefix.length > 0 && (item === true || item === false) ? prefix.length : Math.round(usual * Math.min(1, scale * 1.2));
    const sparse = place.depth > 5 || scale < 0.2;
    let length = Math.min(most, Math.max(least, sparse ? Math.min(1, natural) : natural));
    if (item === false) length = Math.min(length, prefix.length);
    if (place.depth > 7) length = least;
    const values: JsonValue[] = [];
    const seen = new Set<string>();
    const focus = writer.focus;
    const labelled = labelKey.test(place.key) && brief.labels.length > 1;
    for (let attempt = 0; values.length < length && attempt < length + 40; attempt += 1) {
      const at = prefix[values.length] ?? item;
      const inside = { key: labelled ? `${place.key}-item` : place.key, depth: place.depth + 1, listed: !recalled };
      const value = recalled ? chooser.recalling(values.length + 1, () => this.#value(at, inside)) : this.#value(at, inside);
      writer.focus = focus;
      const text = JSON.stringify(value);
      if (schema.uniqueItems === true && seen.has(text)) continue;
      seen.add(text);
      values.push(value);
    }
    if (values.length < least) throw new SchemaError('not enough different items');
    return values;
  }

  /** Lists that share out belief: several labels, or labels each with a probability. */
  #spread(item: SchemaNode, schema: SchemaObject, place: Place): JsonValue | null {
    const { root, brief, chooser, writer } = this.#parts;
    const least = schema.minItems ?? 0;
    const most = schema.maxItems ?? Number.POSITIVE_INFINITY;
    if (typeof item === 'boolean' || (schema.prefixItems?.length ?? 0) > 0) return null;
    const inner = resolve(item, root);
    const options = choicesOf(inner, root);
    if (options !== null) {
      if (least > options.length || this.#parts.brief.facts.some(({ name }) => options.includes(name))) return null;
      const ranked = chooser.ranked(options);
      if (setKey.test(place.key)) {
        const shares = applying(chooser.belief(options));
        const named = options.filter((_, index) => (shares[index] ?? 0) >= 0.5);
        if (named.length >= least && named.length <= most) return named;
      }
      const strong = ranked.filter(({ probability }) => probability > 0.9 / options.length).length;
      return ranked.slice(0, Math.min(most, Math.max(least, strong, 1))).map(({ option }) => option);
    }
    const entries = Object.entries(inner.properties ?? {});
    const labelEntry =
      entries.find(([key, node]) => (labelKey.test(key) || key === 'name') && choicesOf(resolve(node, root), root) !== null) ??
      entries.find(([key]) => labelKey.test(key) || key === 'name');
    const numberKey = entries.find(
      ([key, node]) => probabilityKey.test(key) && /number|integer/.test(String(resolve(node, root).type)),
    )?.[0];
    if (labelEntry === undefined || numberKey === undefined) return null;
    const offered = choicesOf(resolve(labelEntry[1], root), root) ?? brief.labels;
    const invented = (): string[] =>
      Array.from({ length: Math.max(3, least) }, () =>
        String(this.#value(labelEntry[1], { key: 'title', depth: place.depth + 1, listed: false })),
      );
    const labels = offered.length > 0 ? offered : [...new Set(invented())];
    const number = resolve(inner.properties?.[numberKey] ?? true, root);
    if (labels.length < 2 || least > labels.length || (number.maximum !== 1 && number.maximum !== 100)) return null;
    const ranked = chooser.ranked(labels).slice(0, Math.min(most, Math.max(least, 5), labels.length));
    const mass = ranked.reduce((sum, { probability }) => sum + probability, 0);
    const shares = roundShares(
      ranked.map(({ probability }) => probability / mass),
      number.maximum,
      number.type === 'integer',
    );
    return ranked.map(({ option }, index) => {
      const focus = writer.focus;
      const value = this.#object(
        inner,
        { key: place.key, depth: place.depth + 1, listed: true },
        new Map<string, JsonValue>([
          [labelEntry[0], option],
          [numberKey, shares[index] ?? 0],
        ]),
      );
      writer.focus = focus;
      return value;
    });
  }

  #object(schema: SchemaObject, place: Place, fixed: ReadonlyMap<string, JsonValue>): JsonValue {
    const names = this.#namesFor(schema, place);
    const nodeOf = (name: string): SchemaNode =>
      (Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : schema.additionalProperties) ?? true;
    const shares = this.#shares(names, nodeOf, place.key);
    const { writer, brief } = this.#parts;
    const outer = writer.focus;
    const values = names.flatMap((name): [string, JsonValue][] => {
      const before = writer.focus;
      const subject: CaseFact | undefined = brief.facts.find((fact) => fact.name === name);
      if (subject !== undefined) writer.focus = subject;
      // A field named `text` tells nothing; the list that its object stands in does.
      const key = /^(?:text|value|item|detail|entry)$/.test(name) && place.key !== '' ? place.key : name;
      const listed = place.listed && place.depth > 0 && !labelKey.test(name);
      try {
        const given = fixed.get(name) ?? shares?.get(name);
        return [[name, given ?? this.#value(nodeOf(name), { key, depth: place.depth + 1, listed })]];
      } catch (error) {
        // Nothing fits this field: leaving it out is an answer too, unless it is required.
        if (error instanceof SchemaError && schema.required?.includes(name) !== true) return [];
        throw error;
      } finally {
        if (subject !== undefined) writer.focus = before;
      }
    });
    if (values.length < (schema.minProperties ?? 0)) throw new SchemaError('too few fields can be filled');
    writer.focus = outer;
    return Object.fromEntries(values);
  }

  /** Numbers of a distribution over the names, where the object is one. */
  #shares(names: readonly string[], nodeOf: (name: string) => SchemaNode, key: string): Map<string, number> | null {
    if (names.length < 2 || names.some((name) => measureKey.test(name))) return null;
    const numbers = names.map((name) => resolve(nodeOf(name), this.#parts.root));
    const top = numbers[0]?.maximum;
    if (top !== 1 && top !== 100) return null;
    const fits = ({ type, minimum, maximum, multipleOf, enum: values }: SchemaObject): boolean =>
      (type === 'number' || (type === 'integer' && top === 100)) &&
      minimum === 0 &&
      maximum === top &&
      multipleOf === undefined &&
      values === undefined;
    if (!numbers.every(fits)) return null;
    const whole = numbers.some(({ type }) => type === 'integer');
    const belief = this.#parts.chooser.belief(names);
    const rounded = likelihoodsKey.test(key)
      ? applying(belief).map((share) => Math.round(share * top))
      : roundShares(belief, top, whole);
    return new Map(names.map((name, index) => [name, rounded[index] ?? 0]));
  }

  #namesFor(schema: SchemaObject, place: Place): string[] {
    const { dice, scale, brief, root } = this.#parts;
    const required = new Set(schema.required ?? []);
    const most = schema.maxProperties ?? Number.POSITIVE_INFINITY;
    const known = Object.entries(schema.properties ?? {}).filter(([name, node]) => required.has(name) || this.#possible(node));
    const generous = place.depth <= 5 && scale >= 0.3;
    const wanted = known.map(([name]) => name).filter((name) => required.has(name) || (generous && dice.chance(0.85)));
    let spare = Math.max(0, most - required.size);
    const names = wanted.filter((name) => required.has(name) || spare-- > 0);
    for (const name of required) if (!names.includes(name)) names.push(name);
    const least = schema.minProperties ?? 0;
    for (const [name] of known) if (names.length < least && !names.includes(name)) names.push(name);
    const open = typeof schema.additionalProperties === 'object' && known.length === 0 && required.size === 0;
    const goal = Math.min(most, Math.max(least, open && generous ? Math.max(2, brief.labels.length) : 0));
    if (names.length >= goal || schema.additionalProperties === false) return names;
    const allowed = schema.propertyNames === undefined ? null : choicesOf(resolve(schema.propertyNames, root), root);
    const invented = allowed ?? [...brief.labels, ...Array.from({ length: goal }, (_, index) => `item${index + 1}`)];
    for (const name of invented) if (names.length < goal && !names.includes(name)) names.push(name);
    return names;
  }

  #possible(node: SchemaNode): boolean {
    if (node === false) return false;
    try {
      resolve(node, this.#parts.root);
      return true;
    } catch (error) {
      if (error instanceof SchemaError) return false;
      throw error;
    }
  }
}
