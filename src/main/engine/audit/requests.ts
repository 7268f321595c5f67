// Checks that a call's recorded messages, setup and seed have the recorded hash.
import { z } from 'zod';
import { refOf } from '../../../core/record/hash.ts';
import { separator } from '../../../core/record/trialCourt.ts';
import type { EventPayload } from '../../../shared/events.ts';
import type { DatasetRow } from '../store/datasets.ts';
import type { Store } from '../store/store.ts';

const setupSchema = z.object({
  model: z.string(),
  options: z.record(z.string(), z.unknown()),
  schema: z.record(z.string(), z.unknown()),
});

/**
 * Makes the request of a call anew from its recorded messages, setup and seed and compares its hash.
 * @returns what is wrong, or null
 */
export function checkRequest(store: Store, dataset: DatasetRow, call: EventPayload<'call-answer'>): string | null {
  const setupText = store.blobs.get(call.setup);
  if (setupText === undefined) return 'its setup is missing';
  const setup = setupSchema.safeParse(JSON.parse(setupText));
  if (!setup.success) return 'its setup is not one';
  const { model, options, schema } = setup.data;
  const messages: { role: string; content: string }[] = [];
  for (const [role, names] of call.messages) {
    const parts = names.map((name) => store.blobs.part(name, dataset.id));
    if (parts.includes(undefined)) return 'a text of its prompt is missing';
    messages.push({ role, content: parts.join(separator) });
  }
  const request = JSON.stringify({ model, messages, schema, options: { ...options, seed: call.seed } });
  return refOf(dataset.salt, request) === call.request ? null : 'its prompt does not have the hash of its request';
}
