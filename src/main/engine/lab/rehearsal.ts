import type { BoundProtocol } from '../../../core/protocols/index.ts';
import { conductTrial } from '../../../core/record/conduct.ts';
import type { TrialTerms } from '../../../core/record/trialCourt.ts';
import { type Effects, openCourt, type PreparedCall, type TrialLedger } from '../../../core/record/trialCourt.ts';
import type { Case } from '../../../shared/domain.ts';
import { imitateAnswer } from '../models/standin/imitate.ts';

/** What one trial asks for and gets, in a rehearsal without any server. */
export interface Rehearsal {
  readonly calls: readonly { readonly call: PreparedCall; readonly answer: string }[];
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly characters: number;
}

/** Characters per token of English text, roughly: for estimates only. */
export const charactersPerToken = 4;

/**
 * Plays a trial through with invented answers, in memory, to see its prompts and their size beforehand.
 * Nothing is recorded.
 */
export async function rehearse(protocol: BoundProtocol, terms: TrialTerms, kase: Case): Promise<Rehearsal> {
  const calls: { call: PreparedCall; answer: string }[] = [];
  const ledger: TrialLedger = {
    find: () => undefined,
    text: (ref) => {
      throw new Error(`a rehearsal has no recorded text ${ref}`);
    },
    append: () => undefined,
  };
  const effects: Effects = {
    perform(call) {
      const answer = imitateAnswer(call.request);
      calls.push({ call, answer });
      return Promise.resolve({
        result: {
          text: answer,
          thinking: null,
          doneReason: 'stop',
          promptTokens: 0,
          completionTokens: 0,
          modelMs: 0,
          loadMs: 0,
          standin: true,
        },
        failure: null,
        wallMs: 0,
        sentTo: {},
        at: '',
      });
    },
  };
  await conductTrial(protocol, openCourt(terms, ledger, effects), kase);
  const sent = calls.map(({ call }) => call.request.messages.reduce((sum, { content }) => sum + content.length, 0));
  const promptCharacters = sent.reduce((sum, length) => sum + length, 0);
  const answered = calls.reduce((sum, { answer }) => sum + answer.length, 0);
  return {
    calls,
    promptTokens: Math.ceil(promptCharacters / charactersPerToken),
    completionTokens: Math.ceil(answered / charactersPerToken),
    // Prompts share their texts; what a trial adds to the store is the longest of them and the answers.
    characters: Math.max(0, ...sent) + answered,
  };
}
