// Invents an answer that fits a schema, so that a dry run can continue without a model.
import { type SampleLengths, sampleAnswer } from '../../../core/answers/sample.ts';
import { randomSource } from '../../../core/cases/shuffle.ts';
import type { CompletionRequest, JsonSchema } from '../../../shared/model.ts';

const filling = 'These words stand for those of a model. ';

/** Names and choices of a schema: texts of an answer that are not free. */
function fixedTexts(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(fixedTexts);
  if (typeof part === 'string') return [part];
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(fixedTexts) : [];
}

/**
 * An answer that the schema of a request admits, as JSON text: choices and numbers by chance under the request's seed,
 * and the same sentence over and over wherever a model would write.
 */
export function inventAnswer(
  { schema, options: { seed } }: { schema: JsonSchema; options: Pick<CompletionRequest['options'], 'seed'> },
  lengths: SampleLengths = 'random',
): string {
  const fixed = new Set(fixedTexts(schema));
  // A schema counts characters, of which some are two units of a text.
  const fill = (text: string) => filling.repeat(Math.ceil(text.length / filling.length)).slice(0, [...text].length);
  return JSON.stringify(sampleAnswer(schema, randomSource(seed, 'rehearsal'), lengths), (_key, value: unknown) =>
    typeof value === 'string' && !fixed.has(value) ? fill(value) : value,
  );
}
