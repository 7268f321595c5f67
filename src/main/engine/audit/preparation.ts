import { z } from 'zod';
import { narrate } from '../../../core/cases/narrative.ts';
import { refOf, toHex } from '../../../core/record/hash.ts';
import { preparationChain } from '../../../core/record/identity.ts';
import type { EventPayload } from '../../../shared/events.ts';
import { experimentSchema } from '../../../shared/experiment.ts';
import type { DatasetRow } from '../store/datasets.ts';
import type { StoredEvent } from '../store/events.ts';
import type { Store } from '../store/store.ts';
import { type BadRecord, badEvent, parseStored } from './chain.ts';
import { checkRequest } from './requests.ts';

const embeddingSetupSchema = z.object({ model: z.string(), options: z.object({ numCtx: z.int().optional() }) });

const bytesPerNumber = 4;

type Precedent = EventPayload<'precedent-retrieve'>['precedents'][number];

/** What is wrong with vectors: their request is made anew from the cases, and there is one for each of them. */
function checkEmbedding(
  store: Store,
  dataset: DatasetRow,
  kind: Parameters<typeof narrate>[1],
  { request, setup, cases, vectors, dimensions }: EventPayload<'embedding-make'>,
): string | null {
  const parsed = embeddingSetupSchema.safeParse(JSON.parse(store.blobs.get(setup) ?? 'null'));
  if (!parsed.success) return 'its setup is missing or not one';
  const texts = cases.map((ref) => narrate(store.datasets.read(ref).facts, kind));
  const { model, options } = parsed.data;
  const sent = { model, texts, ...(options.numCtx === undefined ? {} : { numCtx: options.numCtx }) };
  if (refOf(dataset.salt, JSON.stringify(sent)) !== request) return 'its cases do not have the hash of its request';
  if (vectors === null) return null;
  const stored = store.blobs.bytes(vectors)?.length ?? 0;
  return stored === cases.length * dimensions * bytesPerNumber ? null : 'it has not one vector for each case';
}

/** Checks the chain of what was made once for an experiment. */
export function checkPreparation(store: Store, experiment: string, chain: readonly StoredEvent[]): BadRecord | null {
  const row = store.experiments.get(experiment);
  const [first] = chain;
  if (first === undefined) return null;
  if (row === undefined) return badEvent(first, `experiment ${experiment} is not on the record`);
  const dataset = store.datasets.get(row.dataset);
  const { kind } = experimentSchema.parse(JSON.parse(store.blobs.need(row.definition))).dataset;
  for (const event of chain) {
    const parsed = parseStored(event);
    if (parsed.kind !== 'call-answer' && parsed.kind !== 'embedding-make') {
      return badEvent(event, 'such an event has no place among what an experiment prepares');
    }
    const problem =
      parsed.kind === 'call-answer'
        ? checkRequest(store, dataset, parsed.payload)
        : checkEmbedding(store, dataset, kind, parsed.payload);
    if (problem !== null) return badEvent(event, problem);
  }
  return null;
}

/** The calls of a preparation chain by the hash of their events. */
function preparedCalls(store: Store, experiment: string): Map<string, EventPayload<'call-answer'>> {
  return new Map(
    store.events.chain(preparationChain(experiment)).flatMap((event) => {
      const parsed = parseStored(event);
      return parsed.kind === 'call-answer' ? [[toHex(event.hash), parsed.payload] as const] : [];
    }),
  );
}

const pick = ({ answer, setup, done, rejected, method }: EventPayload<'answer-share'> | EventPayload<'call-answer'>): string =>
  JSON.stringify([answer, setup, done, rejected ?? null, method ?? null]);

/** Checks that every shared answer of a trial is that of the call it names. What an experiment prepared is read once. */
export function sharedAnswerCheck(store: Store): (chain: readonly StoredEvent[]) => BadRecord | null {
  const known = new Map<string, Map<string, EventPayload<'call-answer'>>>();
  const callsOf = (experiment: string) => {
    const calls = known.get(experiment) ?? preparedCalls(store, experiment);
    known.set(experiment, calls);
    return calls;
  };
  return (chain) => {
    let experiment: string | undefined;
    for (const event of chain) {
      const parsed = parseStored(event);
      if (parsed.kind === 'trial-open') experiment = store.experiments.ofFreeze(parsed.payload.freeze)?.name;
      if (parsed.kind !== 'answer-share') continue;
      if (experiment === undefined) return badEvent(event, 'its experiment is not on the record');
      const call = callsOf(experiment).get(parsed.payload.call.hash);
      if (call === undefined || call.key !== parsed.payload.call.key) {
        return badEvent(event, 'the call that it names is not in the preparation chain of its experiment');
      }
      if (pick(call) !== pick(parsed.payload)) return badEvent(event, 'its answer is not that of the call that it names');
    }
    return null;
  };
}

/** What is wrong with a precedent: it is a training case with the label that it is said to have, and not the case on trial. */
function precedentProblem(store: Store, dataset: number, own: string, { case: ref, label }: Precedent): string | null {
  const stored = store.datasets.caseOfRef(dataset, ref);
  if (stored === undefined || stored.split !== 'train') return 'one of its precedents is not of the training split';
  if (ref === own) return 'one of its precedents is the case on trial';
  return store.datasets.read(ref).truth === label ? null : 'one of its precedents has another label';
}

/** Checks the precedents of a trial against its data set. */
export function checkPrecedents(store: Store, chain: readonly StoredEvent[]): BadRecord | null {
  let open: EventPayload<'trial-open'> | null = null;
  for (const event of chain) {
    const parsed = parseStored(event);
    if (parsed.kind === 'trial-open') open = parsed.payload;
    if (parsed.kind !== 'precedent-retrieve' || open === null) continue;
    const experiment = store.experiments.ofFreeze(open.freeze);
    if (experiment === undefined) return badEvent(event, 'its experiment is not on the record');
    for (const precedent of parsed.payload.precedents) {
      const problem = precedentProblem(store, experiment.dataset, open.case, precedent);
      if (problem !== null) return badEvent(event, problem);
    }
  }
  return null;
}
