/** Made from the files in prompts/ by `npm run prompts`: edit those. */
import type { PromptFile } from '../../prompts/promptFile.ts';

export const prompts = {
  "classification": {"id":"classification","protocol":"single","step":"classification","slots":{"question":"The question of the case.","answers":"The possible answers, one a line; nothing for an open question.","earlier":"Earlier cases with their right answers; nothing where there are none.","facts":"The facts of the case.","record":"What was said so far, as far as this role may know it; nothing at the beginning.","task":"What the role is to do now, and the shape of its answer.","verdict":"The fields of a verdict, as JSON."},"needed":["earlier","facts","record","task"],"messages":[{"role":"system","body":"{{question}}\n\n{{answers}}"},{"role":"user","body":"{{earlier}}\n\n{{facts}}\n\n{{record}}\n\n{{task}}"}],"texts":{"task":"Give a reason in at most 40 words.\nThen answer the question.\n\nWrite one JSON object:\n{\"reason\": \"<at most 40 words>\", {{verdict}}}"}},
} as const satisfies Readonly<Record<string, PromptFile>>;
