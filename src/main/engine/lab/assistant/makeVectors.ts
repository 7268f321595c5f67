// Asks the embedding model for the vectors that training still lacks.
import { ratedText } from '../../../../core/assistant/trainedAssistant.ts';
import { refOf } from '../../../../core/record/hash.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import type { CastMember } from '../../../../shared/experiment.ts';
import type { EmbeddingRequest, EmbeddingResult } from '../../../../shared/model.ts';
import type { Store } from '../../store/store.ts';
import type { FrozenExperiment } from '../frozen.ts';
import type { CallPerformer, Report } from '../performer.ts';
import { embeddingContent } from '../preparation/embeddingContent.ts';
import { knownVectors, nameOf } from './knownVectors.ts';
import { openAssistantLedger } from './ledger.ts';
import type { StoredStatement } from './statements.ts';

export interface VectorTerms {
  readonly store: Store;
  readonly frozen: FrozenExperiment;
  readonly embedder: CastMember;
  /** Digest of the model as its server tells it now; null where it tells none. */
  readonly digest: string | null;
  readonly embed: CallPerformer['embed'];
  /** Told how many of the statements have been dealt with. */
  readonly onProgress: (done: number) => void;
}

/** Texts sent at a time. */
const batchSize = 32;

/** Makes the vectors of statements that are not on the record yet. What was made is kept, however this ends. */
export async function makeVectors(
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
    const { texts, bytes, keep, vectorFields } = embeddingContent(salt, report);
    made += 1;
    ledger.appendEmbedding(
      {
        v: 1,
        at,
        key: `embed-${made}`,
        request: refOf(salt, JSON.stringify(request)),
        setup: keep(JSON.stringify({ backend, standin: result?.standin ?? null, ...sentTo, model, options })),
        statements: batch.map((statement) => [statement.case, statement.text]),
        ...vectorFields(),
      },
      texts,
      bytes,
    );
  };

  /** A batch that fails for good is made one by one, so that the statement at fault is found. */
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
