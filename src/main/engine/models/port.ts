import type { CompletionRequest, CompletionResult, ModelInfo } from '../../../shared/model.ts';

/** The port to a model server. */
export interface LanguageModel {
  /** URL the calls are sent to, as recorded. */
  readonly url: string;
  /** Version text of the server. Throws `BackendOutage`. */
  version(): Promise<{ version: string; standin: boolean }>;
  /** Models that can be asked. Throws `BackendOutage`. */
  models(): Promise<readonly ModelInfo[]>;
  /** Asks once. Throws `CallFailure` or `BackendOutage`. */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<CompletionResult>;
}
