import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { homeFolder } from '../../homeFolder.ts';

/** Where Ollama keeps models: as it is told, in the user's folder, or in that of the service on Linux. */
function usualFolders(environment: NodeJS.ProcessEnv): string[] {
  const told = environment.OLLAMA_MODELS?.trim();
  const home = homeFolder();
  const own = home === null ? [] : [join(home, '.ollama', 'models')];
  return [...(told ? [told] : []), ...own, '/usr/share/ollama/.ollama/models'];
}

/**
 * Bytes free where a server of this machine keeps its models. Which of the usual folders it uses it does not tell: null
 * where none is there, or where those that are there lie on different disks.
 */
export async function freeForModels(folders = usualFolders(process.env)): Promise<number | null> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      try {
        const [{ dev }, { bavail, bsize }] = await Promise.all([stat(folder), statfs(folder)]);
        return [{ dev, free: bavail * bsize }];
      } catch {
        return [];
      }
    }),
  );
  const disks = new Map(found.flat().map(({ dev, free }) => [dev, free]));
  const [free] = disks.values();
  return disks.size === 1 && free !== undefined ? free : null;
}
