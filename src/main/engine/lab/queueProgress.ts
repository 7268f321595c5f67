// How far the trials of one lane are, and how long the rest of them takes.
import { added, type Durations, enough, type TimeLeft, timeLeft, type WorkLeft } from '../../../core/schedule/timeLeft.ts';
import type { Run } from '../../../shared/api/engine.ts';
import type { SpentOfArm } from '../store/trials.ts';

export interface MeteredTrial {
  readonly id: string;
  readonly arm: string;
  /** Calls that it may still take at most. */
  readonly calls: number;
  /** Calls that an earlier run made of it. */
  readonly made: number;
}

export interface QueueOptions {
  readonly servers: readonly string[];
  /** In the order in which they begin. */
  readonly trials: readonly MeteredTrial[];
  /** What the trials took that ended in earlier runs. */
  readonly spent: readonly SpentOfArm[];
  readonly modelsOf: (arm: string) => readonly string[];
  /** Milliseconds since the run began without those that it was held. */
  readonly elapsedMs: () => number;
}

interface UnderWay {
  readonly made: number;
  calls: number;
  seconds: number;
}

function armOf({ arm: name, calls, made }: MeteredTrial, spent: SpentOfArm | undefined) {
  const before: Durations = {
    trials: spent?.trials ?? 0,
    seconds: (spent?.wallMs ?? 0) / 1000,
    squares: (spent?.wallMsSquared ?? 0) / 1_000_000,
  };
  return {
    name,
    mostCalls: calls + made,
    before,
    /** Of trials that this run began. */
    now: { trials: 0, seconds: 0, squares: 0 } as Durations,
    /** Of all that have ended. */
    ended: { trials: before.trials, calls: spent?.calls ?? 0 },
    /** Calls of this run, whether or not their trial has ended. */
    answered: { calls: 0, seconds: 0 },
    notBegun: 0,
    underWay: new Map<string, UnderWay>(),
    finished: 0,
    /** Time of work of its queue while a trial of it was under way; `since` when it last began to be. */
    activeMs: 0,
    since: 0,
  };
}
type Arm = ReturnType<typeof armOf>;

const rate = (number: number, ms: number, unit: number): number | null =>
  number === 0 || ms === 0 ? null : number / (ms / unit);
const minute = 60_000;

function change(counts: Map<string, number>, key: string, more: number): void {
  const number = (counts.get(key) ?? 0) + more;
  if (number === 0) counts.delete(key);
  else counts.set(key, number);
}

/**
 * Follows the trials that ask the same servers: their pace says nothing of others. An arm's trials weigh what its ended ones took,
 * so an arm of a quick model says little about that of a slow one.
 */
export function queueProgress({ servers, trials, spent, modelsOf, elapsedMs }: QueueOptions) {
  const byName = new Map<string, Arm>();
  for (const trial of trials) {
    const arm =
      byName.get(trial.arm) ??
      armOf(
        trial,
        spent.find(({ arm }) => arm === trial.arm),
      );
    arm.notBegun += 1;
    byName.set(trial.arm, arm);
  }
  const arms = [...byName.values()];
  let lastMs = elapsedMs();
  /** Without the time in which servers were away, or only calls were made that several trials share. */
  let workMs = 0;
  /** The same, as many times as calls were under way. */
  let callMs = 0;
  let callsUnderWay = 0;
  let callsShared = 0;
  let isAway = false;
  const answered = { calls: 0, seconds: 0 };
  let finished = 0;
  const tokens = new Map<string, number>();
  const asked = new Map<string, number>();
  const waiting = new Map<string, number>();
  let now: readonly string[] = [];
  let latest = 0;

  const armNamed = (name: string): Arm => byName.get(name) as Arm;
  /** Called before anything changes that says how the time until now counts. */
  const pass = () => {
    const ms = elapsedMs() - lastMs;
    lastMs += ms;
    if (isAway || (callsUnderWay === 0 && callsShared > 0)) return;
    workMs += ms;
    callMs += ms * callsUnderWay;
  };
  const leave = (arm: Arm, id: string): UnderWay | undefined => {
    pass();
    const trial = arm.underWay.get(id);
    arm.underWay.delete(id);
    if (arm.underWay.size === 0) arm.activeMs += workMs - arm.since;
    return trial;
  };
  /** What is left of an arm, and the longest that a single trial of it still takes. */
  const workOf = (arm: Arm): WorkLeft & { readonly longest: number } => {
    // This run shows how quick servers are now.
    const ended = arm.now.trials >= enough ? arm.now : added(arm.before, arm.now);
    const calls = arm.ended.trials === 0 ? arm.mostCalls : Math.max(1, arm.ended.calls / arm.ended.trials);
    const guess = arm.answered.calls === 0 ? answered : arm.answered;
    const each = ended.trials > 0 ? ended.seconds / ended.trials : (calls * guess.seconds) / guess.calls;
    // However many calls a trial has had, one is still to come.
    const begun = [...arm.underWay.values()].map((trial) => Math.max(1, calls - trial.made - trial.calls) / calls);
    const longest = each * begun.reduce((most, part) => Math.max(most, part), arm.notBegun > 0 ? 1 : 0);
    return { ended, each, trials: begun.reduce((sum, part) => sum + part, arm.notBegun), underWay: begun.length, longest };
  };
  const leftOf = ({ notBegun, underWay }: Arm) => notBegun + underWay.size;
  /** Null before an answer of this run, and before a trial of the queue has ended. */
  const atATime = () => {
    pass();
    if (callMs === 0 || answered.calls === 0 || arms.every(({ ended }) => ended.trials === 0)) return null;
    return Math.min(
      callMs / workMs,
      arms.reduce((sum, arm) => sum + leftOf(arm), 0),
    );
  };
  const secondsOf = (arm: Arm, pace: number | null): number | null => {
    if (leftOf(arm) === 0) return 0;
    const { each, trials: left } = workOf(arm);
    return pace === null ? null : (each * left) / pace;
  };
  /** What waits for its turn, else another model of trials under way, else one of the next arm. */
  const next = (): string[] => {
    const others = (models: Iterable<string>) => [...new Set(models)].filter((model) => !now.includes(model));
    const following = [...arms.slice(latest), ...arms.slice(0, latest)].filter(({ notBegun }) => notBegun > 0);
    const wanted = [
      others(waiting.keys()),
      others(arms.flatMap(({ name, underWay }) => (underWay.size > 0 ? modelsOf(name) : []))),
      ...following.map(({ name }) => others(modelsOf(name))),
    ];
    return wanted.find(({ length }) => length > 0) ?? [];
  };

  return {
    servers,
    away(is: boolean) {
      pass();
      isAway = is;
    },
    shares(more: 1 | -1) {
      pass();
      callsShared += more;
    },
    /** Trials that are not begun, as the stopping rule no longer wants them. */
    drop(arm: string) {
      armNamed(arm).notBegun -= 1;
    },
    begin({ id, arm: name, made }: MeteredTrial) {
      pass();
      const arm = armNamed(name);
      if (arm.underWay.size === 0) arm.since = workMs;
      arm.notBegun -= 1;
      arm.underWay.set(id, { made, calls: 0, seconds: 0 });
      latest = arms.indexOf(arm);
    },
    /** A call that waits for its turn. @param onOther called where other models are asked than before */
    call(model: string, onOther: () => void) {
      let isAtServer = false;
      change(waiting, model, 1);
      const underWay = (is: boolean) => {
        if (is === isAtServer) return;
        pass();
        isAtServer = is;
        const more = is ? 1 : -1;
        callsUnderWay += more;
        change(asked, model, more);
        change(waiting, model, -more);
        // Between two calls what was asked last stays.
        if (asked.size === 0 || (asked.size === now.length && now.every((each) => asked.has(each)))) return;
        now = [...asked.keys()];
        onOther();
      };
      return {
        underWay,
        end() {
          underWay(false);
          change(waiting, model, -1);
        },
      };
    },
    /** @param server that answered @param written tokens of the answer */
    answered({ id, arm: name }: MeteredTrial, seconds: number, server: string, written: number) {
      const arm = armNamed(name);
      for (const each of [answered, arm.answered, arm.underWay.get(id)]) {
        if (each === undefined) continue;
        each.calls += 1;
        each.seconds += seconds;
      }
      if (written > 0) change(tokens, server, written);
    },
    finish({ id, arm: name }: MeteredTrial) {
      const arm = armNamed(name);
      const trial = leave(arm, id);
      if (trial === undefined) return;
      const { made, calls, seconds } = trial;
      arm.ended = { trials: arm.ended.trials + 1, calls: arm.ended.calls + made + calls };
      if (made === 0) arm.now = added(arm.now, { trials: 1, seconds, squares: seconds ** 2 });
      arm.finished += 1;
      finished += 1;
    },
    /** A trial waits for its moderator, and is none of this run any more. */
    park: ({ id, arm }: MeteredTrial) => void leave(armNamed(arm), id),
    left(): TimeLeft | null {
      const open = arms.filter((arm) => leftOf(arm) > 0);
      if (open.length === 0) return timeLeft([], 1, 0);
      const pace = atATime();
      if (pace === null) return null;
      const work = open.map(workOf);
      return timeLeft(
        work,
        pace,
        work.reduce((most, { longest }) => Math.max(most, longest), 0),
      );
    },
    progress(left: TimeLeft | null): Run['queues'][number] {
      const each = servers.map((name) => ({ name, tokens_per_second: rate(tokens.get(name) ?? 0, workMs, 1000) }));
      return {
        servers: each,
        models: now,
        next: next(),
        per_minute: rate(finished, workMs, minute),
        seconds_left: left === null ? null : left.seconds,
      };
    },
    arms(): Run['arms'] {
      const pace = atATime();
      return arms.map((arm) => ({
        name: arm.name,
        per_minute: rate(arm.finished, arm.activeMs + (arm.underWay.size > 0 ? workMs - arm.since : 0), minute),
        seconds_left: secondsOf(arm, pace),
      }));
    },
    tokensPerSecond: () =>
      rate(
        [...tokens.values()].reduce((sum, each) => sum + each, 0),
        workMs,
        1000,
      ),
  };
}
