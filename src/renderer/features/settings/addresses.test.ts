import { describe, expect, it } from 'vitest';
import { settingsSchema } from '../../../shared/api/engine.ts';
import { addressProblem, foreignHost, hostProblem, inverseOf } from './addresses.ts';

describe('addresses in the settings', () => {
  it.each(['http://127.0.0.1:11434', 'https://gpu.example.org'])('takes %s', (url) => expect(addressProblem(url)).toBeNull());
  it.each(['', 'gpu.example.org', 'ftp://gpu.example.org', 'http://'])('refuses %s', (url) =>
    expect(addressProblem(url)).toMatch(/http/),
  );

  it.each(['gpu.example.org', '10.0.0.7', '[fe80::1]'])('allows the host %s', (host) => expect(hostProblem(host)).toBeNull());
  it.each(['http://gpu.example.org', 'gpu/path', ''])('refuses the host %s', (host) => expect(hostProblem(host)).not.toBeNull());

  it.each([
    ['http://127.0.0.1:11434', null],
    ['http://localhost:1', null],
    ['http://[::1]:11434', null],
    ['http://127.0.0.1.evil.org', '127.0.0.1.evil.org'],
    ['http://gpu.example.org:11434', 'gpu.example.org'],
    ['nonsense', null],
  ])('knows whether %s is of another machine', (url, host) => expect(foreignHost(url)).toBe(host));
});

describe('undoing a change', () => {
  it('restores what was changed and nothing else', () => {
    const now = settingsSchema.parse({ theme: 'dark', allowedHosts: ['gpu.example.org'] });
    expect(inverseOf({ allowedHosts: [] }, now)).toEqual({ allowedHosts: ['gpu.example.org'] });
    expect(inverseOf({ theme: 'light', concurrency: 4 }, now)).toEqual({ theme: 'dark', concurrency: 0 });
  });
});
