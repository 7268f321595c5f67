import { type Brief, type PromptMessage, readBrief } from './brief.ts';
import { type Choice, Chooser } from './chooser.ts';
import { choicesOf, labelKey } from './fields.ts';
import { Generator } from './generate.ts';
import { setKey } from './labelSets.ts';
import { Dice } from './random.ts';
import { resolve, SchemaError, type SchemaNode } from './schema.ts';
import { countTokens } from './tokens.ts';
import { Writer } from './writer.ts';

export interface AnswerRequest {
  readonly model: string;
  readonly messages: readonly PromptMessage[];
  /** Absent for free text. */
  readonly schema: SchemaNode | null;
  readonly temperature: number;
  readonly seed: number;
  /** The most tokens the answer may have. */
  readonly budget: number;
  readonly thinking: boolean;
}

export interface Answer {
  readonly text: string;
  readonly thinking: string;
  /** The decisions in the text, in order. */
  readonly choices: readonly Choice[];
}

/** What an answer to `format: "json"` looks like. */
export const anyJson: SchemaNode = {
  type: 'object',
  properties: {
    answer: { type: 'string', maxLength: 300 },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    reasoning: { type: 'string' },
  },
  required: ['answer', 'confidence', 'reasoning'],
};

const scales = [1, 0.6, 0.35, 0.2, 0.1, 0.03] as const;

function labelsOf(node: SchemaNode, root: SchemaNode, depth = 0): readonly string[] {
  if (depth > 4) return [];
  let schema: ReturnType<typeof resolve>;
  try {
    schema = resolve(node, root);
  } catch (error) {
    if (error instanceof SchemaError) return [];
    throw error;
  }
  const nested: SchemaNode[] = [];
  for (const [key, part] of Object.entries(schema.properties ?? {})) {
    const inner = typeof part === 'boolean' || part.$ref !== undefined ? null : part;
    const choices = inner === null ? null : choicesOf(resolve(inner, root), root);
    if (choices !== null && choices.length > 1 && labelKey.test(key)) return choices;
    const listed = inner?.items === undefined || !setKey.test(key) ? null : choicesOf(resolve(inner.items, root), root);
    if (listed !== null && listed.length > 1) return listed;
    nested.push(part);
  }
  const allowed = schema.propertyNames === undefined ? null : choicesOf(resolve(schema.propertyNames, root), root);
  if (allowed !== null && allowed.length > 1) return allowed;
  if (schema.items !== undefined) nested.push(schema.items);
  return nested.map((part) => labelsOf(part, root, depth + 1)).find((labels) => labels.length > 1) ?? [];
}

/**
 * The stand-in's answer: a function of model, messages, schema, temperature and, above temperature 0,
 * the seed; the budget only makes it shorter. Throws `SchemaError`.
 */
export function answer(request: AnswerRequest): Answer {
  const { model, messages, schema, temperature, budget } = request;
  const brief = readBrief(messages, schema === null ? [] : labelsOf(schema, schema));
  const spice = temperature > 0 ? `${request.seed}/${temperature}` : 'greedy';
  const seed = JSON.stringify([model, messages.map(({ role, content }) => [role, content]), schema, spice]);
  let last: Answer = { text: '', thinking: '', choices: [] };
  for (const scale of scales) {
    for (let attempt = 0; ; attempt += 1) {
      const dice = new Dice(`${seed}${attempt}`);
      const chooser = new Chooser(brief, model, temperature, `${seed}belief`);
      const writer = new Writer({ brief, model, dice, scale, stand: () => chooser.stand() });
      const thinking = request.thinking ? writer.muse(Math.round(50 * scale)) : '';
      try {
        const text =
          schema === null
            ? freeText(chooser, writer, brief)
            : JSON.stringify(new Generator({ root: schema, brief, chooser, writer, dice, scale }).whole());
        last = { text, thinking, choices: chooser.made };
        break;
      } catch (error) {
        if (!(error instanceof SchemaError) || attempt >= 5) throw error;
      }
    }
    if (countTokens(last.thinking) + countTokens(last.text) <= budget) return last;
  }
  return last;
}

function freeText(chooser: Chooser, writer: Writer, { labels, side }: Brief): string {
  const speech = writer.write('utterance', false, 0, Number.POSITIVE_INFINITY);
  if (labels.length < 2 || side === 'prosecution' || side === 'defense') return speech;
  const label = chooser.choose('prediction', labels);
  return `${speech}\n\nPrediction: ${label}\nConfidence: ${(chooser.confidence() ?? 0.5).toFixed(2)}`;
}
