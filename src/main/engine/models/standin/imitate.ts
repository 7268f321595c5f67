import type { CompletionRequest } from '../../../../shared/model.ts';
import { answer } from './answer.ts';
import { parseSchema } from './schema.ts';

/** What the stand-in would answer, without a server. */
export function imitateAnswer({ model, messages, schema, options }: CompletionRequest): string {
  return answer({
    model,
    messages,
    schema: parseSchema(schema),
    temperature: options.temperature,
    seed: options.seed,
    budget: options.numPredict,
    thinking: false,
  }).text;
}
