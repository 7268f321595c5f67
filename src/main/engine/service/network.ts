import type { BackendChoice } from '../../../shared/api/engine.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import type { ProfileOverrides } from '../models/demo/profiles.ts';
import { createDispatcher, type NetworkDispatcher } from '../models/dispatcher.ts';
import type { SettingsFile } from './settings.ts';

/** About a second for a call, so that a person can follow a trial; as many at once as a run may ask for. */
const pace: ProfileOverrides = {
  base: 'workstation',
  machine: {
    promptRate: 20_000,
    decodeRate: 220,
    slots: 64,
    loadRate: 2 ** 40,
  },
};

/** The engine's way out, remade when allowed hosts change. @param profile of the demo model @param ollamaUrl asked now */
export function openNetwork(
  settings: Pick<SettingsFile, 'read'>,
  profile: string | undefined,
  ollamaUrl: () => string = () => settings.read().ollamaUrl,
) {
  const all: NetworkDispatcher[] = [];
  let current: { readonly dispatcher: NetworkDispatcher; readonly allowedHosts: readonly string[] } | undefined;
  let standin: Promise<DemoServer> | undefined;

  const renewed = (): NetworkDispatcher => {
    const { allowedHosts } = settings.read();
    const now = new Set(allowedHosts);
    const before = current?.allowedHosts ?? [];
    if (current !== undefined && now.size === before.length && before.every((host) => now.has(host))) return current.dispatcher;
    // Calls to a host that is no longer allowed end at once; otherwise calls under way are left to end.
    if (before.some((host) => !now.has(host))) void current?.dispatcher.close();
    current = { dispatcher: createDispatcher({ allowedHosts: [...now] }), allowedHosts: [...now] };
    all.push(current.dispatcher);
    return current.dispatcher;
  };

  /** Runs keep it for days, so every request goes by the settings of its moment. */
  const dispatcher: NetworkDispatcher = {
    fetch: (url, init) => renewed().fetch(url, init),
    permits: (url) => renewed().permits(url),
    connections() {
      const counts = new Map<string, number>();
      for (const [host, count] of all.flatMap((each) => [...each.connections()])) {
        counts.set(host, (counts.get(host) ?? 0) + count);
      }
      return counts;
    },
    elsewhere: () => new Set(all.flatMap((each) => [...each.elsewhere()])),
    refused: () => all.reduce((sum, each) => sum + each.refused(), 0),
    async close() {
      await Promise.all(all.map((each) => each.close()));
    },
  };

  return {
    /** One for all: its requests go by the settings of their moment. Asked for, it ends calls that these forbid. */
    dispatcher(): NetworkDispatcher {
      renewed();
      return dispatcher;
    },
    /** Connections over all dispatchers so far. */
    connections() {
      const elsewhere = dispatcher.elsewhere();
      return [...dispatcher.connections()].map(([host, count]) => ({ host, count, loopback: !elsewhere.has(host) }));
    },
    refused: dispatcher.refused,
    /** Address of a backend; starts the demo model at its first use. */
    async url(backend: BackendChoice): Promise<string> {
      if (backend === 'ollama') return ollamaUrl();
      standin ??= startDemoServer({ profile: profile ?? pace });
      try {
        return (await standin).url;
      } catch (error) {
        standin = undefined;
        throw error;
      }
    },
    async close(): Promise<void> {
      await dispatcher.close();
      await (await standin)?.close();
    },
  };
}

export type Network = ReturnType<typeof openNetwork>;
