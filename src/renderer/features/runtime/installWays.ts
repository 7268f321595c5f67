export interface InstallWay {
  readonly title: string;
  /** A command to copy; absent where something is downloaded and opened. */
  readonly command?: string;
  /** What is downloaded, in words. */
  readonly words?: string;
}

export interface InstallSystem {
  readonly id: 'linux' | 'darwin' | 'win32';
  readonly name: string;
  readonly ways: readonly InstallWay[];
}

/** Where the downloads are; one of the few addresses that the program opens in a browser. */
export const downloadPage = 'https://ollama.com/download';

const archiveOf = (architecture: string): string => (architecture === 'arm64' ? 'arm64' : 'amd64');

/** The ways that Ollama's own documentation names, for each system. Source: docs.ollama.com, pages Linux, macOS and Windows. */
function systems(architecture: string): readonly InstallSystem[] {
  return [
    {
      id: 'linux',
      name: 'Linux',
      ways: [
        { title: 'Ollama’s own script, which sets up a service', command: 'curl -fsSL https://ollama.com/install.sh | sh' },
        {
          title: 'The archive alone, without a service; needs zstd',
          // Out of a pipe GNU tar unpacks nothing by itself: so Ollama's own script has it, and not its page.
          command: `curl -fsSL https://ollama.com/download/ollama-linux-${archiveOf(architecture)}.tar.zst | zstd -d | sudo tar xf - -C /usr`,
        },
      ],
    },
    {
      id: 'darwin',
      name: 'macOS',
      ways: [
        { title: 'The app', words: 'Download it, move it to Applications and open it once.' },
        { title: 'Homebrew', command: 'brew install ollama' },
      ],
    },
    {
      id: 'win32',
      name: 'Windows',
      ways: [
        { title: 'The installer', words: 'Download it and open it; it needs no administrator.' },
        { title: 'In PowerShell', command: 'irm https://ollama.com/install.ps1 | iex' },
      ],
    },
  ];
}

/** The ways of this system, and those of the others; of a system that is not known, all of them are others. */
export function installWays(
  platform: string | null,
  architecture: string,
): { mine: InstallSystem | null; others: readonly InstallSystem[] } {
  const all = systems(architecture);
  const mine = all.find(({ id }) => id === platform) ?? null;
  return { mine, others: all.filter((system) => system !== mine) };
}
