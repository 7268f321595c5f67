// What trials of an experiment share, made once when the first of them asks: vectors, precedents and answers.
import type { PrecedentQuery } from '../../../../core/protocols/court.ts';
import type { Effects, PreparedCall, Retrieval, SharedAnswer, SharedAsk } from '../../../../core/record/effects.ts';
import { refOf } from '../../../../core/record/hash.ts';
import { answerShared } from '../../../../core/record/sharedAnswer.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import type { EventPayload } from '../../../../shared/events.ts';
import type { CastMember } from '../../../../shared/experiment.ts';
import type { CallFailureKind, EmbeddingRequest, EmbeddingResult } from '../../../../shared/model.ts';
import { readOnce } from '../../../../shared/remembered.ts';
import type { Store } from '../../store/store.ts';
import { probeName, type ReadyBackend, sameProbe } from '../backends.ts';
import type { FrozenExperiment, PlannedTrial } from '../frozen.ts';
import type { CallPerformer, Report } from '../performer.ts';
import { embeddingContent, openPreparation, type StoredPreparation } from './ledger.ts';
import type { RetrievalThread } from './retrievalThread.ts';
import { type KnownCase, narrativeOf, type Search } from './search.ts';
import { batchKey, nameOfSpace, recordedSpace, spaceOf, type VectorPlace, vectorReader } from './vectorSpace.ts';

/** What the trials of a run share. Nothing is read or made before a trial asks for it. */
export function openPreparations(
  store: Store,
  frozen: FrozenExperiment,
  backends: ReadonlyMap<string, ReadyBackend>,
  performer: CallPerformer,
) {
  let ledger: StoredPreparation | undefined;
  let retriever: Retriever | undefined;
  const embeddings = new Map<string, Embeddings>();
  const underWay = new Map<string, Promise<SharedAnswer>>();
  /** Digest of a model as its server last reported it with an answer: it can be changed during a run. */
  const answering = new Map<string, unknown>();

  const ledgerOf = () => {
    ledger ??= openPreparation(store, frozen);
    return ledger;
  };

  const embeddingsOf = (member: CastMember): Embeddings => {
    const { digests, probes } = backends.get(member.backend) ?? {};
    const digest = digests?.get(member.model) ?? null;
    const probe = probes?.get(probeName(member));
    if (probe === undefined) throw new Error(`the vectors of ${member.model} were not probed`);
    const name = nameOfSpace(spaceOf(member, digest));
    const known = embeddings.get(name);
    if (known !== undefined) return known;
    const opened = openEmbeddings({
      store,
      frozen,
      ledger: ledgerOf(),
      retriever: member,
      digest,
      probe,
      embed: performer.embed,
    });
    embeddings.set(name, opened);
    return opened;
  };

  /** Two trials that ask the same at the same time wait for one answer. */
  const askOnce = (asked: SharedAsk): Promise<SharedAnswer> => {
    const asking = underWay.get(asked.name);
    if (asking !== undefined) return asking;
    const { backend, model } = asked.terms.castOf(asked.role);
    const place = JSON.stringify([backend, model]);
    const digest = answering.get(place) ?? backends.get(backend)?.digests.get(model) ?? null;
    const perform = async (call: PreparedCall) => {
      const report = await performer.perform(call);
      answering.set(place, report.sentTo.digest);
      return report;
    };
    const answer = answerShared(asked, ledgerOf(), perform, typeof digest === 'string' ? digest : null).finally(() =>
      underWay.delete(asked.name),
    );
    underWay.set(asked.name, answer);
    return answer;
  };

  return {
    effects: ({ caseId }: PlannedTrial): Pick<Effects, 'askOnce' | 'retrieve'> => ({
      askOnce,
      async retrieve(query, terms) {
        retriever ??= openRetriever(store, frozen);
        const stored = store.datasets.caseOfId(frozen.dataset.id, caseId);
        if (stored === undefined) throw new Error(`case ${caseId} is not in the data set`);
        const kase = { id: caseId, ref: stored.ref, narrative: narrativeOf(frozen, store.datasets.read(stored.ref)) };
        if (query.retriever === 'random') return retriever.find(kase, query, { method: 'random', seed: terms.seed });
        if (terms.retriever === null) return retriever.find(kase, query, { method: 'tf-idf' });
        return retriever.byVectors(kase, query, embeddingsOf(terms.retriever));
      },
    }),
    async close() {
      await retriever?.close();
    },
  };
}

type Retriever = ReturnType<typeof openRetriever>;

/** A retriever over the training cases of an experiment. It begins a thread when it is first asked. */
function openRetriever(store: Store, { name, freeze }: FrozenExperiment) {
  let thread: Promise<RetrievalThread> | undefined;
  const indexed = new Map<string, Promise<void>>();

  const started = (): Promise<RetrievalThread> => {
    thread ??= import('./retrievalThread.ts').then(({ openRetrievalThread }) => openRetrievalThread(store.path, name, freeze));
    return thread;
  };

  const index = (embeddings: Embeddings): Promise<void> => {
    const made = indexed.get(embeddings.space);
    if (made !== undefined) return made;
    const making = started().then(async ({ training, addVectors }) => {
      await embeddings.make(training);
      const places = training.map((ref) => {
        const known = embeddings.known(ref);
        return 'place' in known ? known.place : null;
      });
      await addVectors(embeddings.space, places);
    });
    indexed.set(embeddings.space, making);
    // The next request begins again what was cut short.
    making.catch(() => indexed.delete(embeddings.space));
    return making;
  };

  const find = async (
    kase: KnownCase,
    { labels, perLabel }: PrecedentQuery,
    by: Search['by'],
    setup: string | null = null,
  ): Promise<Retrieval> => {
    const { search } = await started();
    const { precedents, withoutVector } = await search({ kase, labels, perLabel, by });
    return { method: by.method, setup, precedents, ...(withoutVector === 0 ? {} : { withoutVector }), failure: null };
  };

  return {
    find,

    /** By the cosine of a model's vectors. Throws what is no part of a trial. */
    async byVectors(kase: KnownCase, query: PrecedentQuery, embeddings: Embeddings): Promise<Retrieval> {
      await index(embeddings);
      await embeddings.make([kase.ref]);
      const known = embeddings.known(kase.ref);
      const setup = store.blobs.need(known.setup);
      if (!('place' in known)) return { method: 'embeddings', setup, precedents: [], failure: known.failure };
      const own = vectorReader(store)(known.place);
      return find(kase, query, { method: 'embeddings', space: embeddings.space, own }, setup);
    },

    async close() {
      // The request itself fails with the reason.
      await thread?.then(({ close }) => close()).catch(() => undefined);
    },
  };
}

/** Where a case's vector is, or why it has none; with the ref of what made it. */
export type Known = { readonly setup: string } & (
  | { readonly place: VectorPlace }
  | { readonly failure: { readonly kind: CallFailureKind; readonly message: string } }
);

interface EmbeddingTerms {
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

type Embeddings = ReturnType<typeof openEmbeddings>;

/** Vectors by one server's model, made once and recorded. Passing failures are asked again. Throws missing-model. */
function openEmbeddings({ store, frozen, ledger, retriever, digest, probe, embed }: EmbeddingTerms) {
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
