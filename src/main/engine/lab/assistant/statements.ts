// The statements of debates, the assistant that is fitted to them, and how it rates further ones.

import { z } from 'zod';
import { caseKey } from '../../../../core/assistant/caseKey.ts';
import { trainAssistant } from '../../../../core/assistant/trainAssistant.ts';
import { isSameSet } from '../../../../core/beliefs/independentBelief.ts';
import type { Effects } from '../../../../core/record/effects.ts';
import { lastAttempt } from '../../../../core/record/fold.ts';
import type { TrainingSet } from '../../../../shared/assistants.ts';
import type { Prediction, Truth } from '../../../../shared/domain.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import type { FrozenArm } from '../../../../shared/events.ts';
import { readOnce } from '../../../../shared/remembered.ts';
import { parseChain } from '../../store/parseChain.ts';
import type { Store } from '../../store/store.ts';
import type { FrozenExperiment } from '../frozen.ts';
import { loadFrozen } from '../frozen.ts';
import type { CallPerformer } from '../performer.ts';
import { narrativeOf } from '../preparation/search.ts';
import { knownVectors, nameOf, openAssistantLedger, type VectorSpace } from './ledger.ts';

/** A statement of a debater about a case whose true label is known. */
export interface StoredStatement extends Omit<TrainingSet['statements'][number], 'position' | 'holdout'> {
  readonly position: Exclude<Prediction, null>;
  /** The facts as prompts have them. */
  readonly background: string;
}

const paramsSchema = z.object({ assistant: z.string() });

/** Whether the debates of an arm were held without an assistant: only of such does the paper's assistant learn. */
export function isUnassisted(frozen: FrozenExperiment, arm: FrozenArm): boolean {
  if (arm.protocol !== 'debate-feedback') return false;
  return paramsSchema.safeParse(frozen.terms(arm).params).data?.assistant === 'none';
}

/** Whether a position is the truth: the true label, or with several labels a case exactly the true set. */
export function isRight(position: Exclude<Prediction, null>, truth: Exclude<Truth, null>): boolean {
  if (typeof position === 'string' || typeof truth === 'string') return position === truth;
  return isSameSet(position, truth);
}

function positionsIn(store: Store, trial: string) {
  const events = parseChain(store.events.ofKinds(trial, ['trial-open', 'utterance-make']));
  return lastAttempt(events).flatMap((event) => {
    if (event.kind !== 'utterance-make' || event.payload.position == null) return [];
    const { key, text, position, concedes = false } = event.payload;
    return [{ key, text, position, concedes }];
  });
}

/** The statements of decided, unassisted debates over training cases, arm by arm, cases in their order. */
export function readStatements(store: Store, frozen: FrozenExperiment) {
  const cases = new Map(store.datasets.cases(frozen.dataset.id).map((kase) => [kase.id, kase]));
  const leftOut = { other_splits: 0, unknown_truth: 0, undecided: 0, conceded: 0 };
  const caseOf = readOnce((ref: string) => {
    const kase = store.datasets.read(ref);
    return { kase, background: narrativeOf(frozen, kase) };
  });
  const position = (caseId: string) => cases.get(caseId)?.position ?? 0;
  const statements = frozen.arms
    .filter((arm) => isUnassisted(frozen, arm))
    .flatMap((arm) =>
      store.trials
        .ofExperiment(frozen.name)
        .filter((row) => row.arm === arm.name && row.status === 'done')
        .toSorted((a, b) => position(a.case_id) - position(b.case_id) || a.replicate - b.replicate),
    )
    .flatMap(({ trial, case_id: caseId, outcome }): StoredStatement[] => {
      const stored = cases.get(caseId);
      if (stored === undefined) return [];
      const said = positionsIn(store, trial);
      const { kase, background } = caseOf(stored.ref);
      const { truth } = kase;
      const why =
        stored.split !== 'train' ? 'other_splits' : truth === null ? 'unknown_truth' : outcome !== 'decided' ? 'undecided' : null;
      if (why !== null || truth === null) {
        leftOut[why ?? 'unknown_truth'] += said.length;
        return [];
      }
      const held = said.filter(({ concedes }) => !concedes);
      leftOut.conceded += said.length - held.length;
      return held.map(({ concedes: _concedes, ...statement }) => ({
        ...statement,
        trial,
        case: stored.ref,
        right: isRight(statement.position, truth),
        background,
      }));
    });
  return { statements, leftOut };
}

/** Earlier versions of the assistant are checked by the rule that they state. */
const newestRule = 2;

export type FittedAssistant = Readonly<ReturnType<typeof fitAssistant>>;

/** Fits the assistant by vectors on the record. Takes seconds: use a worker. @throws bad input as `trainAssistant` */
export function fitAssistant(store: Store, experiment: string, space: VectorSpace) {
  const frozen = loadFrozen(store, experiment);
  const { statements, leftOut } = readStatements(store, frozen);
  const { vectors, standin } = knownVectors(store, openAssistantLedger(store, frozen.dataset.id).embeddings(), space);
  const usable = statements.flatMap((statement) => {
    const vector = vectors.get(nameOf([statement.case, statement.text]));
    return vector === undefined ? [] : [{ ...statement, vector }];
  });
  const training = trainAssistant(
    usable.map(({ background, right, vector }) => ({ group: caseKey(newestRule, background), isRight: right, vector })),
    { seed: frozen.definition.seed },
  );
  const set: TrainingSet = {
    v: newestRule,
    statements: usable.map(({ trial, key, case: kase, text, position, right }, index) => ({
      trial,
      key,
      case: kase,
      text,
      position,
      right,
      holdout: training.isHeldOut[index] ?? false,
    })),
  };
  return { set, training, leftOut: { ...leftOut, no_vector: statements.length - usable.length }, standin };
}

/** Makes the vectors by which trained assistants rate. A failed call is tried again as often as any other. */
export function statementRater({ definition }: FrozenExperiment, performer: Pick<CallPerformer, 'embed'>): Effects['rate'] {
  const { retries } = definition.runtime;
  return async (text, { assistant, embedder }) => {
    if (assistant === undefined || embedder === undefined)
      throw new Error('the arm has no trained assistant or no embedding model');
    const { backend, model, options } = embedder;
    const request = { model, texts: [text], ...(options.numCtx === undefined ? {} : { numCtx: options.numCtx }) };
    for (let number = 1; ; number++) {
      const { result, failure, sentTo } = await performer.embed(backend, request);
      if (result !== null && (sentTo.digest ?? null) !== assistant.embedder.digest) {
        throw new AssizeError(
          'missing-model',
          `embedding model ${model} is not the one that version ${assistant.version} of the assistant was trained with: its weights have changed; train the assistant again, in an experiment of another name`,
          'cast.embedder',
        );
      }
      if (failure !== null && !failure.permanent && number <= retries) continue;
      const [vector] = result?.vectors ?? [];
      return {
        setup: JSON.stringify({ backend, standin: result?.standin ?? null, ...sentTo, model, options }),
        vector: vector === undefined ? null : Float32Array.from(vector),
        failure: failure === null ? null : { kind: failure.kind, message: failure.message },
      };
    }
  };
}
