// Plays a trial through without a model, and finds the vote that takes as many tokens.
import { canonical } from '../../../core/answers/fields.ts';
import type { TrainedAssistant } from '../../../core/assistant/trainedAssistant.ts';
import { playersIn } from '../../../core/protocols/cast.ts';
import type { PrecedentQuery } from '../../../core/protocols/court.ts';
import type { BoundProtocol } from '../../../core/protocols/index.ts';
import { findProtocol, type RegisteredProtocol } from '../../../core/protocols/index.ts';
import { conductTrial } from '../../../core/record/conduct.ts';
import type { CallReport, Effects, PreparedCall, SharedAsk, TrialLedger, TrialTerms } from '../../../core/record/effects.ts';
import { memoryPreparation } from '../../../core/record/memoryPreparation.ts';
import { answerShared } from '../../../core/record/sharedAnswer.ts';
import { openCourt } from '../../../core/record/trialCourt.ts';
import { speechOf } from '../../../core/record/withheld.ts';
import { note } from '../../../shared/checks.ts';
import type { Case, Example } from '../../../shared/domain.ts';
import { charactersPerToken, inventAnswer } from './callEstimate.ts';
import { boundOrNull, type PreparedArm } from './preparedArm.ts';

export interface SharedDryRun {
  /** The same for every trial, of any arm, that asks it. */
  readonly name: string;
  readonly about: 'case' | 'precedent';
  /** What all such questions have in common, for every case: who is asked, and how. */
  readonly manner: string;
  readonly call: PreparedCall;
  readonly characters: number;
}

/** Takes the place of the trained assistant of an arm: finds everything as reliable as not. */
export const untrainedAssistant: TrainedAssistant = {
  version: 1,
  hash: '0'.repeat(64),
  embedder: { backend: '', model: '', digest: null },
  weights: new Float64Array(2),
  threshold: 0.5,
};

export const promptLength = ({ request: { messages } }: PreparedCall): number =>
  messages.reduce((sum, { content }) => sum + content.length, 0);

function sharedDryRun({ name, question, terms }: SharedAsk, { backend, request }: PreparedCall) {
  const { seed: _seed, ...options } = request.options;
  const [rules] = request.messages;
  return {
    name,
    about: question.seed === terms.caseSeed ? 'case' : 'precedent',
    manner: canonical({ backend, model: request.model, options, schema: request.schema, rules: rules?.content }),
  } as const;
}

export type DryRun = Readonly<Awaited<ReturnType<typeof runDry>>>;

/** Plays a trial in memory with invented answers, to see its prompts. @param training cases that stand for precedents */
export async function runDry(protocol: BoundProtocol, terms: TrialTerms, kase: Case, training: readonly Example[]) {
  const calls: { call: PreparedCall; answer: string }[] = [];
  const shared: SharedDryRun[] = [];
  const queries: PrecedentQuery[] = [];
  const speeches = new Set<string>();
  const texts = new Map<string, string>();
  /** The first cases of each label, as if they were the nearest. */
  const standing = (label: string, most: number) =>
    training
      .filter((example) => example.label === label)
      .slice(0, most)
      .map(({ facts }, index) => {
        const ref = `precedent ${label} ${index}`;
        texts.set(ref, JSON.stringify({ id: ref, facts, question: null, truth: label, groups: {} }));
        return { case: ref, label, similarity: null };
      });
  const ledger: TrialLedger = {
    find: () => undefined,
    text(ref) {
      const text = texts.get(ref);
      if (text === undefined) throw new Error(`a dry run has no recorded text ${ref}`);
      return text;
    },
    append(kind, payload) {
      if (kind === 'utterance-make' && 'key' in payload) speeches.add(speechOf(payload.key));
    },
  };
  const answerTo = ({ request }: PreparedCall): { report: CallReport; text: string } => {
    const text = inventAnswer(request);
    const figures = { promptTokens: 0, completionTokens: 0, modelMs: 0, loadMs: 0 };
    const result = { text, thinking: null, doneReason: 'stop', ...figures, standin: true } as const;
    return { report: { result, failure: null, wallMs: 0, sentTo: {}, at: '' }, text };
  };
  const effects: Effects = {
    perform(call) {
      const { report, text } = answerTo(call);
      calls.push({ call, answer: text });
      return Promise.resolve(report);
    },
    moderate: () => ({ at: '', moderation: { action: 'accept' } }),
    rate: () => Promise.resolve({ setup: '{}', vector: new Float32Array(1), failure: null }),
    askOnce: (asked) =>
      answerShared(asked, memoryPreparation(), (call) => {
        const { report, text } = answerTo(call);
        shared.push({ ...sharedDryRun(asked, call), call, characters: promptLength(call) + text.length });
        return Promise.resolve(report);
      }),
    retrieve: (query) => {
      const { labels, perLabel } = query;
      queries.push(query);
      const precedents = labels.flatMap((label) => standing(label, perLabel));
      return Promise.resolve({ method: 'random', setup: null, precedents, failure: null });
    },
  };
  await conductTrial(protocol, openCourt(terms, ledger, effects), kase);
  const sent = calls.map(({ call }) => promptLength(call));
  const promptCharacters = sent.reduce((sum, length) => sum + length, 0);
  const answered = calls.reduce((sum, { answer }) => sum + answer.length, 0);
  return {
    calls,
    /** Questions that are no calls of the trial. */
    shared,
    queries,
    /** Key of each speech that is made, in order. */
    speeches: [...speeches],
    promptTokens: Math.ceil(promptCharacters / charactersPerToken),
    completionTokens: Math.ceil(answered / charactersPerToken),
    // Prompts share their texts; what a trial adds to the store is the longest of them and the answers.
    characters: Math.max(0, ...sent) + answered,
  };
}

export type MatchedVote = NonNullable<Awaited<ReturnType<typeof matchedVote>>>;

const tokensOf = ({ promptTokens, completionTokens }: DryRun) => promptTokens + completionTokens;

/** Voters whose tokens come nearest to those of an arm's trial; one at least. */
export function votersFor(tokensOfTrial: number, tokensOfVoter: number): number {
  return Math.max(1, Math.round(tokensOfTrial / tokensOfVoter));
}

/**
 * How many independent voters would take as many tokens as one trial of an arm that makes several calls: with as much
 * computing spent on asking again, is deliberating still better? Null for arms of one call, for votes themselves, and where
 * this program has no `vote` protocol that tries such cases.
 * @param runDry plays one trial of an arm through without a model
 */
export async function matchedVote(
  arm: PreparedArm,
  kase: Case,
  dryRun: DryRun,
  runDry: (arm: PreparedArm) => Promise<DryRun>,
  vote: RegisteredProtocol | undefined = findProtocol('vote'),
) {
  const [member] = Object.values(playersIn(arm.definition.cast, arm.bound.roles, { precedents: null, assistant: null }));
  if (vote === undefined || member === undefined || arm.protocol.id === vote.id) return null;
  if (arm.bound.plannedCalls(kase).max < 2) return null;
  const bound = vote.bind({});
  if (bound.refusal(kase) !== null) return null;
  const trial = await runDry({
    definition: { ...arm.definition, protocol: vote.id, params: {}, belief: 'verbal', prompts: undefined, cast: { '*': member } },
    protocol: vote,
    bound,
    swap: null,
    variant: null,
  });
  const voters = votersFor(tokensOf(dryRun), tokensOf(trial) / trial.calls.length);
  const cost = `arm ${JSON.stringify(arm.definition.name)}: one trial takes about as many tokens as ${voters} independent voters, by the length of prompts and answers in a dry run of one case`;
  const adding = 'to compare at equal compute, add an arm';
  const advice = boundOrNull(vote, { voters })
    ? {
        command: `${adding} with "protocol": "${vote.id}" and "params": {"voters": ${voters}}`,
        screen: `${adding} of ${vote.title} with ${voters} voters`,
      }
    : `protocol ${vote.id} does not take that number of voters`;
  return { voters, check: note(cost, advice) };
}
