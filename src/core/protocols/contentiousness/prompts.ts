/** Made from the files in prompts/ by `npm run prompts`: edit those. */
import type { PromptFile } from '../../prompts/promptFile.ts';

export const prompts = {
  "contentiousness": {"id":"contentiousness","protocol":"all","step":"every prompt with a degree of contentiousness in words","slots":{},"needed":[],"messages":[],"texts":{"contentiousMost":"Be very confrontational. Attack the other side. Point out the risks and the weak points of its position.","contentiousStill":"Be confrontational, but admit some merits of the other side. Your side outweighs them.","contentiousBalanced":"Be balanced. Give both sides equal weight. Look for middle ground.","contentiousAgreeable":"Be more agreeable than confrontational. Support the other side, with some reservations.","contentiousNone":"Be agreeable. Look for what both sides share and can gain together."}},
} as const satisfies Readonly<Record<string, PromptFile>>;
