// Writes prompts.ts next to every folder prompts/: the words that models are given, as code that core can import.
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type PromptFile, PromptFileError, parsePromptFile } from '../src/core/prompts/promptFile.ts';
import { root } from './repository.ts';

/** The prompts of a folder. Throws where a file is none, or is not named by its id. */
export function promptsIn(folder: string): PromptFile[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => {
      const path = join(folder, name);
      try {
        const prompt = parsePromptFile(readFileSync(path, 'utf8'));
        if (`${prompt.id}.md` !== name) throw new PromptFileError(2, `the file must be named ${prompt.id}.md`);
        return prompt;
      } catch (error) {
        if (!(error instanceof PromptFileError)) throw error;
        throw new Error(`${relative(root, path)}:${error.line}: ${error.message}`, { cause: error });
      }
    });
}

/** Path of every generated file -> its text. */
export const promptFiles = (): Map<string, string> =>
  new Map(
    globSync('src/core/**/prompts', { cwd: root })
      .toSorted()
      .map((path) => join(root, path))
      .filter((folder) => basename(dirname(folder)) !== 'core')
      .map((folder) => {
        const type = `${relative(dirname(folder), join(root, 'src/core/prompts')).replaceAll('\\', '/')}/promptFile.ts`;
        const head = `/** Made from the files in prompts/ by \`npm run prompts\`: edit those. */\nimport type { PromptFile } from '${type}';\n\n`;
        const code = promptsIn(folder).map((prompt) => `  ${JSON.stringify(prompt.id)}: ${JSON.stringify(prompt)},\n`);
        return [
          `${folder}.ts`,
          `${head}export const prompts = {\n${code.join('')}} as const satisfies Readonly<Record<string, PromptFile>>;\n`,
        ];
      }),
  );

if (import.meta.main) {
  const files = promptFiles();
  for (const [path, text] of files) writeFileSync(path, text);
  console.log(`${files.size} files of prompts written`);
}
