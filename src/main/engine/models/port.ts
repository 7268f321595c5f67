// The port to a model server.
import type { BackendDefinition } from '../../../shared/experiment.ts';
import type { CompletionRequest, CompletionResult, EmbeddingRequest, EmbeddingResult, ModelInfo } from '../../../shared/model.ts';

export interface LanguageModel {
  /** Interface that the server speaks, as recorded. */
  readonly kind: BackendDefinition['kind'];
  /** URL the calls are sent to, as recorded. */
  readonly url: string;
  /** Version text; `anyModel`: it answers to every name; `slots`: calls at once, where it says so. Throws `BackendOutage`. */
  version(signal?: AbortSignal): Promise<{ version: string; standin: boolean; anyModel?: boolean; slots?: number }>;
  /** Models that can be asked. Throws `BackendOutage`. */
  models(signal?: AbortSignal): Promise<readonly ModelInfo[]>;
  /** Asks once. Throws `CallFailure` or `BackendOutage`. @param onText called with the text so far, as often as it grows */
  complete(request: CompletionRequest, signal: AbortSignal, onText?: (soFar: string) => void): Promise<CompletionResult>;
  /** Vectors of texts, all or none. Throws `CallFailure` or `BackendOutage`; `overflow` where a text does not fit the model. */
  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingResult>;
  /** Frees the model's memory and with it every cached prompt; absent where the interface has no word for it. Throws `BackendOutage`. */
  unload?(model: string, signal: AbortSignal): Promise<void>;
  /** The same server where it is now; absent where its address is fixed. Throws `BackendOutage` while it is nowhere. */
  present?(): LanguageModel;
}
