import { refOf } from '../../../../core/record/hash.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import type { EventPayload } from '../../../../shared/events.ts';
import type { CastMember } from '../../../../shared/experiment.ts';
import type { CallFailureKind, EmbeddingRequest, EmbeddingResult } from '../../../../shared/model.ts';
import { readOnce } from '../../../../shared/remembered.ts';
import type { Store } from '../../store/store.ts';
import { sameProbe } from '../backends.ts';
import type { FrozenExperiment } from '../frozen.ts';
import type { Report } from '../performer.ts';
import type { StoredPreparation } from './ledger.ts';
import { embeddingContent } from './ledger.ts';
import { narrativeOf } from './search.ts';
import { batchKey, nameOfSpace, recordedSpace, spaceOf, type VectorPlace } from './vectorSpace.ts';

/** Where a case's vector is, or why it has none; with the ref of what made it. */
export type Known = { readonly setup: string } & (
  | { readonly place: VectorPlace }
  | { readonly failure: { readonly kind: CallFailureKind; readonly message: string } }
);

export interface EmbeddingTerms {
  readonly store: Store;
  readonly frozen: FrozenExperiment;
  readonly ledger: StoredPreparation;
  readonly retriever: CastMember;
  /** Digest of the model as its server reports it now; null where it reports none. */
  readonly digest: string | null;
  readonly probe: readonly number[];
  readonly embed: (backend: string, request: EmbeddingRequest) => Promise<Report<EmbeddingResult>>;
}

export const batchSize = 32;

export type Embeddings = ReturnType<typeof openEmbeddings>;

/** Vectors by one server's model, made once and recorded. Passing failures are asked again. Throws missing-model. */
export function openEmbeddings({ store, frozen, ledger, retriever, digest, probe, embed }: EmbeddingTerms) {
  const { salt, id: dataset } = frozen.dataset;
  const { retries } = frozen.definition.runtime;
  const { model, backend } = retriever;
  const space = spaceOf(retriever, digest);
  const name = nameOfSpace(space);
  const { numCtx } = space;
  const known = new Map<string, Known>();
  let hasVectors = false;

  const otherModel = (detail: string, remedy: string) =>
    new AssizeError(
      'missing-model',
      `backend ${JSON.stringify(backend)} has made vectors of more than one model under the name ${model} ${detail}, and vectors of two models cannot be compared; ${remedy}`,
      'cast.retriever',
    );
  const remedy = 'serve the earlier model under this name, or run the experiment under another name to make new vectors';

  const checkLength = (dimensions: number) => {
    if (dimensions !== probe.length)
      throw otherModel(`(of ${dimensions} numbers, and of ${probe.length} for the test text)`, remedy);
  };

  const learn = ({ cases, vectors, dimensions, failure, setup }: EventPayload<'embedding-make'>) => {
    if (vectors !== null) {
      checkLength(dimensions);
      hasVectors = true;
      cases.forEach((ref, at) => {
        known.set(ref, { setup, place: { vectors, at, dimensions } });
      });
    } else if (failure !== undefined && cases.length === 1) {
      for (const ref of cases) known.set(ref, { setup, failure: { ...failure, message: store.blobs.need(failure.message) } });
    }
  };

  /** Whether vectors of this setup belong to the space. Those of another model under its name stop the run. */
  const isOwn = readOnce((setup: string): boolean => {
    const read = recordedSpace(store.blobs.need(setup));
    const own = read !== null && nameOfSpace(read.space) === name;
    if (own && read.probe !== null && !sameProbe(read.probe, probe)) {
      throw otherModel('(its vector of the test text is not the one on the record)', remedy);
    }
    return own;
  });
  for (const event of ledger.embeddings()) {
    if (event.failure?.permanent !== false && isOwn(event.setup)) learn(event);
  }

  const requestOf = (refs: readonly string[]): EmbeddingRequest => ({
    model,
    texts: refs.map((ref) => narrativeOf(frozen, store.datasets.read(ref))),
    ...(numCtx === undefined ? {} : { numCtx }),
  });

  const record = (key: string, refs: readonly string[], request: EmbeddingRequest, report: Report<EmbeddingResult>) => {
    const { result, sentTo, at } = report;
    const content = embeddingContent(salt, report);
    if (result !== null) {
      if ((sentTo.digest ?? null) !== digest) {
        throw otherModel('(it was changed during the run)', 'run again to make new ones');
      }
      for (const { length } of result.vectors) checkLength(length);
    }
    const options = numCtx === undefined ? {} : { numCtx };
    const stated = { backend, standin: result?.standin ?? null, ...sentTo, model, options };
    const event: EventPayload<'embedding-make'> = {
      v: 1,
      at,
      key,
      request: refOf(salt, JSON.stringify(request)),
      setup: content.keep(JSON.stringify(digest === null ? { ...stated, probe } : stated)),
      cases: [...refs],
      ...content.vectorFields(),
    };
    ledger.appendVectors(event, content);
    return event;
  };

  /** The last answer for a batch: a vector for each, a failure for good, or one that came as often as it may in a run. */
  const ask = async (refs: readonly string[]): Promise<EventPayload<'embedding-make'>> => {
    const base = batchKey(space, refs);
    const request = requestOf(refs);
    for (let number = 1, asked = 0; ; number++) {
      const key = `${base}/attempt-${number}`;
      let event = ledger.find('embedding-make', key);
      if (event !== undefined && !isOwn(event.setup)) continue;
      if (event === undefined) {
        event = record(key, refs, request, await embed(backend, request));
        asked += 1;
      }
      if (event.failure === undefined || event.failure.permanent || asked > retries) return event;
    }
  };

  /** Makes the vectors of a batch; where it fails, of its halves, down to the failing case. */
  const makeBatch = async (refs: readonly string[]): Promise<void> => {
    const event = await ask(refs);
    learn(event);
    if (event.failure === undefined || refs.length === 1) return;
    const middle = Math.ceil(refs.length / 2);
    await makeBatch(refs.slice(0, middle));
    await makeBatch(refs.slice(middle));
  };

  const unknownOf = (refs: readonly string[]) => [...new Set(refs.filter((ref) => !known.has(ref)))];

  /** One after the other: two trials that want the same vectors have them made once. */
  let queue: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
  };

  const find = (ref: string): Known => {
    const found = known.get(ref);
    if (found === undefined) throw new Error(`case ${ref} of data set ${dataset} has no vector`);
    return found;
  };

  /** A server that fails every one of several texts fails them all: thousands of further calls would not help. */
  const refuseNone = (refs: readonly string[]) => {
    const all = refs.map(find);
    const [first] = all;
    if (refs.length < 2 || first === undefined || 'place' in first || all.some((each) => 'place' in each)) return;
    throw new AssizeError(
      'missing-model',
      `model ${model} of backend ${JSON.stringify(backend)} gave no vector for any of ${refs.length} training cases (${first.failure.kind.replaceAll('_', ' ')}: ${first.failure.message}); ` +
        'fix the server and run again, name another embedding model, or leave the role retriever out: precedents are then found by TF-IDF',
      'cast.retriever',
    );
  };

  return {
    /** Name of the space: vectors under one name can be compared. */
    space: name,
    /** What was made of a case. Throws where nothing was. */
    known: find,
    /** Ensures that each case has a vector on the record, or a reason for having none. Throws what is no part of a trial. */
    async make(refs: readonly string[]) {
      if (unknownOf(refs).length > 0) {
        await inTurn(async () => {
          const missing = unknownOf(refs);
          for (let start = 0; start < missing.length; start += batchSize) {
            const batch = missing.slice(start, start + batchSize);
            await makeBatch(batch);
            if (!hasVectors) refuseNone(batch);
          }
        });
      }
      refuseNone(refs);
    },
  };
}
