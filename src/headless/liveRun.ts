import { type CallListener, partialFields, type RunProgress } from '../main/engine/engine.ts';
import { longCallMs, longCallWords } from '../shared/longCalls.ts';
import { amount, count, duration, roughly, trialsReady } from './format.ts';

interface TrialName {
  readonly id: string;
  readonly arm: string;
  readonly caseId: string;
}

interface Speaking {
  readonly role: string;
  readonly trial: TrialName | null;
  /** When it was sent; null while it is not at the server. */
  sentAt: number | null;
  firstTextAt: number | null;
  /** Servers send about one piece a token. */
  pieces: number;
  soFar: string;
}

/** More of a speech than any line of a terminal holds, in characters. */
const longestTail = 500;

/** Characters of a line without what is being said: what matters least is left out before. */
const longestHead = 100;

type Parts = readonly (string | null)[];

/** The first of the lines that is short enough, else the last. */
function fitting(lines: readonly Parts[]): string {
  const texts = lines.map((parts) => parts.filter((part) => part !== null).join(' · '));
  return texts.find(({ length }) => length <= longestHead) ?? texts.at(-1) ?? '';
}

const failedText = ({ done, decided }: RunProgress) => (done === decided ? null : `${done - decided} failed`);

/** `3 failed (2 malformed, 1 timeout)` */
function kindsText(state: RunProgress): string | null {
  const failures = Object.entries(state.outcomes).filter(([outcome, trials]) => outcome !== 'decided' && trials > 0);
  const kinds = failures.toSorted(([, one], [, other]) => other - one).map(([outcome, trials]) => `${trials} ${outcome}`);
  const failed = failedText(state);
  return failed === null ? null : `${failed} (${failures.length === 1 ? failures[0]?.[0] : kinds.join(', ')})`;
}

const paceOf = ({ per_minute: rate, tokens_per_second: tokens }: RunProgress): Parts => [
  rate === null ? null : `${roughly(60 * rate)} trials/h`,
  tokens === null ? null : `${roughly(tokens)} tokens/s`,
];

function leftText({ seconds_left: left, seconds_left_range: range }: RunProgress): string | null {
  if (left === null) return null;
  const [least, most] = (range ?? []).map(duration);
  const between = least === undefined ? (left === 0 ? '' : ', a first guess') : least === most ? '' : ` (${least} to ${most})`;
  return `${duration(left)} left${between}`;
}

function progressText(state: RunProgress): string {
  const { planned, done, decided, calls, stoppedAfter, paused } = state;
  const trials = `${done}/${planned} trials`;
  const [failed, kinds] = [failedText(state), kindsText(state)];
  const [rate = null, tokens = null, left = null] =
    stoppedAfter === undefined && paused === null ? [...paceOf(state), leftText(state)] : [];
  const figures = fitting([
    [trials, `${decided} decided`, kinds, amount(calls, 'call'), rate, tokens, left],
    [trials, `${decided} decided`, kinds, rate, tokens, left],
    [trials, kinds, rate, tokens, left],
    [trials, failed, rate, tokens, left],
    [trials, failed, rate, left],
  ]);
  if (stoppedAfter !== undefined) return `${figures} · stopped by its rule after ${count(stoppedAfter)} cases`;
  return paused === null ? figures : `${figures} · paused until backend ${paused.backend} answers: ${paused.reason}`;
}

/** The same in few columns, to leave room for what is being said. @param call whose words follow */
function briefText(state: RunProgress, call: string): string {
  const { planned, done, seconds_left: seconds } = state;
  const [rate = null, tokens = null] = paceOf(state);
  const [counts, left] = [[`${done}/${planned}`, failedText(state)], seconds === null ? null : `${duration(seconds)} left`];
  return fitting([
    [...counts, rate, tokens, left, call],
    [...counts, rate, left, call],
    [...counts, left, call],
  ]);
}

const seconds = (milliseconds: number) => duration(milliseconds / 1000);

function placeOf({ role, trial }: Speaking): string {
  return trial === null ? `${role} (for several trials)` : `${role} · ${trial.arm} · case ${trial.caseId}`;
}

function longCallText({ role, trial, pieces }: Speaking, age: number): string {
  const where = trial === null ? 'for several trials' : `in trial ${trial.id}, arm ${trial.arm}, case ${trial.caseId}`;
  return `${role} ${where} ${longCallWords(pieces, age)}`;
}

function spoken(soFar: string): string {
  const fields = partialFields(soFar);
  const text = fields.at(-1)?.text ?? (soFar.trimStart().startsWith('{') ? '' : soFar);
  return text.slice(-longestTail).toWellFormed();
}

/** A run in words: the newest speech for a terminal, long calls for a log. @param now monotonic clock, in ms */
export function followRun(now: () => number = () => performance.now()) {
  let state: RunProgress | null = null;
  let preparing: string | null = null;
  const open = new Set<Speaking>();
  /** The call that the terminal stays with until it ends. */
  let shown: Speaking | null = null;

  const speaker = (): Speaking | null => {
    if (shown === null || shown.sentAt === null || !open.has(shown)) {
      const calls = [...open];
      shown = calls.findLast(({ firstTextAt }) => firstTextAt !== null) ?? null;
      return shown ?? calls.find(({ sentAt }) => sentAt !== null) ?? calls[0] ?? null;
    }
    return shown;
  };

  return {
    onProgress(progress: RunProgress) {
      state = progress;
    },
    /** Shown before the run, for a store that an older program wrote. */
    onPreparing(done: number, of: number) {
      preparing = trialsReady(done, of);
    },
    onCall({ role }: { readonly role: string }, trial: TrialName | null): CallListener {
      const nothingSaid = { firstTextAt: null, pieces: 0, soFar: '' };
      const call: Speaking = { role, trial, sentAt: null, ...nothingSaid };
      open.add(call);
      return {
        // After an outage the answer starts again.
        underWay: (is) => void Object.assign(call, { sentAt: is ? now() : null, ...nothingSaid }),
        text(soFar) {
          call.firstTextAt ??= now();
          call.pieces += 1;
          call.soFar = soFar;
        },
        end: () => void open.delete(call),
      };
    },
    text: {
      line() {
        const head = state === null ? (preparing ?? '') : progressText(state);
        const call = speaker();
        if (call === null) return { head, tail: '' };
        const others = open.size === 1 ? '' : ` (+${count(open.size - 1)} more)`;
        if (call.sentAt === null) {
          // A pause already says why no one speaks.
          const waits = state?.paused == null ? ` · ${placeOf(call)}${others} · waiting for its turn` : '';
          return { head: `${head}${waits}`, tail: '' };
        }
        const spokenMs = call.firstTextAt === null ? 0 : now() - call.firstTextAt;
        const rate = spokenMs < 500 ? '' : `, ${((call.pieces - 1) / (spokenMs / 1000)).toFixed(1)} tokens/s`;
        const age = `${seconds(now() - call.sentAt)}${rate}`;
        const said = `${placeOf(call)}${others} · ${age}`;
        const brief = state === null || state.paused !== null ? `${head} · ${said}` : briefText(state, said);
        return { head: brief, tail: spoken(call.soFar) };
      },
      report() {
        const head = state === null ? (preparing ?? 'starting') : progressText(state);
        const calls = [...open];
        const waiting = calls.filter(({ sentAt }) => sentAt === null).length;
        const turns =
          waiting === 0 || state?.paused != null
            ? ''
            : `; ${amount(waiting, 'call')} waiting for ${waiting === 1 ? 'its' : 'their'} turn`;
        const ages = calls.flatMap((call) => (call.sentAt === null ? [] : [{ call, age: now() - call.sentAt }]));
        const [oldest, ...more] = ages.filter(({ age }) => age > longCallMs).toSorted((a, b) => b.age - a.age);
        if (oldest === undefined) return `${head}${turns}`;
        const others = more.length === 0 ? '' : `; ${amount(more.length, 'more call')} older than ${seconds(longCallMs)}`;
        return `${head}; ${longCallText(oldest.call, oldest.age)}${others}${turns}`;
      },
    },
  };
}
