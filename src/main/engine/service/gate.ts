// What holds the calls of a run: a pause of the user, with or without a time, and trials that somebody started by hand.
import { badInput } from '../../../shared/errors.ts';
import { hoursAt } from '../../../shared/hours.ts';
import type { Hold } from '../lab/seenServers.ts';

/** Why no call is made: the user paused the run, or it gives way to a trial that was started by hand. */
export type Reason = 'pause' | 'turn';

/** A gate before every call of a run: open while there is no reason to close it, and for good once the signal fires. */
export interface Gate extends Hold {
  isOpen(): boolean;
  closedBy(reason: Reason): boolean;
  /** @param urls the servers at which no call is made; absent: all */
  close(reason: Reason, urls?: ReadonlySet<string>): void;
  open(reason: Reason): void;
}

export function openGate(signal: AbortSignal): Gate {
  let underWay = 0;
  const reasons = new Map<Reason, ReadonlySet<string> | undefined>();
  let changed = Promise.withResolvers<void>();
  let heldSince: number | null = null;
  let heldMs = 0;
  const isHeld = (url?: string): boolean =>
    [...reasons.values()].some((urls) => urls === undefined || (url !== undefined && urls.has(url)));
  const change = () => {
    const isNow = isHeld();
    if (isNow) heldSince ??= performance.now();
    else if (heldSince !== null) {
      heldMs += performance.now() - heldSince;
      heldSince = null;
    }
    changed.resolve();
    changed = Promise.withResolvers();
  };
  signal.addEventListener(
    'abort',
    () => {
      reasons.clear();
      change();
    },
    { once: true },
  );
  const passed = async (url?: string) => {
    while (isHeld(url)) await changed.promise;
  };
  return {
    isHeld,
    passed,
    closedBy: (reason) => reasons.has(reason),
    close(reason, urls) {
      if (signal.aborted) return;
      reasons.set(reason, urls);
      change();
    },
    open(reason) {
      reasons.delete(reason);
      change();
    },
    async call(make) {
      await passed();
      underWay += 1;
      try {
        return await make();
      } finally {
        underWay -= 1;
      }
    },
    isOpen: () => !isHeld(),
    isWorking: () => !isHeld() || underWay > 0,
    heldMs: () => heldMs + (heldSince === null ? 0 : performance.now() - heldSince),
  };
}

interface Turn {
  /** Whether a person waits for it: other runs at its servers give way. */
  readonly first: boolean;
  readonly urls: ReadonlySet<string>;
  readonly gate: Gate;
  /** Called when it begins and ends to give way. */
  readonly onChange: () => void;
}

/** Has runs give way, at the servers that they share, to trials that somebody started by hand and now waits for. Calls that are under way end as usual. */
export function openTurns() {
  const turns = new Set<Turn>();
  const settle = (): void => {
    const before = [...turns].filter(({ first, gate }) => first && !gate.closedBy('pause'));
    const taken = new Set(before.flatMap(({ urls }) => [...urls]));
    for (const { first, urls, gate, onChange } of turns) {
      const left = first ? new Set<string>() : urls.intersection(taken);
      const waited = gate.closedBy('turn');
      if (left.size > 0) gate.close('turn', left.size === urls.size ? undefined : left);
      else if (waited) gate.open('turn');
      if (gate.closedBy('turn') !== waited) onChange();
    }
  };
  return {
    /** Looks again at who gives way: after a run was paused or continued. */
    settle,
    /** Adds a run, until what is returned is called. */
    take(turn: Turn): () => void {
      turns.add(turn);
      settle();
      return () => {
        turns.delete(turn);
        settle();
      };
    },
  };
}

const lookMs = 1000;
const mostAheadMs = 7 * 24 * 3600_000;

/** @param until ISO 8601. Throws bad-input where it has passed or is more than seven days ahead. */
export function refuseTime(until: string): void {
  const aheadMs = Date.parse(until) - Date.now();
  if (aheadMs < 0 || aheadMs > mostAheadMs) throw badInput('choose a time within the next seven days', 'until');
}

export const isAhead = (until: string | null): until is string => until !== null && Date.parse(until) > Date.now();

/** When what is planned begins, in ISO 8601; null: now. @param until where it has no hours */
export function beginOf(between: string | null, until: string | null = null): string | null {
  if (between === null) return until;
  const now = hoursAt(between, new Date());
  return now.isOpen ? null : now.until.toISOString();
}

/**
 * A gate that is open in certain hours only, until `end` is called.
 * @param between as `betweenSchema` has it
 * @param onChange called when it closes, with when it opens again in ISO 8601, and with null when it opens
 */
export function hoursGate(between: string, signal: AbortSignal, onChange: (until: string | null) => void) {
  const gate = openGate(signal);
  const look = () => {
    const until = beginOf(between);
    if (signal.aborted || (until === null) === gate.isOpen()) return;
    if (until === null) gate.open('pause');
    else gate.close('pause');
    onChange(until);
  };
  look();
  // It also keeps the process there while nothing else is under way.
  const timer = setInterval(look, lookMs);
  return { gate, end: () => clearInterval(timer) };
}

const lateMs = 60_000;

/** What a run that begins now says of the time that it was planned for: nothing where it is about that time. */
export const lateOf = (planned: string | null): { planned?: string } =>
  planned !== null && Date.now() - Date.parse(planned) > lateMs ? { planned } : {};

/** Acts once a condition is true, while that is wanted. It polls: a timer stops while the machine sleeps. */
export function actOnce(holds: () => boolean, isWanted: () => boolean, act: () => void): void {
  const look = setInterval(() => {
    if (isWanted() && !holds()) return;
    clearInterval(look);
    if (isWanted()) act();
  }, lookMs).unref();
}
