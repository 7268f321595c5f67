import { datasetCaseSchema } from '../../shared/domain.ts';
import type { EventPayload } from '../../shared/events.ts';
import { type AnswerSpec, readerVersion } from '../answers/answer.ts';
import { jsonSchemaOf } from '../answers/schema.ts';
import {
  type Court,
  type Precedent,
  type PrecedentQuery,
  type Prompt,
  type SharedQuestion,
  TurnFailure,
} from '../protocols/court.ts';
import { fillTemplate } from '../protocols/template.ts';
import type { PromptGuard } from '../text/guard.ts';
import { Divergence, OtherReader, OtherSchema } from './divergence.ts';
import type { Effects, PreparedCall, TrialLedger, TrialTerms } from './effects.ts';
import { refOf } from './hash.ts';
import { trialSeed } from './identity.ts';
import { type RawAttempt, readAttempt } from './reading.ts';

/** What the court lends to the effects that lie outside the trial. */
export interface SharedContext {
  readonly terms: TrialTerms;
  readonly ledger: TrialLedger;
  readonly effects: Effects;
  readonly guard: PromptGuard;
  claim(key: string): void;
  /** Texts of one event, by their refs. */
  collector(): { texts: Map<string, string>; keep: (text: string) => string };
  prepare<T>(role: string, key: string, prompt: Prompt, spec: AnswerSpec<T>, temperature: number): PreparedCall;
}

/** What a precedent is looked for by: the same query, made again, has the same name. */
const queryName = ({ salt, retriever }: TrialTerms, { labels, perLabel, retriever: how }: PrecedentQuery): string =>
  refOf(salt, JSON.stringify({ labels, perLabel, retriever: how, by: how === 'random' ? null : retriever }));

/** `Court.askOnce` and `Court.retrieve`: their results come from outside the trial and are recorded in it. */
export function sharedEffects(context: SharedContext): Pick<Court, 'askOnce' | 'retrieve'> {
  const { terms, ledger, effects, guard } = context;

  /** Names a question by all that decides its answer. */
  const questionName = <T>(role: string, question: SharedQuestion<T>): string => {
    const prompt = question.prompt((name, slots = {}) => fillTemplate(terms.templates[name] ?? '', slots));
    const { backend, request } = context.prepare(role, '', prompt, question.answer, question.temperature);
    const { seed: _seed, topLogprobs: _logprobs, ...options } = request.options;
    return refOf(terms.salt, JSON.stringify({ backend, ...request, options, seed: question.seed, number: question.number ?? 1 }));
  };

  const recordedShare = <T>(
    key: string,
    role: string,
    request: string,
    spec: AnswerSpec<T>,
    recorded: EventPayload<'answer-share'>,
  ): RawAttempt => {
    if (recorded.request !== request) {
      const { schema }: { schema?: unknown } = JSON.parse(ledger.text(recorded.setup));
      if (JSON.stringify(schema) !== JSON.stringify(jsonSchemaOf(spec))) throw new OtherSchema(key);
      throw new Divergence(key, 'the recorded question is not the one that the protocol asks');
    }
    if (recorded.role !== role) throw new Divergence(key, 'the recorded question was put to another role');
    const { answer, done, failure } = recorded;
    return {
      answer: answer === null ? null : ledger.text(answer),
      done,
      failure: failure === undefined ? null : { ...failure, message: ledger.text(failure.message) },
    };
  };

  return {
    async askOnce(key, role, question) {
      context.claim(key);
      const request = questionName(role, question);
      const recorded = ledger.find('answer-share', key);
      if (recorded !== undefined) {
        const raw = recordedShare(key, role, request, question.answer, recorded);
        const reading = readAttempt(question.answer, raw);
        if (reading.method !== (recorded.method ?? null) || reading.rejected !== (recorded.rejected ?? null)) {
          if (recorded.reader !== readerVersion) throw new OtherReader(key, recorded.reader);
          throw new Divergence(key, 'the recorded answer is not read as it was when it was given');
        }
        return received(key, raw, reading);
      }
      const { call, setup, raw } = await effects.askOnce({ name: request, role, question, terms });
      const reading = readAttempt(question.answer, raw);
      const { texts, keep } = context.collector();
      ledger.append(
        'answer-share',
        {
          v: 1,
          key,
          role,
          request,
          call,
          setup: keep(setup),
          answer: raw.answer === null ? null : keep(raw.answer),
          done: raw.done,
          ...(raw.failure === null ? {} : { failure: { kind: raw.failure.kind, message: keep(raw.failure.message) } }),
          reader: readerVersion,
          ...(reading.rejected === null ? { method: reading.method } : { rejected: reading.rejected }),
        },
        texts,
      );
      return received(key, raw, reading);
    },

    async retrieve(key, query) {
      context.claim(key);
      const request = queryName(terms, query);
      let found = ledger.find('precedent-retrieve', key);
      if (found === undefined) {
        const { method, setup, precedents, withoutVector, failure } = await effects.retrieve(query, terms);
        const { texts, keep } = context.collector();
        found = {
          v: 1,
          key,
          request,
          method,
          setup: setup === null ? null : keep(setup),
          precedents: [...precedents],
          ...(withoutVector === undefined ? {} : { withoutVector }),
          ...(failure === null ? {} : { failure: { kind: failure.kind, message: keep(failure.message) } }),
        };
        ledger.append('precedent-retrieve', found, texts);
        if (failure !== null) throw new TurnFailure(key, failure.kind, failure.message);
      } else if (found.request !== request) {
        throw new Divergence(key, 'the recorded precedents are not those that the protocol looks for');
      } else if (found.failure !== undefined) {
        throw new TurnFailure(key, found.failure.kind, ledger.text(found.failure.message));
      }
      return found.precedents.map(({ case: ref, label, similarity }): Precedent => {
        const { id, facts } = datasetCaseSchema.parse(JSON.parse(ledger.text(ref)));
        guard.learnFacts(facts);
        return { facts, label, similarity, seed: trialSeed(terms.experimentSeed, id, 0) };
      });
    },
  };

  /** The answer as the trial goes on with it. */
  function received<T>(key: string, { answer }: RawAttempt, reading: ReturnType<typeof readAttempt<T>>) {
    const text = answer ?? '';
    guard.learnAnswer(text, reading.rejected === null ? reading.value : null);
    if (reading.rejected !== null) throw new TurnFailure(key, reading.rejected, reading.message);
    return { value: reading.value, text };
  }
}
