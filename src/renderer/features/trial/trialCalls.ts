import { outcomeText } from '../../../core/figures/outcomeText.ts';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';

export type CallEntry = Extract<TranscriptEntry, { kind: 'call' }>;
type ShareEntry = Extract<TranscriptEntry, { kind: 'share' }>;

/** A call as a list names it: one of the trial's own, or one that was made once and serves other trials too. */
export interface ListedCall extends Pick<CallEntry, 'seq' | 'key' | 'role' | 'failure' | 'rejected'> {
  /** Null where it is shared: its effort counts in no trial. */
  readonly own: CallEntry | null;
  /** It is known that it was asked again, and not why. */
  readonly askedAgain: boolean;
}

/** Key of the question that a call asks: the same for all its attempts. */
export const questionOf = (key: string): string => key.replace(/\/attempt-\d+$/, '');

/** The part of the trial in which a role is asked, in words: `turn 1` for `turn-1/defense/attempt-1` of the defense. */
export const partOf = ({ key, role }: Pick<CallEntry, 'key' | 'role'>): string =>
  questionOf(key)
    .split('/')
    .filter((part) => part.replaceAll('-', '') !== role)
    .map((part) => part.replaceAll('-', ' '))
    .join(', ');

/** The step of the protocol that an entry belongs to: `turn-1/defense` for `turn-1/defense/utterance`. */
const stepOf = (key: string): string => key.replace(/\/[^/]*$/, '');

/** Entries that a call of the same trial may have made. */
const ofCalls: ReadonlySet<TranscriptEntry['kind']> = new Set(['utterance', 'belief', 'forfeit', 'rating', 'ruling']);

/** Entries that represent every call under their step: `subtopics/settled` for all that led to the subtopics. */
const ofSteps: ReadonlySet<TranscriptEntry['kind']> = new Set([
  'subtopics',
  'evaluation',
  'proposal',
  'panel',
  'answer',
  'comparison',
  'measure',
]);

/** Which calls led to each entry: those of its step, else the last question that its role answered before. */
export function callsOf(entries: readonly TranscriptEntry[]) {
  const asked = new Map<string, CallEntry[]>();
  const lastOfRole = new Map<string, string>();
  const claimed = new Set<string>();
  const bySeq = new Map<number, readonly CallEntry[]>();
  for (const entry of entries) {
    if (entry.kind === 'call') {
      const question = questionOf(entry.key);
      asked.set(question, [...(asked.get(question) ?? []), entry]);
      lastOfRole.set(entry.role, question);
    } else if (ofSteps.has(entry.kind)) {
      const step = stepOf(entry.key);
      const questions = [...asked.keys()].filter((question) => question === step || question.startsWith(`${step}/`));
      for (const question of questions) claimed.add(question);
      bySeq.set(
        entry.seq,
        questions.flatMap((question) => asked.get(question) ?? []),
      );
    } else if (ofCalls.has(entry.kind)) {
      const question = asked.has(stepOf(entry.key)) ? stepOf(entry.key) : lastOfRole.get(entry.role);
      if (question === undefined) continue;
      claimed.add(question);
      bySeq.set(entry.seq, asked.get(question) ?? []);
    }
  }
  return {
    bySeq,
    /** Calls that led to nothing said, believed or ruled, in order: under way, or what ended the trial. */
    unclaimed: [...asked].flatMap(([question, calls]) => (claimed.has(question) ? [] : calls)),
  };
}

export const allCalls = (entries: readonly TranscriptEntry[]): CallEntry[] =>
  entries.flatMap((entry) => (entry.kind === 'call' ? [entry] : []));

/** The attempts at a question that the trial shares with others. */
export const sharedCallsOf = ({ seq, key, role, failure, rejected, attempts = 1 }: ShareEntry): ListedCall[] =>
  Array.from({ length: attempts }, (_none, index) => {
    const last = index === attempts - 1;
    return {
      seq,
      key: `${key}/attempt-${index + 1}`,
      role,
      failure: last ? failure : null,
      rejected: last ? rejected : null,
      own: null,
      askedAgain: !last,
    };
  });

/** Every call that an entry of the trial rests on, in order: its own, and shared ones where their answers came in. */
export const listedCalls = (entries: readonly TranscriptEntry[]): ListedCall[] =>
  entries.flatMap((entry): ListedCall[] => {
    if (entry.kind === 'share') return sharedCallsOf(entry);
    return entry.kind === 'call' ? [{ ...entry, own: entry, askedAgain: false }] : [];
  });

/** Why a call had to be asked again, in words; null where its answer was taken. */
export function mishap({ failure, rejected }: Pick<CallEntry, 'failure' | 'rejected'>): string | null {
  const kind = failure ?? rejected;
  return kind == null ? null : outcomeText(kind);
}

/** Effort so far, as the trial's line has it when the trial is done. Times in milliseconds. */
export function effortOf(calls: readonly CallEntry[]) {
  return {
    calls: new Set(calls.map(({ key }) => questionOf(key))).size,
    attempts: calls.length,
    prompt_tokens: calls.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    completion_tokens: calls.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
    wall_ms: calls.reduce((sum, { wallMs }) => sum + wallMs, 0),
  };
}
