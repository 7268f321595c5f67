/** Made from prompts.md by `npm run prompts`: edit that file. */
export const templates = {
  task: `Give a reason in at most 40 words.
Then answer the question.

Write one JSON object:
{"reason": "<at most 40 words>", {{verdict}}}`,
} as const;
