import { z } from 'zod';
import { eventInWords, meaningOf, usesOf } from '../../../../resources/bundle/uses.mjs';
import { shownFacts } from '../../../core/cases/columnNames.ts';
import { lastAttempt } from '../../../core/record/fold.ts';
import { partName, refOf } from '../../../core/record/hash.ts';
import { preparationChain } from '../../../core/record/identity.ts';
import { refsOf } from '../../../core/record/texts.ts';
import { separator } from '../../../core/record/trialCourt.ts';
import { answersOfTrial, judgedText } from '../../../core/telling/reviewTables.ts';
import { stringsIn } from '../../../core/text/guard.ts';
import type { CallView, TranscriptEntry, TrialView } from '../../../shared/api/trials.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import { attempt } from '../attempt.ts';
import { isTextOf, problemOf } from '../audit/chain.ts';
import { faultText, trialFault } from '../audit/damage.ts';
import { erasureOfTrial } from '../lab/erasedData.ts';
import { columnTermsOf } from '../lab/frozen.ts';
import { retrialName } from '../lab/retrial.ts';
import { toldTitle } from '../lab/tryOut.ts';
import { transcriptEntry } from '../report/transcriptEntries.ts';
import { lineReader, sameCaseTrials, withCourse } from '../report/trialLines.ts';
import { firstJudgedText, saidOfTrial } from '../reviews/ledger.ts';
import type { StoredEvent } from '../store/events.ts';
import { parseChain, parseReadable } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { castOf } from './experiment.ts';
import { findTrial, liveLine } from './findTrial.ts';
import type { Query } from './query.ts';

// What is wrong with the texts of a damaged trial, for its screen.

type TrialFaults = Pick<TrialView, 'damage_means' | 'faulty_texts' | 'faulty_calls'>;

export const noFaults: TrialFaults = { damage_means: null, faulty_texts: [], faulty_calls: [] };

const wordsIn = (answer: string): string[] =>
  attempt(() => stringsIn(JSON.parse(answer)), [answer]).flatMap((words) => [words, words.trim()]);

/** What a trial's first fault means, its missing or changed texts, and calls with such a text. @param events of one attempt */
export function faultsOf(
  store: Store,
  salt: Uint8Array,
  fault: NonNullable<ReturnType<typeof trialFault>>,
  chain: readonly StoredEvent[],
  events: readonly RecordEvent[],
): TrialFaults {
  const attempt = chain.filter(({ seq }) => seq >= (events[0]?.seq ?? 0));
  const isSound = (ref: string) => {
    const bytes = store.blobs.bytes(ref);
    return bytes !== undefined && isTextOf(ref, salt, bytes);
  };
  const faultyIn = (parsed: readonly RecordEvent[], stored: readonly StoredEvent[]) =>
    [...new Set(parsed.flatMap(refsOf))].flatMap((ref) => {
      if (store.erasures.has(ref) || isSound(ref)) return [];
      return [{ ref, isGone: store.blobs.bytes(ref) === undefined, ...usesOf(ref, stored, () => undefined) }];
    });
  const texts = faultyIn(events, attempt);
  const calls = events.flatMap((event) => (event.kind === 'call-answer' ? [event.payload] : []));
  /** The first call whose answer still has the words of a text, by their hash. */
  const answerWith = new Map<string, string>();
  for (const { key, answer: ref } of texts.length === 0 ? [] : calls) {
    const answer = ref === null || !isSound(ref) ? null : (store.blobs.get(ref) ?? null);
    for (const hash of answer === null ? [] : wordsIn(answer).map((words) => refOf(salt, words)))
      if (!answerWith.has(hash)) answerWith.set(hash, key);
  }
  const named = texts.map(({ ref, isGone: gone, uses }) => {
    const what = uses.find(({ field }) => field !== 'messages')?.what ?? 'a text';
    return { part: partName(ref), text: { what, gone, answer: answerWith.get(ref) ?? null } };
  });
  // A fault of a text is of an earlier attempt where the last one has none.
  const meant = texts.length > 0 || !fault.isText ? texts : faultyIn(parseReadable(chain), chain);
  const [text] = meant;
  const subject = fault.isText && text !== undefined ? text : { trial: fault.trial ?? '', seq: fault.seq, kind: fault.kind };
  return {
    damage_means: meaningOf({ subject, uses: meant.flatMap(({ uses }) => uses), areEventsSound: fault.isText }),
    faulty_texts: [
      ...(fault.isText || fault.seq === null
        ? []
        : [{ seq: fault.seq, field: 'event', what: eventInWords({ seq: fault.seq, kind: fault.kind }), gone: false }]),
      ...texts.flatMap(({ isGone: gone, uses }) =>
        uses.flatMap(({ seq, field, what }) =>
          seq === null || field === null || field === 'messages' ? [] : [{ seq, field, what, gone }],
        ),
      ),
    ],
    faulty_calls: calls.flatMap(({ key, messages }) => {
      const parts = new Set(messages.flatMap(([, names]) => names));
      const found = named.filter(({ part }) => parts.has(part)).map((each) => each.text);
      return found.length === 0 ? [] : [{ key, texts: found }];
    }),
  };
}

/** Reads a text of the store; null where it was erased. */
export const textOf = (store: Store) => (ref: string) => store.blobs.get(ref) ?? null;

const paramsSchema = z.record(z.string(), z.unknown());

/** The last attempt; all that can be read of a damaged chain whose beginning cannot. */
const attemptIn = (events: RecordEvent[]): readonly RecordEvent[] =>
  events.some(({ kind }) => kind === 'trial-open') ? lastAttempt(events) : events;

export const trial: Query<{ trial: string }, TrialView> = {
  run(store, { trial: id }) {
    const { frozen, trial: planned, row } = findTrial(store, id);
    const read = lineReader(store, frozen);
    const lineOf = (...trial: Parameters<typeof read>) => liveLine(store, read(...trial));
    const chain = store.events.chain(id);
    const fault = chain.length === 0 ? null : trialFault(store, frozen.name, chain);
    const readable = parseReadable(chain);
    const events = attemptIn(readable);
    const stored = store.datasets.caseOfId(frozen.dataset.id, planned.caseId);
    if (stored === undefined) throw new Error(`trial ${id} is of a case that is not in the store`);
    const kase = frozen.changedCase(planned.arm, store.datasets.outline(stored.ref));
    const arm = frozen.arms.find(({ name }) => name === planned.arm);
    const claims = (arm === undefined ? undefined : frozen.protocol(arm))?.claims(kase, frozen.swapOf(planned.arm)) ?? {};
    const columns = columnTermsOf(store, frozen);
    const titled = (entry: TranscriptEntry | null): TranscriptEntry[] => {
      if (entry?.kind !== 'precedents') return entry === null ? [] : [entry];
      const withTitles = entry.precedents.map((each) => ({ ...each, facts: each.facts && shownFacts(each.facts, columns) }));
      return [{ ...entry, precedents: withTitles }];
    };
    const others = sameCaseTrials(store, frozen, planned).flatMap((other) =>
      other.id === id ? [] : [lineOf(other, store.trials.get(other.id))],
    );
    const line = withCourse(store, lineOf(planned, row));
    let unread = chain.length - readable.length;
    /** The entries of an event. Of a damaged trial, whose fault is named, unreadable ones are left out. */
    const entriesOf = (event: RecordEvent): TranscriptEntry[] => {
      try {
        return titled(transcriptEntry(event, textOf(store)));
      } catch (error) {
        if (fault === null) throw error;
        unread += 1;
        return [];
      }
    };
    const entries = events.flatMap(entriesOf);
    let judged: string | null = null;
    let answers: TrialView['answers'] = [];
    let firstJudged: string | null = null;
    const unheard = problemOf(() => {
      const said = { head: line.head_hash, ...saidOfTrial(store, frozen.name, id) };
      judged = judgedText(said, line.prediction);
      answers = answersOfTrial(said);
      firstJudged = firstJudgedText(store, line);
      return null;
    });
    const damage = [
      ...(fault === null ? [] : [faultText(fault)]),
      ...(unheard === null ? [] : [`What people said of it: ${unheard}`]),
    ];
    return {
      line,
      kind: kase.kind,
      question: kase.question,
      title: toldTitle(frozen.definition, kase.question),
      labels: [...kase.labels],
      positive: kase.positive,
      facts: shownFacts(kase.facts, columns),
      left_out: frozen.definition.dataset.exclude,
      erased: erasureOfTrial(store, events),
      cast: arm === undefined ? [] : castOf(frozen, arm).map((member) => ({ ...member, claim: claims[member.role] ?? null })),
      params: arm === undefined ? {} : paramsSchema.parse(frozen.terms(arm).params),
      entries,
      opened: events.flatMap((event) => (event.kind === 'trial-open' ? [event.payload.at] : []))[0] ?? null,
      lastSeq: chain.at(-1)?.seq ?? -1,
      replicates: frozen.definition.replicates,
      others,
      again: store.experiments.get(retrialName(id)) === undefined ? null : retrialName(id),
      damage: damage.length === 0 ? null : damage.join('. '),
      unread,
      ...(fault === null ? noFaults : faultsOf(store, frozen.dataset.salt, fault, chain, events)),
      judged,
      answers,
      first_judged: firstJudged,
    };
  },
};

const setupSchema = z.record(z.string(), z.unknown());
const erased = '[erased]';

/** An attempt at a question that the trial shares with others, from the chain of what was made once. */
function sharedCall(store: Store, experiment: string, events: readonly RecordEvent[], key: string) {
  const [, step = '', attempt = ''] = /^(.*)\/(attempt-\d+)$/.exec(key) ?? [];
  const share = events.find((event) => event.kind === 'answer-share' && event.payload.key === step);
  if (share?.kind !== 'answer-share') return undefined;
  const made = share.payload.call.key.replace(/attempt-\d+$/, attempt);
  return parseChain(store.events.chain(preparationChain(experiment))).flatMap((event) =>
    event.kind === 'call-answer' && event.payload.key === made ? [event.payload] : [],
  )[0];
}

/** All about one call of the last attempt, or a shared one, named by its step in this trial. Throws not-found. */
export const call: Query<{ trial: string; key: string }, CallView> = {
  run(store, { trial, key }) {
    const { frozen, row } = findTrial(store, trial);
    const events = row === undefined ? [] : attemptIn(parseReadable(store.events.chain(trial)));
    const own = events.find((event) => event.kind === 'call-answer' && event.payload.key === key);
    const payload = own?.kind === 'call-answer' ? own.payload : sharedCall(store, frozen.name, events, key);
    if (payload === undefined) {
      throw new AssizeError('not-found', `trial ${trial} has no call ${JSON.stringify(key)}`, 'key');
    }
    const text = textOf(store);
    const setup = text(payload.setup);
    const { role, at, seed, done, promptTokens, completionTokens, modelMs, loadMs, wallMs, request } = payload;
    return {
      ...{ key, role, at, seed, done, promptTokens, completionTokens, modelMs, loadMs, wallMs, request },
      messages: payload.messages.map(([speaker, parts]) => ({
        role: speaker,
        content: parts.map((part) => store.blobs.part(part, frozen.dataset.id) ?? erased).join(separator),
      })),
      setup: setup === null ? {} : setupSchema.parse(JSON.parse(setup)),
      answer: payload.answer === null ? null : text(payload.answer),
      thinking: payload.thinking === undefined ? null : text(payload.thinking),
      failure: payload.failure === undefined ? null : { ...payload.failure, message: text(payload.failure.message) },
      rejected: payload.rejected ?? null,
      method: payload.method ?? null,
      flags: payload.flags ?? [],
      cachedTokens: payload.cachedTokens ?? null,
      shared: own === undefined,
      reused: payload.reused === undefined ? null : { trial: payload.reused.trial, key: payload.reused.key },
    };
  },
};
