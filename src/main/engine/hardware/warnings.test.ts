import { expect, test } from 'vitest';
import type { Gpu } from '../../../shared/api/hardware.ts';
import type { LoadedModel } from '../../../shared/api/models.ts';
import { type FollowedModel, nothingSeen, type WatchMemory, watchNext } from './hardwareManager.ts';

const server = 'http://127.0.0.1:11434';
const followed: FollowedModel = { server, here: true, model: 'llama3.1:8b', numCtx: 8192 };

const loadedWith = (gpu_share: number, context: number | null = 8192, name = 'llama3.1:8b'): LoadedModel => ({
  name,
  size: 1000,
  size_vram: gpu_share * 1000,
  gpu_share,
  context,
  expires_at: null,
});

const card = (id: string, temperature: number | null = 60): Gpu => ({
  id,
  vendor: 'nvidia',
  name: `Card ${id}`,
  memory_total: 24,
  memory_used: 1,
  utilisation: 0.5,
  temperature,
  power: null,
  driver: '550.1',
  unified: false,
  source: 'nvidia-smi',
});

interface Seen {
  readonly loaded?: readonly LoadedModel[] | null;
  readonly gpus?: readonly Gpu[] | null;
  readonly followed?: readonly FollowedModel[];
}

/** Goes through moments one after the other; returns for each the standing and the new warnings. */
function reported(moments: readonly Seen[]) {
  let memory: WatchMemory = nothingSeen;
  return moments.map(({ loaded = [], gpus = [card('a')], followed: models = [followed] }, index) => {
    const at = `2026-01-01T00:00:${String(index).padStart(2, '0')}Z`;
    const watched = watchNext(memory, {
      at,
      gpus,
      loaded: new Map(loaded === null ? [] : [[server, loaded]]),
      followed: models,
    });
    ({ memory } = watched);
    return {
      standing: watched.standing.map(({ kind }) => kind),
      fresh: watched.fresh.map(({ kind }) => kind),
      sentences: watched.standing.map(({ sentence }) => sentence),
      since: watched.standing.map((warning) => warning.at),
    };
  });
}

const share = (value: number): Seen => ({ loaded: [loadedWith(value)] });
const kinds = (moments: readonly Seen[], what: 'standing' | 'fresh') => reported(moments).map((moment) => moment[what].join());

test('a fall to the processor is reported once, is shown as long as it lasts, and is over when the model is back', () => {
  const moments = [share(1), share(1), share(0), share(0), share(1), share(1)];
  expect(kinds(moments, 'fresh')).toEqual(['', '', 'fell-to-processor', '', '', '']);
  expect(kinds(moments, 'standing')).toEqual(['', '', 'fell-to-processor', 'fell-to-processor', '', '']);
  const [, , , still] = reported(moments);
  expect(still?.since).toEqual(['2026-01-01T00:00:02Z']);
  expect(still?.sentences[0]).toMatch(/^llama3\.1:8b is wholly on the processor now, after 100% on the GPU.*restart Ollama/s);
});

test('a fall in steps is reported at each step, also another fall after a partial recovery; rounding is no fall', () => {
  expect(kinds([share(1), share(0.6), share(0.6), share(0)], 'fresh')).toEqual([
    '',
    'fell-to-processor',
    '',
    'fell-to-processor',
  ]);
  expect(kinds([share(1), share(0), share(0.5), share(0)], 'fresh')).toEqual(['', 'fell-to-processor', '', 'fell-to-processor']);
  expect(kinds([share(1), share(0.985), share(1)], 'fresh')).toEqual(['', '', '']);
  const [, part] = reported([share(1), share(0.6)]);
  expect(part?.sentences[0]).toContain('only 60% on the GPU now, after 100%');
});

test('a model that was unloaded and comes back on the processor has fallen; unloaded again, the warning does not stand', () => {
  const none: Seen = { loaded: [] };
  const moments = [share(1), none, share(0), none, share(0)];
  expect(kinds(moments, 'standing')).toEqual(['', '', 'fell-to-processor', '', 'fell-to-processor']);
  expect(kinds(moments, 'fresh')).toEqual(['', '', 'fell-to-processor', '', '']);
});

test('a server that keeps silent for a moment changes nothing', () => {
  const silent: Seen = { loaded: null };
  expect(kinds([share(1), share(0), silent, share(0)], 'standing')).toEqual([
    '',
    'fell-to-processor',
    'fell-to-processor',
    'fell-to-processor',
  ]);
  expect(kinds([share(1), share(0), silent, share(0)], 'fresh')).toEqual(['', 'fell-to-processor', '', '']);
});

test('partly on the processor from the start is a milder warning; wholly is a warning only on a machine with a GPU', () => {
  expect(kinds([share(0.4), share(0.4)], 'fresh')).toEqual(['partly-on-processor', '']);
  const [there] = reported([share(0)]);
  expect(there?.sentences[0]).toContain('on the processor alone although there is a GPU (Card a)');
  expect(kinds([{ ...share(0), gpus: [] }], 'fresh')).toEqual(['']);
  expect(kinds([{ ...share(0), followed: [{ ...followed, here: false }] }], 'fresh')).toEqual(['']);
});

test('a context below the run’s is reported; a model that the run does not ask, or that fits, is not', () => {
  expect(kinds([{ loaded: [loadedWith(1, 4096)] }], 'fresh')).toEqual(['context-shrank']);
  expect(reported([{ loaded: [loadedWith(1, 4096)] }])[0]?.sentences[0]).toContain(
    'a context of 4,096 tokens and the run asks for 8,192',
  );
  expect(kinds([{ loaded: [loadedWith(1, 16_384)] }], 'fresh')).toEqual(['']);
  expect(kinds([{ loaded: [loadedWith(1, null)] }], 'fresh')).toEqual(['']);
  expect(kinds([{ loaded: [loadedWith(0.2, 512, 'other:7b')] }], 'fresh')).toEqual(['']);
  expect(kinds([{ loaded: [loadedWith(1, 512)], followed: [{ ...followed, numCtx: 0 }] }], 'fresh')).toEqual(['']);
});

test('servers list names as the user wrote them: case does not matter', () => {
  expect(kinds([{ loaded: [loadedWith(0.4, 8192, 'Llama3.1:8B')] }], 'fresh')).toEqual(['partly-on-processor']);
});

test('what is not followed any more is forgotten: another run of the model starts fresh', () => {
  const moments = [share(1), share(0), { ...share(0), followed: [] }, share(0)];
  expect(kinds(moments, 'standing')).toEqual(['', 'fell-to-processor', '', 'partly-on-processor']);
});

test('a GPU that vanishes is reported once and cleared when it is back; one that could not be read is not gone', () => {
  const gone: Seen = { gpus: [card('a')] };
  const both: Seen = { gpus: [card('a'), card('b')] };
  const unread: Seen = { gpus: null };
  expect(kinds([both, unread, gone, gone, both], 'standing')).toEqual(['', '', 'gpu-lost', 'gpu-lost', '']);
  expect(kinds([both, unread, gone, gone, both], 'fresh')).toEqual(['', '', 'gpu-lost', '', '']);
  const logged: Seen = { gpus: [card('a'), { ...card('c'), source: 'ollama-log' }] };
  expect(kinds([logged, gone], 'standing')).toEqual(['', '']);
});

test('heat is reported from its threshold on, and is over only when the GPU has cooled', () => {
  const at = (temperature: number | null): Seen => ({ gpus: [card('a', temperature)] });
  expect(kinds([at(89), at(91), at(87), at(84), at(89), at(null)], 'standing')).toEqual(['', 'hot', 'hot', '', '', '']);
  expect(kinds([at(91), at(87), at(92)], 'fresh')).toEqual(['hot', '', '']);
});
