import type { Effects, PreparedCall, SharedAnswer, SharedAsk } from '../../../../core/record/effects.ts';
import { answerShared } from '../../../../core/record/sharedAnswer.ts';
import type { CastMember } from '../../../../shared/experiment.ts';
import type { Store } from '../../store/store.ts';
import type { ReadyBackend } from '../backends.ts';
import { probeName } from '../embeddingProbe.ts';
import type { FrozenExperiment, PlannedTrial } from '../frozen.ts';
import type { CallPerformer } from '../performer.ts';
import { type Embeddings, openEmbeddings } from './embeddings.ts';
import { openPreparation, type StoredPreparation } from './ledger.ts';
import { openRetriever, type Retriever } from './retriever.ts';
import { narrativeOf } from './trainingCases.ts';
import { nameOfSpace, spaceOf } from './vectorSpace.ts';

/** What the trials of a run share. Nothing is read or made before a trial asks for it. */
export interface Preparations {
  /** The effects of a trial that reach beyond it. */
  effects(trial: PlannedTrial): Pick<Effects, 'askOnce' | 'retrieve'>;
  /** Ends the thread that looks for precedents, if one was begun. */
  close(): Promise<void>;
}

export function openPreparations(
  store: Store,
  frozen: FrozenExperiment,
  backends: ReadonlyMap<string, ReadyBackend>,
  performer: CallPerformer,
): Preparations {
  let ledger: StoredPreparation | undefined;
  let retriever: Retriever | undefined;
  const embeddings = new Map<string, Embeddings>();
  const underWay = new Map<string, Promise<SharedAnswer>>();
  /** Digest of a model as its server last told it with an answer: it can be changed during a run. */
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
    effects: ({ caseId }) => ({
      askOnce,
      async retrieve(query, terms) {
        retriever ??= openRetriever(store, frozen);
        const stored = store.datasets.caseOfId(frozen.dataset.id, caseId);
        if (stored === undefined) throw new Error(`case ${caseId} is not in the data set`);
        const kase = { id: caseId, ref: stored.ref, narrative: narrativeOf(frozen, store.datasets.read(stored.ref)) };
        if (query.retriever === 'random') return retriever.random(kase, query, terms.seed);
        if (terms.retriever === null) return retriever.byTerms(kase, query);
        return retriever.byVectors(kase, query, embeddingsOf(terms.retriever));
      },
    }),
    async close() {
      await retriever?.close();
    },
  };
}
