import { expect, test } from 'vitest';
import type { Fit, ModelsView } from '../../../../shared/api/models.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import { fitNotes } from './fitNotes.ts';

const never = new AbortController().signal;
const view: Omit<ModelsView, 'problem'> = { url: 'http://127.0.0.1:1', standin: false, installed: [], disk_free: null };

/** Models of which those in the list have these verdicts; it keeps the contexts that were asked for. */
function desk(verdicts: Readonly<Record<string, Fit['verdict']>>, standin = false) {
  const contexts: number[] = [];
  const sized = (model: string, verdict: Fit['verdict'], context: number): Fit => ({
    model,
    context,
    slots: 1,
    verdict,
    weights: null,
    key_values: null,
    overhead: null,
    needed: null,
    gpu_free: null,
    memory_free: null,
    gpu_context: null,
    reason: `reason of ${context}.`,
  });
  return {
    contexts,
    read: async () => ({ ...view, standin }),
    async fits({ context }: { context: number }) {
      contexts.push(context);
      return Object.entries(verdicts).map(([model, verdict]) => sized(model, verdict, context));
    },
  };
}

test('models that will not be on the GPU are told, each by the context of its own calls', async () => {
  const models = desk({ 'big:latest': 'no', 'half:8b': 'partly', 'fine:1b': 'gpu', 'main:1b': 'memory', 'odd:1b': 'unknown' });
  const needed = new Map([
    ['Big', 8192],
    ['half:8b', 4096],
    ['fine:1b', 8192],
    ['main:1b', 8192],
    ['odd:1b', 8192],
    ['vectors:1b', 0],
    ['absent:1b', 4096],
  ]);
  expect(await fitNotes(models, needed, never)).toEqual(['model Big: reason of 8192.', 'model half:8b: reason of 4096.']);
  expect(models.contexts).toEqual([8192, 4096]);
});

test('a stand-in, a server that is away and a plan without models have no notes', async () => {
  const needed = new Map([['big', 8192]]);
  expect(await fitNotes(desk({ 'big:latest': 'no' }, true), needed, never)).toEqual([]);
  const away = { ...desk({}), read: () => Promise.reject(new AssizeError('no-backend', 'away')) };
  expect(await fitNotes(away, needed, never)).toEqual([]);
  const none = desk({ big: 'no' });
  expect(await fitNotes(none, new Map([['vectors', 0]]), never)).toEqual([]);
  expect(none.contexts).toEqual([]);
  const broken = { ...desk({}), fits: () => Promise.reject(new TypeError('a fault of the program')) };
  await expect(fitNotes(broken, needed, never)).rejects.toThrow('a fault of the program');
});
