import type { PrecedentQuery } from '../../../../core/protocols/court.ts';
import type { Effects, PreparedCall, Retrieval, SharedAnswer, SharedAsk } from '../../../../core/record/effects.ts';
import { answerShared } from '../../../../core/record/sharedAnswer.ts';
import type { CastMember } from '../../../../shared/experiment.ts';
import type { Store } from '../../store/store.ts';
import type { ReadyBackend } from '../backends.ts';
import { probeName } from '../backends.ts';
import type { FrozenExperiment, PlannedTrial } from '../frozen.ts';
import type { CallPerformer } from '../performer.ts';
import { type Embeddings, openEmbeddings } from './embeddings.ts';
import { openPreparation, type StoredPreparation } from './ledger.ts';
import type { RetrievalThread } from './retrievalThread.ts';
import { type KnownCase, narrativeOf, type Search } from './search.ts';
import { nameOfSpace, spaceOf, vectorReader } from './vectorSpace.ts';

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
