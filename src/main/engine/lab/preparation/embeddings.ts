import { noSalt, partName, refOf, refOfBytes } from '../../../../core/record/hash.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import type { EventPayload } from '../../../../shared/events.ts';
import type { CastMember } from '../../../../shared/experiment.ts';
import type { CallFailureKind, EmbeddingRequest, EmbeddingResult } from '../../../../shared/model.ts';
import type { Store } from '../../store/store.ts';
import type { FrozenExperiment } from '../frozen.ts';
import type { Report } from '../performer.ts';
import type { StoredPreparation } from './ledger.ts';
import type { KnownCase } from './trainingCases.ts';

/** A case's vector, or why it has none. */
export type Embedded = Float32Array | { readonly kind: CallFailureKind; readonly message: string };

/** What was asked for the vectors: those of one setup can be compared. */
export interface EmbeddingSetup {
  readonly backend: string;
  readonly model: string;
  readonly digest: string | null;
}

export interface Embeddings {
  /** As recorded with the vectors of a case, as JSON text. Throws where it has none. */
  setupOf(kase: KnownCase): string;
  /** The vector of every case, in order: from the record where it has it, else made. Throws what is no part of a trial. */
  of(cases: readonly KnownCase[]): Promise<Embedded[]>;
}

export interface EmbeddingTerms {
  readonly store: Store;
  readonly frozen: FrozenExperiment;
  readonly ledger: StoredPreparation;
  readonly retriever: CastMember;
  /** Digest of the model as its server tells it now; null where it tells none. */
  readonly digest: string | null;
  readonly embed: (backend: string, request: EmbeddingRequest) => Promise<Report<EmbeddingResult>>;
}

/** Texts sent at a time. */
export const batchSize = 32;

const sameSetup = (text: string, { backend, model, digest }: EmbeddingSetup): boolean => {
  const found: Partial<EmbeddingSetup> = JSON.parse(text);
  return found.backend === backend && found.model === model && (found.digest ?? null) === digest;
};

const attemptOf = (key: string) => Number(/\/attempt-(\d+)$/.exec(key)?.[1] ?? 1);

/** Vectors of cases by one model of one server, made once and kept in the record. */
export function openEmbeddings({ store, frozen, ledger, retriever, digest, embed }: EmbeddingTerms): Embeddings {
  const { salt, id: dataset } = frozen.dataset;
  const { retries } = frozen.definition.runtime;
  const { model, backend, options } = retriever;
  const space: EmbeddingSetup = { backend, model, digest };
  const known = new Map<string, { embedded: Embedded; setup: string }>();

  const isFinal = ({ key, failure }: EventPayload<'embedding-make'>) =>
    failure !== undefined && (failure.permanent || attemptOf(key) > retries);

  /** Takes note of what an event says of its cases. */
  const learn = (event: EventPayload<'embedding-make'>) => {
    const { cases, vectors, dimensions, failure } = event;
    if (vectors !== null) {
      const bytes = store.blobs.bytes(vectors);
      if (bytes === undefined) {
        throw new AssizeError('store-unreadable', `vectors ${vectors} are missing or damaged; assize verify tells what else is`);
      }
      // A copy begins where floats may begin, which a piece of a larger buffer need not.
      const values = new Float32Array(new Uint8Array(bytes).buffer);
      cases.forEach((ref, place) => {
        known.set(ref, { embedded: values.subarray(place * dimensions, (place + 1) * dimensions), setup: event.setup });
      });
    } else if (failure !== undefined && cases.length === 1 && isFinal(event)) {
      const message = store.blobs.need(failure.message);
      for (const ref of cases) known.set(ref, { embedded: { kind: failure.kind, message }, setup: event.setup });
    }
  };
  for (const event of ledger.embeddings()) if (sameSetup(store.blobs.need(event.setup), space)) learn(event);

  const requestOf = (cases: readonly KnownCase[]): EmbeddingRequest => ({
    model,
    texts: cases.map(({ narrative }) => narrative),
    ...(options.numCtx === undefined ? {} : { numCtx: options.numCtx }),
  });

  const record = (key: string, cases: readonly KnownCase[], { result, failure, sentTo, at, wallMs }: Report<EmbeddingResult>) => {
    const texts = new Map<string, string>();
    const bytes = new Map<string, Buffer>();
    const keep = (text: string) => {
      const ref = refOf(salt, text.toWellFormed());
      texts.set(ref, text.toWellFormed());
      return ref;
    };
    const keepVectors = (vectors: EmbeddingResult['vectors']) => {
      const content = Buffer.from(Float32Array.from(vectors.flat()).buffer);
      const ref = refOfBytes(salt, content);
      bytes.set(ref, content);
      return ref;
    };
    if (result !== null && (sentTo.digest ?? null) !== digest) {
      throw new AssizeError(
        'missing-model',
        `embedding model ${model} was changed on its server during the run, and vectors of two models cannot be compared; run again to make them anew`,
        { field: 'cast.retriever' },
      );
    }
    const event: EventPayload<'embedding-make'> = {
      v: 1,
      at,
      key,
      request: refOf(salt, JSON.stringify(requestOf(cases))),
      setup: keep(JSON.stringify({ backend, standin: result?.standin ?? null, ...sentTo, model, options })),
      cases: cases.map(({ ref }) => ref),
      vectors: result === null ? null : keepVectors(result.vectors),
      dimensions: result?.vectors[0]?.length ?? 0,
      ...(failure === null ? {} : { failure: { ...failure, message: keep(failure.message) } }),
      promptTokens: result?.promptTokens ?? 0,
      modelMs: result?.modelMs ?? 0,
      wallMs: Math.round(wallMs * 1000) / 1000,
    };
    ledger.appendBytes(event, texts, bytes);
    learn(event);
    return event;
  };

  /** Makes the vectors of a batch; where it fails for good, of its halves, down to the case that is at fault. */
  const make = async (cases: readonly KnownCase[]): Promise<void> => {
    const name = refOf(noSalt, JSON.stringify([space, cases.map(({ ref }) => ref)]));
    for (let number = 1; ; number++) {
      const key = `embed/${partName(name)}/attempt-${number}`;
      const event = ledger.find('embedding-make', key) ?? record(key, cases, await embed(backend, requestOf(cases)));
      if (event.failure === undefined) return;
      if (isFinal(event)) break;
    }
    if (cases.length === 1) return;
    const middle = Math.ceil(cases.length / 2);
    await make(cases.slice(0, middle));
    await make(cases.slice(middle));
  };

  const unknownOf = (cases: readonly KnownCase[]) => [
    ...new Map(cases.filter(({ ref }) => !known.has(ref)).map((kase) => [kase.ref, kase])).values(),
  ];

  /** One after the other: two trials that want the same vectors have them made once. */
  let queue: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
  };

  const recorded = ({ id, ref }: KnownCase) => {
    const found = known.get(ref);
    if (found === undefined) throw new Error(`case ${id} of data set ${dataset} has no vector`);
    return found;
  };

  return {
    setupOf: (kase) => store.blobs.need(recorded(kase).setup),
    async of(cases) {
      if (unknownOf(cases).length > 0) {
        await inTurn(async () => {
          const missing = unknownOf(cases);
          for (let start = 0; start < missing.length; start += batchSize) await make(missing.slice(start, start + batchSize));
        });
      }
      return cases.map((kase) => recorded(kase).embedded);
    },
  };
}
