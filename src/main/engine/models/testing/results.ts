import type { CompletionResult } from '../../../../shared/model.ts';

/** An answer that says nothing and took no time. */
export const emptyResult: CompletionResult = {
  text: '{}',
  thinking: null,
  doneReason: 'stop',
  promptTokens: 0,
  completionTokens: 0,
  modelMs: 0,
  loadMs: 0,
  standin: false,
};
