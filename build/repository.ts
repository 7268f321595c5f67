import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');

/** The program's own files below the given folders of the repository, with slashes, in order. */
export function listFiles(folders: readonly string[], base = root): string[] {
  const walk = (folder: string): string[] =>
    entriesOf(join(base, folder)).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? walk(path) : [path];
    });
  return folders.flatMap((folder) => walk(folder.replace(/\/$/, ''))).sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.') && name !== 'node_modules');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export function readFiles(paths: readonly string[], base = root): Map<string, string> {
  return new Map(paths.map((path) => [path, readFileSync(join(base, path), 'utf8')]));
}
