// What is wrong with the texts of a damaged trial, for its screen.
import { eventInWords, meaningOf, usesOf } from '../../../../resources/bundle/uses.mjs';
import { partName, refOf } from '../../../core/record/hash.ts';
import { refsOf } from '../../../core/record/texts.ts';
import { stringsIn } from '../../../core/text/guard.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import { attempt } from '../attempt.ts';
import { isTextOf } from '../audit/chain.ts';
import type { trialFault } from '../audit/damage.ts';
import type { StoredEvent } from '../store/events.ts';
import { parseReadable } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';

type TrialFaults = Pick<TrialView, 'damage_means' | 'faulty_texts' | 'faulty_calls'>;

export const noFaults: TrialFaults = { damage_means: null, faulty_texts: [], faulty_calls: [] };

/** The words in an answer, which is JSON as a model wrote it. */
const wordsIn = (answer: string): string[] =>
  attempt(() => stringsIn(JSON.parse(answer)), [answer]).flatMap((words) => [words, words.trim()]);

/**
 * What the first fault of a trial means, the texts that the record no longer has, or that are not as they were recorded,
 * and the calls whose messages have such a text.
 * @param events of the last attempt
 */
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
