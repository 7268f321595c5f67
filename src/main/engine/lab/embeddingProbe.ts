import { setTimeout as sleep } from 'node:timers/promises';
import { unitVectors } from '../../../core/retrieval/vectors.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { CastMember, Experiment } from '../../../shared/experiment.ts';
import { BackendOutage, CallFailure } from '../../../shared/model.ts';
import type { LanguageModel } from '../models/port.ts';

/** A text that every run sends first to each model that makes vectors. It is part of the record: never changed. */
export const probeText = 'The court has heard both sides, and weighs what was said against what is known.';

/** Names of `probeName` -> unit vector of the probe text, rounded. */
export type Probes = ReadonlyMap<string, readonly number[]>;

/** What a vector depends on apart from model weights and server. */
export const probeName = ({ model, options: { numCtx } }: Pick<CastMember, 'model' | 'options'>): string =>
  JSON.stringify(numCtx === undefined ? { model } : { model, numCtx });

/** Vectors made under one name can be compared, and have one probe. */
export const vectorMaker = (retriever: Pick<CastMember, 'backend' | 'model' | 'options'>): string =>
  JSON.stringify([retriever.backend, probeName(retriever)]);

/**
 * Who makes vectors in some arm.
 * @param arms with only those entries of their casts that play
 * @param open names of the arms that have trials left; all arms where absent
 */
export const retrieversOf = ({ arms }: Pick<Experiment, 'arms'>, open?: ReadonlySet<string>): CastMember[] =>
  arms.flatMap(({ name, cast }) => (open === undefined || open.has(name) ? (cast.retriever ?? []) : []));

/** How often a server is asked that answers with an error which may pass. */
const mostTries = 3;
const pauseMs = 250;
/** Decimals that are kept: enough to distinguish models, few enough that the same model gives the same text. */
const scale = 1e4;

async function vectorOfProbe(server: LanguageModel, { model, options }: CastMember): Promise<readonly number[]> {
  const request = { model, texts: [probeText], ...(options.numCtx === undefined ? {} : { numCtx: options.numCtx }) };
  for (let number = 1; ; number++) {
    try {
      const { vectors } = await server.embed(request, new AbortController().signal);
      return vectors[0] ?? [];
    } catch (error) {
      if (!(error instanceof CallFailure) || error.permanent || number === mostTries) throw error;
      await sleep(pauseMs);
    }
  }
}

/** Why a server that has the model gave no vector; null where the error is another one. */
function reasonOf(error: unknown): string | null {
  if (error instanceof CallFailure) return error.message;
  // The server has the model: what it lacks is the way to vectors.
  return error instanceof AssizeError && error.code === 'missing-model' ? 'HTTP 404' : null;
}

/**
 * The unit vector of the probe text.
 * @throws missing-model where the model or its server makes no vectors
 * @throws BackendOutage
 */
export async function probeEmbedding(server: LanguageModel, retriever: CastMember): Promise<readonly number[]> {
  const refused = (reason: string) =>
    new AssizeError(
      'missing-model',
      `model ${retriever.model} of backend ${JSON.stringify(retriever.backend)} gives no vectors (${reason}), so it cannot play the role retriever; ` +
        'name an embedding model of a server that has one, or leave the role out: precedents are then found by TF-IDF',
      { field: 'cast.retriever' },
    );
  let vector: readonly number[];
  try {
    vector = await vectorOfProbe(server, retriever);
  } catch (error) {
    if (error instanceof BackendOutage) throw error;
    const reason = reasonOf(error);
    throw reason === null ? error : refused(reason);
  }
  const { values } = unitVectors(Float32Array.from(vector), vector.length);
  if (values.every((value) => value === 0)) throw refused('its vectors are all zeros');
  return [...values].map((value) => Math.round(value * scale) / scale);
}

/** Least cosine of two vectors of the probe text by one model: other machines and other batches change the last digits. */
const leastLikeness = 0.999;

/** Whether two vectors of the probe text are of one model. */
export function sameProbe(one: readonly number[], other: readonly number[]): boolean {
  if (one.length !== other.length) return false;
  const length = (of: readonly number[]) => Math.hypot(...of);
  const product = one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
  return product >= leastLikeness * length(one) * length(other);
}
