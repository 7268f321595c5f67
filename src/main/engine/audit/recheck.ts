// Computes again what trials share: answers and precedents.
import type { PrecedentQuery } from '../../../core/protocols/court.ts';
import { Divergence } from '../../../core/record/divergence.ts';
import type { Recheck, SharedAnswer, TrialTerms } from '../../../core/record/effects.ts';
import { preparationChain } from '../../../core/record/identity.ts';
import { drawnPrecedents, lackingProblem, nearestProblem, type PossiblePrecedent } from '../../../core/record/precedentCheck.ts';
import { hearShared } from '../../../core/record/sharedAnswer.ts';
import { sharedCallPlace } from '../../../core/record/sharedKey.ts';
import { tellingOf } from '../../../core/retrieval/sameText.ts';
import { type TermIndex, termIndex } from '../../../core/retrieval/termWeights.ts';
import { cosineAt, unitVectors } from '../../../core/retrieval/vectors.ts';
import type { EventPayload } from '../../../shared/events.ts';
import type { FrozenExperiment } from '../lab/frozen.ts';
import { openPreparation, type StoredPreparation } from '../lab/preparation/ledger.ts';
import { type KnownCase, narrativeOf, readTrainingCases, type TrainingCase } from '../lab/preparation/search.ts';
import type { Store } from '../store/store.ts';
import { type PreparedRecord, preparedRecords, type Space, sameContext, sameSpace } from './preparation.ts';

type Retrieved = EventPayload<'precedent-retrieve'>;

/** Recomputes what trials of a store have from outside themselves. What they share is read once. */
export interface Rechecker {
  /** @param caseRef text of the case on trial */
  of(frozen: FrozenExperiment, caseRef: string): Recheck;
}

/** Keeps what was made for a key until another key is asked for. */
function keepLast<T>(): (key: string, make: () => T) => T {
  let kept: { readonly key: string; readonly value: T } | undefined;
  return (key, make) => {
    if (kept?.key !== key) kept = { key, value: make() };
    return kept.value;
  };
}

/** Vectors of a case in one space, each scaled to length 1. */
function unitsOf(store: Store, prepared: PreparedRecord, ref: string, space: Space): Float32Array[] {
  return prepared.embeddingsOf(ref).flatMap((made) => {
    const bytes = made.vectors === null ? undefined : store.blobs.bytes(made.vectors);
    if (bytes === undefined || !sameSpace(prepared.spaceOf(made.setup), space)) return [];
    const { cases, dimensions } = made;
    // A copy begins where floats may begin, which a piece of a larger buffer need not.
    const values = new Float32Array(new Uint8Array(bytes).buffer);
    const place = cases.indexOf(ref);
    return [unitVectors(values.slice(place * dimensions, (place + 1) * dimensions), dimensions).values];
  });
}

/** Whether cases had no vector when a case, whose own came before, looked for them: all earlier vectors were there. */
function lackingIn(prepared: PreparedRecord, setup: string, own: string): (ref: string) => PossiblePrecedent['lacking'] {
  const space = prepared.spaceOf(setup);
  const attemptsAt = (ref: string) =>
    prepared.embeddingsOf(ref).filter((made) => sameContext(prepared.spaceOf(made.setup), space));
  const since = attemptsAt(own).find(({ vectors }) => vectors !== null)?.seq ?? -1;
  return (ref) => {
    const attempts = attemptsAt(ref);
    const made = attempts.find(({ vectors }) => vectors !== null)?.seq;
    if (made === undefined) return 'yes';
    // A batch that fails is tried in its halves before anything is looked for.
    const failed = attempts.some(({ failure, cases, seq }) => failure !== undefined && cases.length === 1 && seq < made);
    return failed && made > since ? 'maybe' : 'no';
  };
}

/** Whether what was found says how many cases had no vector: without the number, none. An earlier program, which probed no model, said nothing. */
const tellsLacking = (prepared: PreparedRecord, { method, setup }: Retrieved): boolean =>
  method !== 'embeddings' || (setup !== null && prepared.spaceOf(setup).probe !== undefined);

export function openRechecker(store: Store): Rechecker {
  const preparedOf = preparedRecords(store);
  const ledgers = keepLast<StoredPreparation>();
  const trainings = keepLast<readonly TrainingCase[]>();
  const indexes = keepLast<TermIndex>();
  const units = keepLast<Map<string, Float32Array[]>>();

  const shareAgain = async (frozen: FrozenExperiment, asked: Parameters<Recheck['share']>[0], hearing: number) => {
    const head = store.events.head(preparationChain(frozen.name));
    const ledger = ledgers(JSON.stringify([frozen.name, head]), () => openPreparation(store, frozen));
    return hearShared(asked, hearing, ledger, ({ key }) =>
      Promise.reject(new Divergence(key, 'the shared question asks for a call that is not on the record')),
    );
  };

  /** Cosines of every training case that is no double of the case on trial; it may have had several vectors. */
  const similaritiesOf = (
    frozen: FrozenExperiment,
    kase: KnownCase,
    training: readonly TrainingCase[],
    { method, setup }: Retrieved,
  ): ((place: number) => number[]) => {
    const dataset = JSON.stringify([frozen.dataset.id, frozen.definition.dataset.kind]);
    if (method === 'tf-idf') {
      const found = indexes(dataset, () => termIndex(training.map(({ narrative }) => narrative))).similarities(kase.narrative);
      return (place) => [found[place] ?? 0];
    }
    const prepared = preparedOf(frozen.name);
    const space = prepared.spaceOf(setup ?? '');
    const head = store.events.head(preparationChain(frozen.name));
    const known = units(
      JSON.stringify([frozen.name, head, space]),
      () => new Map(training.map(({ ref }) => [ref, unitsOf(store, prepared, ref, space)])),
    );
    const own = unitsOf(store, prepared, kase.ref, space);
    return (place) =>
      (known.get(training[place]?.ref ?? '') ?? []).flatMap((values) =>
        own
          .filter(({ length }) => length === values.length)
          .map((unit) => cosineAt({ dimensions: values.length, values }, 0, unit)),
      );
  };

  /** What the method must be, by the query and the cast. */
  const methodOf = ({ retriever }: PrecedentQuery, terms: TrialTerms): Retrieved['method'] => {
    if (retriever === 'random') return 'random';
    return terms.retriever === null ? 'tf-idf' : 'embeddings';
  };

  const retrievalProblem = (
    frozen: FrozenExperiment,
    caseRef: string,
    query: PrecedentQuery,
    terms: TrialTerms,
    recorded: Retrieved,
  ): string | null => {
    if (recorded.method !== methodOf(query, terms)) return `precedents are found by ${methodOf(query, terms)} here`;
    const prepared = preparedOf(frozen.name);
    if (recorded.setup !== null) {
      const { backend, model } = prepared.spaceOf(recorded.setup);
      if (backend !== terms.retriever?.backend || model !== terms.retriever.model) return 'another model made its vectors';
    }
    // The preparation chain says that there are no vectors; there is nothing to recompute.
    if (recorded.failure !== undefined) return null;
    const stored = store.datasets.read(caseRef);
    const kase: KnownCase = { id: stored.id, ref: caseRef, narrative: narrativeOf(frozen, stored) };
    const training = trainings(JSON.stringify([frozen.dataset.id, frozen.definition.dataset.kind]), () =>
      readTrainingCases(store, frozen),
    );
    const telling = tellingOf(kase.narrative);
    const cosines = recorded.method === 'random' ? () => [] : similaritiesOf(frozen, kase, training, recorded);
    const lackingOf = recorded.setup === null ? () => 'no' as const : lackingIn(prepared, recorded.setup, caseRef);
    const possible = training.flatMap((candidate, place): PossiblePrecedent[] => {
      const { id, ref, label } = candidate;
      if (id === kase.id || candidate.narrative === kase.narrative) return [];
      const double = candidate.telling === telling;
      return [{ id, ref, label, similarities: cosines(place), lacking: lackingOf(ref), double }];
    });
    if (recorded.method !== 'random') {
      const lacking = recorded.withoutVector ?? (tellsLacking(prepared, recorded) ? 0 : null);
      const problem = lacking === null ? null : lackingProblem(lacking, recorded.precedents, query, possible);
      return nearestProblem(recorded.precedents, query, possible) ?? problem;
    }
    const draws = [possible, possible.filter(({ double }) => !double)].map((each) => drawnPrecedents(query, each, terms.seed));
    return draws.some((drawn) => JSON.stringify(drawn) === JSON.stringify(recorded.precedents))
      ? null
      : 'the seed draws other precedents';
  };

  return {
    of: (frozen, caseRef) => ({
      async share(asked, recorded) {
        const place = sharedCallPlace(recorded.call.key);
        const again: SharedAnswer | null = place === null ? null : await shareAgain(frozen, asked, place.hearing);
        if (again?.call.key !== recorded.call.key || again.call.hash !== recorded.call.hash) {
          throw new Divergence(recorded.key, 'the recorded answer is not from the call that the shared question comes to');
        }
        const { setup, answer, done, failure } = recorded;
        const said: SharedAnswer['raw'] = {
          answer: answer === null ? null : store.blobs.need(answer),
          done,
          failure: failure === undefined ? null : { kind: failure.kind, message: store.blobs.need(failure.message) },
        };
        if (store.blobs.need(setup) !== again.setup || JSON.stringify(said) !== JSON.stringify(again.raw)) {
          throw new Divergence(recorded.key, 'the recorded answer is not that of the call that it names');
        }
      },
      async retrieval(query, terms, recorded) {
        const problem = retrievalProblem(frozen, caseRef, query, terms, recorded);
        if (problem !== null) throw new Divergence(recorded.key, problem);
      },
    }),
  };
}
