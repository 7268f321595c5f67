import { expect, test } from 'vitest';
import { z } from 'zod';
import { inventAnswer } from './callEstimate.ts';

const schema = z.strictObject({
  prediction: z.enum(['entailment', 'neutral']),
  confidence: z.int().min(0).max(100),
  reason: z.string().min(1).max(40),
  points: z.array(z.string().min(5).max(12)).min(1).max(3),
});

test('an invented answer is one that the schema admits, in words that say what they are', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const answer = schema.parse(JSON.parse(inventAnswer({ schema: z.toJSONSchema(schema), options: { seed } })));
    expect('These words stand for those of a model. ').toContain(answer.reason);
  }
});
