import { type CallListener, partialFields, type RunProgress } from '../main/engine/engine.ts';
import { longCallMs, longCallWords } from '../shared/longCalls.ts';
import { amount, count, duration, trialsReady } from './format.ts';

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

function countsOf({ planned, done, decided, calls }: RunProgress): string {
  const failed = done === decided ? '' : ` · ${done - decided} failed`;
  return `${done}/${planned} trials · ${decided} decided${failed} · ${amount(calls, 'call')}`;
}

function progressText(state: RunProgress): string {
  if (state.stoppedAfter !== undefined)
    return `${countsOf(state)} · stopped by its rule after ${count(state.stoppedAfter)} cases`;
  if (state.paused !== null)
    return `${countsOf(state)} · paused until backend ${state.paused.backend} answers: ${state.paused.reason}`;
  if (state.seconds_left === null) return countsOf(state);
  const [least, most] = (state.seconds_left_range ?? []).map(duration);
  const between = least === undefined ? ', a first guess' : least === most ? '' : ` (${least} to ${most})`;
  return `${countsOf(state)} · ${duration(state.seconds_left)} left${between}`;
}

/** The same in few columns, to leave room for what is being said. */
function briefText({ planned, done, decided, seconds_left: left }: RunProgress): string {
  const failed = done === decided ? '' : ` · ${done - decided} failed`;
  return `${done}/${planned}${failed}${left === null ? '' : ` · ${duration(left)} left`}`;
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
        const brief = state === null || state.paused !== null ? head : briefText(state);
        return { head: `${brief} · ${placeOf(call)}${others} · ${age}`, tail: spoken(call.soFar) };
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
