import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { type Settings, settingsSchema } from '../../../shared/api/engine.ts';
import { assizeCause } from '../models/dispatcher.ts';
import { serve } from '../models/testing/server.ts';
import { kept } from '../testing/kept.ts';
import type { Network } from './network.ts';
import { openNetwork } from './network.ts';

const serving = async (answer = (response: ServerResponse): unknown => response.end('here')): Promise<number> =>
  kept(await serve((_request, response) => answer(response))).port;

function networkOf(settings: Partial<Settings> = {}, profile: string | undefined = 'instant') {
  let current = settingsSchema.parse(settings);
  const network = kept(openNetwork({ read: () => current }, profile));
  return {
    network,
    set: (change: Partial<Settings>) => {
      current = { ...current, ...change };
    },
  };
}

const get = async (network: Network, url: string): Promise<string> => {
  try {
    return await text((await network.dispatcher().fetch(url)).body);
  } catch (error) {
    return assizeCause(error)?.code ?? 'other';
  }
};

describe('the way out', () => {
  test('follows the allowed hosts of the moment, also for users that got it before they changed', async () => {
    const port = await serving();
    // The one address beyond loopback that leads back to this machine.
    const url = `http://0.0.0.0:${port}`;
    const { network, set } = networkOf();
    const held = network.dispatcher();
    const outcome = () =>
      held.fetch(url).then(
        (response) => text(response.body),
        (error: unknown) => assizeCause(error)?.code,
      );
    expect(await outcome()).toBe('bad-input');
    set({ allowedHosts: ['0.0.0.0'] });
    expect(await outcome()).toBe('here');
    set({ allowedHosts: [] });
    expect(await outcome()).toBe('bad-input');
  });

  test('counts over all changes of the settings', async () => {
    const port = await serving();
    const { network, set } = networkOf();
    await get(network, `http://127.0.0.1:${port}`);
    await get(network, 'http://example.invalid');
    set({ allowedHosts: ['models.invalid'] });
    await get(network, `http://127.0.0.1:${port}`);
    await get(network, 'http://example.invalid');
    set({ allowedHosts: [] });
    expect(network.connections()).toEqual([{ host: '127.0.0.1', count: 2, loopback: true }]);
    expect(network.refused()).toBe(2);
  });

  /** A call that is under way while the allowed hosts change, and its server. */
  async function callThroughChange(before: readonly string[], after: readonly string[]): Promise<string> {
    const asked = Promise.withResolvers<ServerResponse>();
    const port = await serving((response) => asked.resolve(response));
    const { network, set } = networkOf({ allowedHosts: [...before] });
    const call = get(network, `http://0.0.0.0:${port}`);
    const response = await asked.promise;
    set({ allowedHosts: [...after] });
    network.dispatcher();
    response.end('in time');
    return call;
  }

  test('leaves a call under way alone when more hosts are allowed', async () => {
    expect(await callThroughChange(['0.0.0.0'], ['models.invalid', '0.0.0.0'])).toBe('in time');
  });

  test('ends a call under way when its host is no longer allowed', async () => {
    expect(await callThroughChange(['0.0.0.0'], ['models.invalid'])).toBe('other');
  });
});

describe('addresses', () => {
  test('of Ollama are those of the settings', async () => {
    const { network, set } = networkOf();
    expect(await network.url('ollama')).toBe('http://127.0.0.1:11434');
    set({ ollamaUrl: 'http://127.0.0.1:9' });
    expect(await network.url('ollama')).toBe('http://127.0.0.1:9');
  });

  test('of the demo model is one that answers on this machine, begun once and ended with the network', async () => {
    const { network } = networkOf();
    const [url, again] = await Promise.all([network.url('standin'), network.url('standin')]);
    expect(again).toBe(url);
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect(JSON.parse(await get(network, `${url}/api/version`))).toMatchObject({ version: '0.0.0-standin' });
    await network.close();
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('of a demo model with an unknown profile is refused by name', async () => {
    const { network } = networkOf({}, 'no-such-profile');
    await expect(network.url('standin')).rejects.toThrow("unknown demo model profile 'no-such-profile'");
  });
});
