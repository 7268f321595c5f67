import { describe, expect, it } from 'vitest';
import { installWays } from './installWays.ts';

describe('how to get Ollama', () => {
  it.each(['linux', 'darwin', 'win32'] as const)('puts the ways of %s first and keeps the others', (platform) => {
    const { mine, others } = installWays(platform, 'x64');
    expect(mine?.id).toBe(platform);
    expect(others.map(({ id }) => id)).not.toContain(platform);
    expect(others).toHaveLength(2);
    for (const way of mine?.ways ?? []) expect(way.command ?? way.words).toBeTruthy();
  });

  it('names the archive of the processor', () => {
    const command = (architecture: string) => installWays('linux', architecture).mine?.ways[1]?.command;
    expect(command('x64')).toContain('linux-amd64.tar.zst | zstd -d | sudo tar xf - ');
    expect(command('arm64')).toContain('linux-arm64.tar.zst | zstd -d | sudo tar xf - ');
  });

  it.each([null, 'freebsd'])('lists all systems where this one is %s', (platform) => {
    const { mine, others } = installWays(platform, 'x64');
    expect(mine).toBeNull();
    expect(others.map(({ name }) => name)).toEqual(['Linux', 'macOS', 'Windows']);
  });
});
