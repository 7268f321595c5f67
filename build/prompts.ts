// Writes prompts.ts beside every prompts.md: the texts that models are given, as code that core can import.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository.ts';

const folder = join(root, 'src/core');

/** A section's heading, `## name`. What stands above the first one is for readers of the file. */
const heading = /^## (.+)$/m;

/** Name -> text of every section, without blank lines around it. Throws on a name that stands twice and on an empty text. */
export function sectionsOf(markdown: string): Map<string, string> {
  const [, ...parts] = markdown.split(heading);
  const sections = new Map<string, string>();
  for (let index = 0; index < parts.length; index += 2) {
    const [name = '', text = ''] = parts.slice(index, index + 2).map((part) => part.trim());
    if (sections.has(name)) throw new Error(`section "${name}" stands twice: rename one`);
    if (text === '') throw new Error(`section "${name}" is empty: write a text or remove it`);
    sections.set(name, text);
  }
  return sections;
}

const quoted = (text: string) => `\`${text.replace(/[\\`]|\$(?=\{)/g, String.raw`\$&`)}\``;
const keyOf = (name: string) => (/^[a-zA-Z]\w*$/.test(name) ? name : `'${name}'`);

function codeOf(sections: ReadonlyMap<string, string>): string {
  const entries = [...sections].map(([name, text]) => `  ${keyOf(name)}: ${quoted(text)},\n`);
  return `/** Made from prompts.md by \`npm run prompts\`: edit that file. */\nexport const templates = {\n${entries.join('')}} as const;\n`;
}

/** Path of every generated file -> its text. */
export function promptFiles(): Map<string, string> {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?:^|[\\/])prompts\.md$/.test(path),
  );
  return new Map(
    sources.toSorted().map((path) => {
      const source = join(folder, path);
      return [source.replace(/md$/, 'ts'), codeOf(sectionsOf(readFileSync(source, 'utf8')))];
    }),
  );
}

if (import.meta.main) {
  const files = promptFiles();
  for (const [path, text] of files) writeFileSync(path, text);
  console.log(`${files.size} files of prompts written`);
}
