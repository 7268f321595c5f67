// Trains a version of the assistant on the debates of an experiment.
import { doublesAsText } from '../../../../core/assistant/numbersAsText.ts';
import { requireStatements } from '../../../../core/assistant/trainAssistant.ts';
import { ratedText } from '../../../../core/assistant/trainedAssistant.ts';
import { refOf } from '../../../../core/record/hash.ts';
import type { TrainReport } from '../../../../shared/assistants.ts';
import { AssizeError, badInput } from '../../../../shared/errors.ts';
import type { CastMember } from '../../../../shared/experiment.ts';
import type { EmbeddingRequest, EmbeddingResult } from '../../../../shared/model.ts';
import type { NetworkDispatcher } from '../../models/dispatcher.ts';
import type { Store } from '../../store/store.ts';
import { programVersion } from '../../version.ts';
import { connectBackends, neededModels, overrideUrl, type ReadyBackend, readyBackends } from '../backends.ts';
import { refuseErased } from '../erasedData.ts';
import { type FrozenExperiment, loadFrozen } from '../frozen.ts';
import { type CallPerformer, callPerformer, type Report } from '../performer.ts';
import { embeddingContent } from '../preparation/ledger.ts';
import {
  type AssistantVersion,
  assistantVersions,
  knownVectors,
  nameOf,
  openAssistantLedger,
  type VectorSpace,
} from './ledger.ts';
import type { FittedAssistant } from './statements.ts';
import { isUnassisted, readStatements, type StoredStatement } from './statements.ts';

export interface TrainingProgress {
  readonly phase: 'vectors' | 'fit';
  readonly done: number;
  readonly of: number;
}

export interface TrainingOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TrainingProgress) => void;
  /** Fits in a worker thread, from the record. */
  readonly fitInWorker: (input: { experiment: string; space: VectorSpace }) => Promise<FittedAssistant>;
}

/** The model of the vectors: the named one, else of the first arm that has one and no assistant. Throws bad input. */
export function embedderOf(frozen: FrozenExperiment, named: string | undefined): CastMember {
  const backends = Object.keys(frozen.definition.backends);
  const [first = 'default'] = backends;
  if (named !== undefined) return { model: named, backend: backends.includes('default') ? 'default' : first, options: {} };
  const casts = frozen.arms.filter((arm) => isUnassisted(frozen, arm)).map((arm) => frozen.terms(arm).cast);
  const member = casts.map(({ embedder }) => embedder).find((each) => each !== undefined);
  if (member === undefined) {
    throw badInput(
      'no embedding model is known: name one with --embedder MODEL, or cast one in the role "embedder"',
      '--embedder',
    );
  }
  return member;
}

export function refuseForeignArms(frozen: FrozenExperiment): void {
  if (frozen.arms.some((arm) => isUnassisted(frozen, arm))) return;
  throw badInput(
    `experiment ${JSON.stringify(frozen.name)} has no arm of protocol debate-feedback with assistant none, which the assistant learns from; add one over the training split and run it`,
    '--experiment',
  );
}

function reportOf(store: Store, { payload }: AssistantVersion, trainedNow: boolean, fitted: FittedAssistant): TrainReport {
  const { experiment, version, at, embedder, dimensions, training, holdout, fit, standin } = payload;
  const { area, threshold, ...figures } = holdout;
  return {
    experiment,
    store: store.path,
    version,
    trained_now: trainedNow,
    at,
    embedder: embedder.model,
    dimensions,
    training,
    holdout: { ...figures, auc: area, threshold: threshold ?? null },
    converged: fit.isConverged,
    left_out: fitted.leftOut,
    standin,
  };
}

/** Puts a fitted version on the record of the data set; where the newest one is the same, it returns that one. */
function recordVersion(store: Store, frozen: FrozenExperiment, embedder: VectorSpace, fitted: FittedAssistant): TrainReport {
  const { set, training, standin } = fitted;
  const { salt, id } = frozen.dataset;
  const setText = JSON.stringify(set);
  const weightText = doublesAsText(training.weights);
  const [statements, weights] = [refOf(salt, setText), refOf(salt, weightText)];
  const newest = assistantVersions(store, id).at(-1);
  const before = newest?.payload;
  if (newest !== undefined && before?.statements === statements && before.weights === weights) {
    return reportOf(store, newest, false, fitted);
  }
  const version = (before?.version ?? 0) + 1;
  const payload: AssistantVersion['payload'] = {
    v: 1,
    at: new Date().toISOString(),
    key: `version-${version}`,
    version,
    experiment: frozen.name,
    assize: programVersion,
    embedder,
    standin,
    seed: frozen.definition.seed,
    statements,
    weights,
    dimensions: training.weights.length - 1,
    fit: { inversePenalty: training.inversePenalty, iterations: training.iterations, isConverged: training.isConverged },
    training: training.training,
    holdout: training.holdout,
  };
  const texts = new Map([
    [statements, setText],
    [weights, weightText],
  ]);
  const hash = openAssistantLedger(store, id).appendVersion(payload, texts);
  return reportOf(store, { payload, hash }, true, fitted);
}

/**
 * Trains a version of the assistant on an experiment's unassisted debates, and puts it on the record of the data set.
 * Vectors that were made before are not made again.
 * @throws bad-input, no-backend, missing-model, interrupted
 */
export async function trainOnExperiment(
  store: Store,
  frozen: FrozenExperiment,
  backends: ReadonlyMap<string, ReadyBackend>,
  embedder: CastMember,
  { signal, onProgress, fitInWorker }: TrainingOptions,
): Promise<TrainReport> {
  const { backend, model } = embedder;
  const space = { backend, model, digest: backends.get(backend)?.digests.get(model) ?? null };
  const { statements } = readStatements(store, frozen);
  requireStatements(statements.length);
  const performer = callPerformer(backends, {
    signal,
    waitMs: frozen.definition.runtime.waitMinutes * 60_000,
    onPause: () => undefined,
    onResume: () => undefined,
  });
  const of = statements.length;
  try {
    const tell = (done: number) => onProgress({ phase: 'vectors', done, of });
    await makeVectors({ store, frozen, embedder, digest: space.digest, embed: performer.embed, onProgress: tell }, statements);
    onProgress({ phase: 'fit', done: of, of });
    return recordVersion(store, frozen, space, await fitInWorker({ experiment: frozen.name, space }));
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new AssizeError('interrupted', 'interrupted; the vectors so far are kept, train again to continue');
  }
}

export interface TrainRequest extends Omit<TrainingOptions, 'fitInWorker'> {
  readonly experiment: string;
  /** The embedding model; absent: the one that an arm of the experiment has cast. */
  readonly embedder: string | undefined;
  readonly url: string | undefined;
  readonly allowedHosts: readonly string[];
}

export async function trainByRequest(
  store: Store,
  dispatcher: NetworkDispatcher,
  { experiment, embedder: named, url, signal, onProgress }: TrainRequest,
  fitInWorker: TrainingOptions['fitInWorker'],
): Promise<TrainReport> {
  refuseErased(store, experiment);
  const frozen = loadFrozen(store, experiment);
  refuseForeignArms(frozen);
  const embedder = embedderOf(frozen, named);
  const { runtime, backends } = frozen.definition;
  const models = connectBackends(dispatcher, overrideUrl(backends, url), runtime);
  const cast = { embedder };
  const needed = neededModels({ runtime, backends, arms: [{ name: '', protocol: '', params: {}, belief: 'verbal', cast }] });
  return trainOnExperiment(store, frozen, await readyBackends(models, needed), embedder, { signal, onProgress, fitInWorker });
}

interface VectorTerms {
  readonly store: Store;
  readonly frozen: FrozenExperiment;
  readonly embedder: CastMember;
  /** Digest of the model as its server reports it now; null where it reports none. */
  readonly digest: string | null;
  readonly embed: CallPerformer['embed'];
  readonly onProgress: (done: number) => void;
}

const batchSize = 32;

/** Makes the vectors of statements that are not on the record yet. What was made is kept, however this ends. */
async function makeVectors(
  { store, frozen, embedder, digest, embed, onProgress }: VectorTerms,
  statements: readonly StoredStatement[],
): Promise<void> {
  const { salt, id } = frozen.dataset;
  const { retries } = frozen.definition.runtime;
  const { backend, model, options } = embedder;
  const ledger = openAssistantLedger(store, id);
  const before = ledger.embeddings();
  let made = before.length;

  const requestOf = (batch: readonly StoredStatement[]): EmbeddingRequest => ({
    model,
    texts: batch.map(({ background, text }) => ratedText(background, store.blobs.need(text)).toWellFormed()),
    ...(options.numCtx === undefined ? {} : { numCtx: options.numCtx }),
  });

  const record = (batch: readonly StoredStatement[], request: EmbeddingRequest, report: Report<EmbeddingResult>) => {
    const { result, sentTo, at } = report;
    if (result !== null && (sentTo.digest ?? null) !== digest) {
      throw new AssizeError(
        'missing-model',
        `embedding model ${model} was changed on its server meanwhile; train the assistant again`,
      );
    }
    const content = embeddingContent(salt, report);
    made += 1;
    ledger.appendEmbedding(
      {
        v: 1,
        at,
        key: `embed-${made}`,
        request: refOf(salt, JSON.stringify(request)),
        setup: content.keep(JSON.stringify({ backend, standin: result?.standin ?? null, ...sentTo, model, options })),
        statements: batch.map((statement) => [statement.case, statement.text]),
        ...content.vectorFields(),
      },
      content,
    );
  };

  /** A batch that fails for good is made one by one, so that the failing statement is found. */
  const make = async (batch: readonly StoredStatement[]): Promise<void> => {
    const request = requestOf(batch);
    for (let number = 0; number <= retries; number++) {
      const report = await embed(backend, request);
      record(batch, request, report);
      if (report.failure === null) return;
      if (report.failure.permanent) break;
    }
    if (batch.length > 1) for (const statement of batch) await make([statement]);
  };

  const { vectors, refused } = knownVectors(store, before, { backend, model, digest });
  const all = [...new Map(statements.map((statement) => [nameOf([statement.case, statement.text]), statement]))];
  const missing = all.flatMap(([name, statement]) => (vectors.has(name) || refused.has(name) ? [] : [statement]));
  const done = (left: number) => onProgress(Math.round((statements.length * (all.length - left)) / Math.max(1, all.length)));
  done(missing.length);
  for (let start = 0; start < missing.length; start += batchSize) {
    await make(missing.slice(start, start + batchSize));
    done(Math.max(0, missing.length - start - batchSize));
  }
}
