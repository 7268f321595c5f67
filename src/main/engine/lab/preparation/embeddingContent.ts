import { refOf, refOfBytes } from '../../../../core/record/hash.ts';
import type { EmbeddingResult } from '../../../../shared/model.ts';
import type { Report } from '../performer.ts';

/** What an event about made vectors has in common with others of its kind, and the texts and vectors that it refers to. */
export function embeddingContent(salt: Uint8Array, { result, failure, wallMs }: Report<EmbeddingResult>) {
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
  const vectorFields = () => ({
    vectors: result === null ? null : keepVectors(result.vectors),
    dimensions: result?.vectors[0]?.length ?? 0,
    ...(failure === null ? {} : { failure: { ...failure, message: keep(failure.message) } }),
    promptTokens: result?.promptTokens ?? 0,
    modelMs: result?.modelMs ?? 0,
    wallMs: Math.round(wallMs * 1000) / 1000,
  });
  return { texts, bytes, keep, vectorFields };
}
