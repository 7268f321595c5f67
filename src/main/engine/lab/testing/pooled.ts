// Servers whose answers a test decides, asked as a run asks those that share calls.
import { BackendOutage, type CompletionResult, DiedUnderCall, type ModelInfo } from '../../../../shared/model.ts';
import type { LanguageModel } from '../../models/port.ts';
import { emptyResult } from '../../models/testing/results.ts';
import { readyBackends } from '../backends.ts';
import { callPerformer, type PerformerOptions } from '../performer.ts';
import { type RecordedDigest, runWeights } from '../weights.ts';

/** A server of a pool whose answers the test decides. */
export function fakeServer(name: string) {
  const state = {
    ...{ isUp: true, version: '1', digest: 'x' as string | null, has: 'm', error: null as Error | null, asked: 0, looked: 0 },
    answer: {} as Partial<CompletionResult>,
  };
  const refuse = () => {
    if (!state.isUp) throw new BackendOutage(`${name} is away`);
  };
  const model: LanguageModel = {
    kind: 'ollama',
    url: `http://${name}`,
    version: async () => {
      state.looked += 1;
      refuse();
      return { version: state.version, standin: false };
    },
    models: async () => {
      refuse();
      return [{ name: state.has, digest: state.digest, remote: false } as ModelInfo];
    },
    complete: async () => {
      state.asked += 1;
      const { error } = state;
      if (error instanceof DiedUnderCall) state.isUp = false;
      if (error !== null) throw error;
      refuse();
      return { ...emptyResult, text: '{}', ...state.answer };
    },
    embed: () => Promise.reject(new Error('no one asks for vectors')),
  };
  return { name, state, model };
}

const request = {
  model: 'm',
  messages: [],
  schema: {},
  options: { temperature: 0, seed: 1, numCtx: 512, numPredict: 16 },
};

export type FakeServer = ReturnType<typeof fakeServer>;

/** Servers that share the calls of the first, of which the others may be named by an arm too. */
export async function pooled(
  options: Partial<PerformerOptions> = {},
  { recorded = () => null, prepare = () => undefined, names = ['a', 'b'] }: Partial<Scene> = {},
) {
  const servers = names.map(fakeServer);
  const [a = fakeServer('a'), b = fakeServer('b')] = servers;
  prepare(a, b);
  const needed = new Map(names.map((name) => [name, new Map([['m', 512]])]));
  const shared = new Map([['a', names]]);
  const pools = new Map([...names.map((name): [string, readonly string[]] => [name, [name]]), ...shared]);
  const models = new Map(servers.map(({ name, model }) => [name, model]));
  const backends = await readyBackends(models, needed, [], shared);
  const notes: string[] = [];
  const signal = AbortSignal.timeout(60_000);
  const { settle, unfit } = runWeights(backends, pools, {
    recorded: () => (backend, model) => (backend === 'a' ? recorded(backend, model) : null),
    signal,
    onWarning: (_model, sentence) => notes.push(sentence),
  });
  const performer = callPerformer(backends, {
    ...{ signal, unfit, pools, waitMs: 30_000, retryPauseMs: 0, lookAgainMs: 1000 },
    onPause: (backend, reason) => notes.push(`${backend}: ${reason}`),
    onResume: (backend) => notes.push(`${backend} is back`),
    ...options,
  });
  performer.begin(await settle());
  const report = () => performer.perform({ key: 'k', role: 'judge', backend: 'a', request });
  return { a, b, notes, report, ask: async () => (await report()).sentTo.url };
}

interface Scene {
  readonly recorded: RecordedDigest;
  /** Called before the servers are looked at. */
  readonly prepare: (a: FakeServer, b: FakeServer) => void;
  readonly names: readonly string[];
}
