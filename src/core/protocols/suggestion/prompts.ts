/** Made from the files in prompts/ by `npm run prompts`: edit those. */
import type { PromptFile } from '../../prompts/promptFile.ts';

export const prompts = {
  "suggestion": {"id":"suggestion","protocol":"suggestion","step":"suggestions","slots":{"facts":"The question, the words of the prompt that is to become better, and cases that the model got wrong with them.","task":"What the role is to do, and the shape of its answer.","atMost":"Most instructions."},"needed":["facts","task"],"messages":[{"role":"system","body":"A language model answers a question about cases. You write instructions that help it to answer better."},{"role":"user","body":"{{facts}}\n\n{{task}}"}],"texts":{"task":"Write instructions that would prevent such mistakes, at most {{atMost}}, each different from the others.\nEach is one sentence of at most 30 words. It begins with a verb, such as \"Weigh\" or \"Check\", and says how to decide in every case.\nDo not repeat a case.\n\nWrite one JSON object:\n{\"instructions\": [<a list of sentences>]}"}},
} as const satisfies Readonly<Record<string, PromptFile>>;
