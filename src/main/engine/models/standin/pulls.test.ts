import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { until } from '../../lab/testing/laboratory.ts';
import { emptyDisk } from './disk.ts';
import { type Standin, type StandinOptions, startStandin } from './standin.ts';

const lineSchema = z.object({
  status: z.string().optional(),
  digest: z.string().optional(),
  total: z.number().optional(),
  completed: z.number().optional(),
  error: z.string().optional(),
});

const open = new Set<Standin>();
afterEach(async () => {
  await Promise.all([...open].map((standin) => standin.close()));
  open.clear();
});
async function start(options: Partial<StandinOptions> = {}): Promise<Standin> {
  const standin = await startStandin({ port: 0, ...options });
  open.add(standin);
  return standin;
}

const ask = (standin: Standin, model: string, signal?: AbortSignal) =>
  fetch(`${standin.url}/api/pull`, {
    method: 'POST',
    body: JSON.stringify({ model }),
    ...(signal === undefined ? {} : { signal }),
  });

async function linesOf(response: Response): Promise<z.infer<typeof lineSchema>[]> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true });
  } catch {
    // A cut answer counts as far as it came.
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => lineSchema.parse(JSON.parse(line)));
}

const slow = { base: 'laptop', machine: { pullRate: 1e9 } };

describe('a pull as Ollama answers it', () => {
  test('manifest, every layer with digest and bytes, verifying, writing, success', async () => {
    const standin = await start();
    const lines = await linesOf(await ask(standin, 'newcomer:3b'));
    expect(lines.map(({ status }) => status)).toEqual([
      'pulling manifest',
      ...Array.from({ length: 15 }, () => expect.stringMatching(/^pulling [0-9a-f]{12}$/)),
      'verifying sha256 digest',
      'writing manifest',
      'success',
    ]);
    const layers = new Map<string, number[]>();
    for (const { digest, completed = 0 } of lines)
      if (digest !== undefined) layers.set(digest, [...(layers.get(digest) ?? []), completed]);
    expect(layers.size).toBe(3);
    // A zero is left out of the line, and the bytes grow up to the total.
    for (const [digest, completed] of layers) {
      expect(completed).toEqual(completed.toSorted((one, other) => one - other));
      expect(completed.at(-1)).toBe(lines.find((line) => line.digest === digest)?.total);
    }
    expect(lines.find(({ digest }) => digest !== undefined)).not.toHaveProperty('completed');
  });

  test('a model that is there is told at once, layer by layer', async () => {
    const standin = await start();
    const lines = await linesOf(await ask(standin, 'llama3.1:8b'));
    expect(lines.filter(({ digest }) => digest !== undefined)).toHaveLength(3);
    expect(lines.at(-1)?.status).toBe('success');
  });

  test('what goes wrong is the last line; a name that is none is refused', async () => {
    const standin = await start();
    expect((await linesOf(await ask(standin, 'missing:1b'))).at(-1)).toEqual({
      error: 'pull model manifest: file does not exist',
    });
    const refused = await ask(standin, '../../etc/passwd');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: 'invalid model name' });
  });

  test('a connection that is closed stops it, and the next request goes on where it was', async () => {
    const standin = await start({ profile: slow });
    const leave = new AbortController();
    const response = await ask(standin, 'newcomer:3b', leave.signal);
    const reader = response.body?.getReader();
    for (let seen = ''; !seen.includes('"completed"'); ) seen += new TextDecoder().decode((await reader?.read())?.value);
    expect(standin.pulls()).toBe(1);
    leave.abort();
    await until(() => standin.pulls() === 0);
    const again = await linesOf(await ask(standin, 'newcomer:3b'));
    const first = again.find(({ digest }) => digest !== undefined);
    expect(first?.completed).toBeGreaterThan(0);
    expect(again.at(-1)?.status).toBe('success');
  });

  test('two who ask for one model are both served, and neither sees bytes twice', async () => {
    const standin = await start({ profile: slow });
    const [one, other] = await Promise.all([
      ask(standin, 'newcomer:3b').then(linesOf),
      ask(standin, 'newcomer:3b').then(linesOf),
    ]);
    expect(one.at(-1)?.status).toBe('success');
    expect(other.at(-1)?.status).toBe('success');
    // The bytes of one are the bytes of the other: together they grow from zero to the whole once.
    const weights = (lines: typeof one) => lines.flatMap(({ total = 0, completed = 0 }) => (total > 1e6 ? [completed] : []));
    for (const seen of [weights(one), weights(other)]) {
      expect(seen).toEqual(seen.toSorted((left, right) => left - right));
      expect(new Set(seen).size).toBe(seen.length);
    }
  });

  test('a share of the lines breaks the connection, and nothing is lost by it', async () => {
    const standin = await start({ profile: 'instant+pull-cut:0.3' });
    let cuts = 0;
    for (let tries = 0; tries < 100; tries++) {
      const last = (await linesOf(await ask(standin, 'newcomer:3b'))).at(-1);
      if (last?.status === 'success') break;
      expect(last?.error).toBeUndefined();
      cuts += 1;
    }
    expect(cuts).toBeGreaterThan(2);
    expect(cuts).toBeLessThan(100);
  });

  test('another one with the same disk has the models and the halves of models', async () => {
    const disk = emptyDisk();
    const cut = await start({ disk, pullFault: ({ lines }) => (lines === 3 ? 'cut' : null) });
    await linesOf(await ask(cut, 'newcomer:3b'));
    await cut.close();
    const next = await start({ disk });
    const lines = await linesOf(await ask(next, 'newcomer:3b'));
    expect(lines.find(({ digest }) => digest !== undefined)?.completed).toBeGreaterThan(0);
    await next.close();
    const last = await start({ disk, anyModel: false });
    const shown = await fetch(`${last.url}/api/show`, { method: 'POST', body: JSON.stringify({ model: 'newcomer:3b' }) });
    expect(shown.status).toBe(200);
  });
});

test('what a model is made of stands in its details; lists only where many words are asked for', async () => {
  const standin = await start();
  const show = async (model: string, verbose: boolean) => {
    const response = await fetch(`${standin.url}/api/show`, { method: 'POST', body: JSON.stringify({ model, verbose }) });
    return z.object({ model_info: z.record(z.string(), z.unknown()) }).parse(await response.json()).model_info;
  };
  expect(await show('qwen2.5:7b', false)).toMatchObject({
    'qwen2.block_count': 28,
    'qwen2.attention.head_count_kv': 4,
    'qwen2.embedding_length': 3584,
    'qwen2.context_length': 32768,
  });
  expect((await show('openelm:1b', false))['openelm.attention.head_count_kv']).toBeNull();
  expect((await show('openelm:1b', true))['openelm.attention.head_count_kv']).toHaveLength(16);
});
