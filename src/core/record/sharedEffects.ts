import { datasetCaseSchema } from '../../shared/domain.ts';
import type { EventPayload } from '../../shared/events.ts';
import { type AnswerSpec, readerVersion } from '../answers/answer.ts';
import { fillTemplate, openWording, type Prompt } from '../prompts/wording.ts';
import { type Court, type Precedent, type PrecedentQuery, type SharedQuestion, TurnFailure } from '../protocols/court.ts';
import type { PromptGuard } from '../text/guard.ts';
import type { DebateContext } from './debateEffects.ts';
import { Divergence } from './divergence.ts';
import type { PreparedCall, TrialTerms } from './effects.ts';
import { refOf } from './hash.ts';
import { trialSeed } from './identity.ts';
import { type RawAttempt, readAttempt } from './reading.ts';
import { digestOf } from './sharedKey.ts';

/** What the court lends to the effects that lie outside the trial. */
export interface SharedContext extends DebateContext {
  readonly guard: PromptGuard;
  prepare<T>(role: string, key: string, prompt: Prompt, spec: AnswerSpec<T>, temperature: number): PreparedCall;
}

/** What a precedent is looked for by: the same query, made again, has the same name. */
const queryName = ({ salt, retriever }: TrialTerms, { labels, perLabel, retriever: how }: PrecedentQuery): string =>
  refOf(salt, JSON.stringify({ labels, perLabel, retriever: how, by: how === 'random' ? null : retriever }));

export interface SharedCourt extends Pick<Court, 'askOnce' | 'retrieve'> {
  /** Whether the questions that a role was asked several times in the same words had one model's answers, as far as is known. */
  oneModel(role: string): boolean;
}

/** `Court.askOnce` and `Court.retrieve`: their results come from outside the trial and are recorded in it. */
export function sharedEffects(context: SharedContext): SharedCourt {
  const { terms, ledger, effects, guard } = context;
  const wording = openWording(terms.templates, fillTemplate);

  /** Names a question by all that decides its answer. */
  const questionName = <T>(role: string, question: SharedQuestion<T>): string => {
    const prompt = question.prompt(wording);
    const { backend, request } = context.prepare(role, '', prompt, question.answer, question.temperature);
    const { seed: _seed, topLogprobs: _logprobs, ...options } = request.options;
    return refOf(terms.salt, JSON.stringify({ backend, ...request, options, seed: question.seed, number: question.number ?? 1 }));
  };

  const recordedShare = (key: string, role: string, request: string, recorded: EventPayload<'answer-share'>): RawAttempt => {
    if (recorded.request !== request) {
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

  /** Digests of the models that answered questions put several times in the same words, by role. */
  const digestsOf = new Map<string, Set<string>>();
  const noteDigest = (role: string, question: SharedQuestion<unknown>, setup: string) => {
    const digest = digestOf(setup);
    if (question.number === undefined || digest === null) return;
    digestsOf.set(role, (digestsOf.get(role) ?? new Set()).add(digest));
  };

  /** The answer to a shared question, from the record if it is there, and the result of reading it. */
  const share = async <T>(key: string, role: string, question: SharedQuestion<T>) => {
    const request = questionName(role, question);
    const asked = { name: request, role, question, terms };
    const recorded = ledger.find('answer-share', key);
    if (recorded !== undefined) {
      const raw = recordedShare(key, role, request, recorded);
      const reading = readAttempt(question.answer, raw, terms.reading);
      if (reading.method !== (recorded.method ?? null) || reading.rejected !== (recorded.rejected ?? null)) {
        throw new Divergence(key, 'the recorded answer is not read as it was when it was given');
      }
      noteDigest(role, question, ledger.text(recorded.setup));
      await effects.recheck?.share(asked, recorded);
      return { raw, reading };
    }
    const { call, setup, raw } = await effects.askOnce(asked);
    noteDigest(role, question, setup);
    const reading = readAttempt(question.answer, raw, terms.reading);
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
    return { raw, reading };
  };

  /** What was found, from the record if it is there. Throws `TurnFailure` if it failed. */
  const search = async (key: string, query: PrecedentQuery) => {
    const request = queryName(terms, query);
    const recorded = ledger.find('precedent-retrieve', key);
    if (recorded !== undefined) {
      if (recorded.request !== request) {
        throw new Divergence(key, 'the recorded precedents are not those that the protocol looks for');
      }
      await effects.recheck?.retrieval(query, terms, recorded);
      if (recorded.failure === undefined) return recorded.precedents;
      throw new TurnFailure(key, recorded.failure.kind, ledger.text(recorded.failure.message));
    }
    const { method, setup, precedents, withoutVector, failure } = await effects.retrieve(query, terms);
    const { texts, keep } = context.collector();
    const found: EventPayload<'precedent-retrieve'> = {
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
    return found.precedents;
  };

  return {
    oneModel: (role) => (digestsOf.get(role)?.size ?? 0) < 2,

    async askOnce(key, role, question) {
      context.claim(key);
      let heard: { readonly text: string; readonly value: unknown } | undefined;
      return context.rounds.take(
        async () => {
          const { raw, reading } = await share(key, role, question);
          const text = raw.answer ?? '';
          heard = { text, value: reading.rejected === null ? reading.value : null };
          if (reading.rejected !== null) throw new TurnFailure(key, reading.rejected, reading.message);
          return { value: reading.value, text };
        },
        () => {
          if (heard !== undefined) guard.learnAnswer(heard.text, heard.value);
        },
      );
    },

    async retrieve(key, query) {
      context.claim(key);
      let found: Precedent[] = [];
      return context.rounds.take(
        async () => {
          found = (await search(key, query)).map(({ case: ref, label, similarity }): Precedent => {
            const { id, facts } = datasetCaseSchema.parse(JSON.parse(ledger.text(ref)));
            return { facts, label, similarity, seed: trialSeed(terms.experimentSeed, id, 0) };
          });
          return found;
        },
        () => {
          for (const { facts } of found) guard.learnFacts(facts);
        },
      );
    },
  };
}
