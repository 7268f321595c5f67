import { spawn } from 'node:child_process';

interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The program that opens an address, and its words before the address; null where no screen is. */
export function openerOf({ platform, env }: Surroundings): readonly [command: string, ...words: string[]] | null {
  if (platform === 'darwin') return ['open'];
  // `start` is a word of the shell, which would read parts of the address as commands.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : null;
}

/** Opens an address in the user's browser if there is one. The address was printed, so failing is no error. */
export function openBrowser(url: string): void {
  const opener = openerOf(process);
  if (opener === null) return;
  const [command, ...words] = opener;
  const child = spawn(command, [...words, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
