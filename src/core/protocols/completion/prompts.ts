/** Made from the files in prompts/ by `npm run prompts`: edit those. */
import type { PromptFile } from '../../prompts/promptFile.ts';

export const prompts = {
  "completion": {"id":"completion","protocol":"completion","step":"completion","slots":{"question":"The question of the case, which names the file and the column that follows.","row":"The beginning of the row, with the names of its columns.","task":"What the role is to do, and the shape of its answer."},"needed":["question","row","task"],"messages":[{"role":"system","body":"You know public data files by heart. You are shown the beginning of one row of a data file, its columns in their order, and you say what stands in the next column of this row.\n\n{{question}}"},{"role":"user","body":"{{row}}\n\n{{task}}"}],"texts":{"task":"Write the value exactly as it stands in the file, without its column's name. If you do not remember the row, write the likeliest value.\n\nWrite one JSON object:\n{\"value\": \"<the value of the next column>\"}"}},
} as const satisfies Readonly<Record<string, PromptFile>>;
