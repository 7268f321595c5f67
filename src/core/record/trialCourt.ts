import type { Change } from '../../shared/changes.ts';
import type { Case, Fact } from '../../shared/domain.ts';
import { type EventKind, type EventPayload, eventSchemas, type TextGuard } from '../../shared/events.ts';
import type { ChatMessage, TokenReport } from '../../shared/model.ts';
import { type AnswerSpec, readerVersion } from '../answers/answer.ts';
import { jsonSchemaOf } from '../answers/schema.ts';
import { type LabelTokens, labelTokens, readLabelTokens, writeLabelTokens } from '../beliefs/labelTokens.ts';
import { randomSource } from '../cases/shuffle.ts';
import { openWording, type Prompt } from '../prompts/wording.ts';
import { type Answered, type Court, TurnFailure } from '../protocols/court.ts';
import { type PromptGuard, promptGuard } from '../text/guard.ts';
import { type AnswerOrigin, beliefTaker } from './beliefTaking.ts';
import { debateEffects } from './debateEffects.ts';
import { Divergence } from './divergence.ts';
import type { Effects, PreparedCall, ReusedAnswer, TrialLedger, TrialTerms } from './effects.ts';
import { partName, refOf } from './hash.ts';
import { callSeed } from './identity.ts';
import { misled } from './misled.ts';
import { moderation } from './moderation.ts';
import { correctedPrompt, type RawAttempt, readAttempt } from './reading.ts';
import { openRounds } from './rounds.ts';
import { sharedEffects } from './sharedEffects.ts';
import { type Written, withRefs } from './texts.ts';
import { speechOf, withholding } from './withheld.ts';

/** A prompt as it goes out, and what was found in it. */
interface Inspected {
  readonly sent: Prompt;
  readonly found: TextGuard | undefined;
}

/** The tokens of an answer's labels, if they were requested and reported. */
function tokensOf<T>(
  spec: AnswerSpec<T>,
  { request }: PreparedCall,
  { answer }: RawAttempt,
  reports: readonly TokenReport[] | undefined,
): readonly LabelTokens[] | null {
  if (request.options.topLogprobs === undefined || reports === undefined) return null;
  return labelTokens(answer ?? '', reports, spec.labelFields, spec.labels);
}

export interface TrialCourt extends Court {
  /** Takes note of the case, whose texts others have written; before the protocol runs. */
  hear(kase: Case): void;
  /** Takes note of texts that others have written. */
  learn(facts: readonly Fact[]): void;
  readonly masksNames: boolean;
  /** The change that the arm declares in its cases. */
  readonly change: Change | undefined;
  readonly ruled: boolean;
  readonly forfeits: number;
}

/** Separates the parts of a message. */
export const separator = '\n\n';

/** Alternatives asked for with every token: the most that Ollama reports. */
const topLogprobs = 20;

/** The least penalty after a loop: enough for SmolLM2-135M to leave it, and small enough to repeat the words of a schema. */
const penaltyAfterLoop = 1.15;

/** Milliseconds to three digits: more is noise. */
const toMicroseconds = (milliseconds: number) => Math.round(milliseconds * 1000) / 1000;

/** The court of a trial that is run, resumed or replayed: recorded steps are compared and taken, the first missing one is new. */
export function openCourt(terms: TrialTerms, ledger: TrialLedger, effects: Effects): TrialCourt {
  const used = new Set<string>();
  const random = randomSource(terms.seed, 'trial');
  const guard = promptGuard(terms.templates, terms.guard);
  const wording = openWording(terms.templates, guard.fill);
  for (const { facts } of terms.examples) guard.learnFacts(facts);
  if (terms.change?.kind === 'replace') guard.learnAnswer(terms.change.text, null);
  const rounds = openRounds();
  const withheld = withholding(terms.change, terms.caseSeed);
  let ruled = false;
  let forfeits = 0;

  const claim = (key: string) => {
    if (used.has(key)) throw new Error(`key ${key} is used twice in one trial`);
    used.add(key);
  };

  /** Refs of the texts that are on the record, or on their way to it: every call repeats most of those before it. */
  const refs = new Map<string, string>();
  const collector = () => {
    const texts = new Map<string, string>();
    const keep = (text: string): string => {
      const known = refs.get(text);
      if (known !== undefined) return known;
      const wellFormed = text.toWellFormed();
      const ref = refOf(terms.salt, wellFormed);
      refs.set(text, ref);
      texts.set(ref, wellFormed);
      return ref;
    };
    return { texts, keep };
  };

  /** Records a step without effects, or checks it against the recorded one. */
  const record = <K extends EventKind>(kind: K, key: string, step: Written<K>) => {
    claim(key);
    rounds.stir();
    const { texts, keep } = collector();
    const payload = withRefs(kind, key, step, keep);
    const recorded = ledger.find(kind, key);
    if (recorded === undefined) ledger.append(kind, payload, texts);
    else if (JSON.stringify(recorded) !== JSON.stringify(eventSchemas[kind].parse(payload))) {
      throw new Divergence(key, `the recorded ${kind} is not what the protocol derives from the recorded answers`);
    }
  };

  const prepare = <T>(
    role: string,
    key: string,
    prompt: Prompt,
    spec: AnswerSpec<T>,
    temperature: number,
    looped = false,
  ): PreparedCall => {
    const { model, backend, options } = terms.castOf(role);
    // A penalty shifts the probabilities that a belief is read from, and is not in the papers.
    const penalised = looped && terms.belief !== 'logprobs' && terms.paper !== true;
    const messages: ChatMessage[] = prompt.map((message) => ({
      role: message.role,
      content: message.parts.join(separator).toWellFormed(),
    }));
    return {
      key,
      role,
      backend,
      request: {
        model,
        messages,
        schema: jsonSchemaOf(spec),
        options: {
          temperature: options.temperature ?? temperature,
          numCtx: options.numCtx ?? terms.runtime.numCtx,
          numPredict: options.numPredict ?? terms.runtime.numPredict,
          topP: options.topP,
          topK: options.topK,
          minP: options.minP,
          repeatPenalty: penalised ? Math.max(penaltyAfterLoop, options.repeatPenalty ?? 0) : options.repeatPenalty,
          topLogprobs: terms.belief === 'logprobs' && spec.labelFields.length > 0 ? topLogprobs : undefined,
          seed: callSeed(terms.seed, terms.attempt, terms.seedKey?.(key) ?? key),
        },
      },
    };
  };

  /** The prompt as it goes out. Before there were rules, a call went out as it was, and its record says nothing of them. */
  const inspect = (known: PromptGuard, key: string, prompt: Prompt): Inspected => {
    const recorded = ledger.find('call-answer', key);
    if (terms.guard === 1 && recorded !== undefined && recorded.guard === undefined) return { sent: prompt, found: undefined };
    return known.apply(prompt);
  };

  /** What a recorded answer says, and whether it is read as it was when it was given. */
  const heardAgain = <T>(spec: AnswerSpec<T>, recorded: EventPayload<'call-answer'>) => {
    const raw = {
      answer: recorded.answer === null ? null : ledger.text(recorded.answer),
      done: recorded.done,
      failure: recorded.failure === undefined ? null : { ...recorded.failure, message: ledger.text(recorded.failure.message) },
    };
    const reading = readAttempt(spec, raw, terms.reading);
    const { method = null, rejected = null, flags = [] } = recorded;
    const now = reading.rejected === null ? reading.flags : [];
    const isAsBefore = reading.method === method && reading.rejected === rejected && now.join() === flags.join();
    const tokens = recorded.logprobs === undefined ? null : readLabelTokens(ledger.text(recorded.logprobs));
    return { heard: { reading, raw, tokens }, isAsBefore };
  };

  const messagesOf = (prompt: Prompt, keep: (text: string) => string): EventPayload<'call-answer'>['messages'] =>
    prompt.map((message) => [message.role, message.parts.map((part) => partName(keep(part)))]);

  /** Records another trial's answer to the same request as this trial's; null where it would be read otherwise now. */
  const takeOver = <T>(
    { key, role }: PreparedCall,
    prompt: Prompt,
    guard: TextGuard | undefined,
    spec: AnswerSpec<T>,
    { at, from, answer: { guard: _guard, ...answer } }: ReusedAnswer,
  ) => {
    const { heard, isAsBefore } = heardAgain(spec, answer);
    if (!isAsBefore) return null;
    const { texts, keep } = collector();
    const own = { at, key, role, messages: messagesOf(prompt, keep), ...(guard === undefined ? {} : { guard }), reused: from };
    ledger.append('call-answer', { ...answer, ...own }, texts);
    return heard;
  };

  /** One attempt: from the record if it is there, else performed and recorded. */
  const attempt = async <T>(call: PreparedCall, prompt: Prompt, found: TextGuard | undefined, spec: AnswerSpec<T>) => {
    claim(call.key);
    const requestRef = refOf(terms.salt, JSON.stringify(call.request));
    const recorded = ledger.find('call-answer', call.key);
    if (recorded !== undefined) {
      const { backend }: { backend?: unknown } = JSON.parse(ledger.text(recorded.setup));
      if (recorded.request !== requestRef) {
        throw new Divergence(call.key, 'the recorded request is not the one that the protocol makes');
      }
      if (recorded.role !== call.role || backend !== call.backend) {
        throw new Divergence(call.key, 'the recorded call was made in another role or to another backend');
      }
      if (JSON.stringify(recorded.guard) !== JSON.stringify(found)) {
        throw new Divergence(call.key, 'the record names other foreign text in the prompt than there is');
      }
      const { heard, isAsBefore } = heardAgain(spec, recorded);
      if (isAsBefore) return heard;
      throw new Divergence(recorded.key, 'the recorded answer is not read as it was when it was given');
    }
    const reused = effects.reuse === undefined ? null : await effects.reuse(call, requestRef);
    const taken = reused === null ? null : takeOver(call, prompt, found, spec, reused);
    if (taken !== null) return taken;
    const report = await effects.perform(call);
    const { result, failure } = report;
    const raw = { answer: result?.text.toWellFormed() ?? null, done: result?.doneReason ?? null, failure };
    const reading = readAttempt(spec, raw, terms.reading);
    const tokens = reading.rejected === null ? tokensOf(spec, call, raw, result?.logprobs) : null;
    const { texts, keep } = collector();
    const { seed, ...options } = call.request.options;
    const { backend, request } = call;
    const setup = {
      backend,
      standin: result?.standin ?? null,
      ...report.sentTo,
      model: request.model,
      options,
      schema: request.schema,
    };
    ledger.append(
      'call-answer',
      {
        v: 1,
        at: report.at,
        key: call.key,
        role: call.role,
        request: requestRef,
        setup: keep(JSON.stringify(setup)),
        seed,
        messages: messagesOf(prompt, keep),
        ...(found === undefined ? {} : { guard: found }),
        answer: raw.answer === null ? null : keep(raw.answer),
        ...(tokens === null ? {} : { logprobs: keep(writeLabelTokens(tokens)) }),
        ...(result?.thinking ? { thinking: keep(result.thinking) } : {}),
        done: raw.done,
        ...(failure === null ? {} : { failure: { ...failure, message: keep(failure.message) } }),
        reader: readerVersion,
        ...(reading.rejected === null ? { method: reading.method } : { rejected: reading.rejected }),
        ...(reading.rejected === null && reading.flags.length > 0 ? { flags: [...reading.flags] } : {}),
        promptTokens: result?.promptTokens ?? 0,
        ...(result?.cachedTokens === undefined ? {} : { cachedTokens: result.cachedTokens }),
        completionTokens: result?.completionTokens ?? 0,
        modelMs: toMicroseconds(result?.modelMs ?? 0),
        loadMs: toMicroseconds(result?.loadMs ?? 0),
        ...(result?.promptMs === undefined ? {} : { promptMs: toMicroseconds(result.promptMs) }),
        ...(result?.completionMs === undefined ? {} : { completionMs: toMicroseconds(result.completionMs) }),
        wallMs: toMicroseconds(report.wallMs),
      },
      texts,
    );
    return { reading, raw, tokens };
  };

  const { oneModel, ...shared } = sharedEffects({ terms, ledger, effects, guard, rounds, claim, collector, prepare });

  const origins = new WeakMap<Answered<unknown>, AnswerOrigin>();
  const originOf = (answer: Answered<unknown>): AnswerOrigin => {
    const origin = origins.get(answer);
    if (origin === undefined) throw new Error('a belief is taken from an answer that this court gave, as it gave it');
    return origin;
  };

  return {
    random,
    examples: terms.examples,
    caseSeed: terms.caseSeed,
    swapped: (what) => terms.swap === what,
    masksNames: terms.mask === 'names',
    change: terms.change,
    get ruled() {
      return ruled;
    },
    get forfeits() {
      return forfeits;
    },

    hear({ facts, question }) {
      guard.learnFacts([...facts, { name: 'question', value: question }]);
    },

    learn: (facts) => guard.learnFacts(facts),

    text(name, slots) {
      rounds.stir();
      return wording.text(name, slots);
    },

    prompt(id, slots) {
      rounds.stir();
      return wording.prompt(id, slots);
    },

    async ask(key, role, usual, spec, { temperature }) {
      const prompt = withheld.without(misled(usual, role, terms.change));
      // What is asked at a time is answered in any order: a call knows what was known when it was asked, and its own answers.
      const known = guard.snapshot();
      const heard: (readonly [text: string, value: unknown])[] = [];
      const first = inspect(known, `${key}/attempt-1`, prompt);
      const send = (callKey: string, number: number, { sent, found }: Inspected, looped = false) => {
        const call = prepare(role, callKey, sent, spec, temperature, looped);
        return attempt({ ...call, again: number <= terms.runtime.retries }, sent, found, spec);
      };
      /** What the model said is not asked for again; what it was not asked is. */
      const sample = async (sampleNumber: number) => {
        for (let number = 1; ; number++) {
          const { reading, raw } = await send(`${key}/sample-${sampleNumber}/attempt-${number}`, number, first);
          if (raw.failure === null || raw.failure.permanent || number > terms.runtime.retries) return reading;
        }
      };
      const untilAnswered = async () => {
        let current = prompt;
        let looped = false;
        for (let number = 1; ; number++) {
          const callKey = `${key}/attempt-${number}`;
          const { reading, raw, tokens } = await send(
            callKey,
            number,
            number === 1 ? first : inspect(known, callKey, current),
            looped,
          );
          looped ||= raw.done === 'loop';
          const text = raw.answer ?? '';
          const value = reading.rejected === null ? reading.value : null;
          heard.push([text, value]);
          known.learnAnswer(text, value);
          if (reading.rejected === null) {
            const answer = { value: reading.value, text };
            withheld.answered(key, text);
            origins.set(answer, { tokens, sample: (sampleNumber) => rounds.take(() => sample(sampleNumber)) });
            return answer;
          }
          const final = reading.rejected === 'undecided' || raw.failure?.permanent === true || number > terms.runtime.retries;
          if (final) throw new TurnFailure(key, reading.rejected, reading.message);
          current = correctedPrompt(prompt, raw, reading.correction);
        }
      };
      return rounds.take(untilAnswered, () => {
        for (const [text, value] of heard) guard.learnAnswer(text, value);
      });
    },

    belief: beliefTaker(terms.belief, originOf),

    ...shared,
    ...debateEffects({ terms, ledger, effects, rounds, claim, collector }),
    ...moderation({ ledger, effects, guard, claim, collector }),

    record,

    findAmbiguity(key, { ambiguous, ...ambiguity }) {
      record('ambiguity-find', key, { ...ambiguity, ambiguous: oneModel(ambiguity.role) ? ambiguous : null });
    },

    utter(key, { plan, ...utterance }) {
      withheld.uttered(speechOf(key), utterance.text);
      record('utterance-make', key, { ...utterance, plan: plan ?? null });
    },

    believe(key, { notes, ...update }) {
      record('belief-update', key, { ...update, notes: notes ?? null });
    },

    forfeit(key, role, failure) {
      forfeits += 1;
      record('turn-forfeit', key, { role, failure: failure.outcome });
    },

    measure(key, name, value) {
      record('measure-take', key, { name, value });
    },

    rule(key, { opinion, ...ruling }) {
      if (ruled) throw new Error('a trial has one ruling');
      ruled = true;
      record('ruling-give', key, { ...ruling, opinion: opinion ?? null });
    },
  };
}
