// A run in virtual time: trials that make their calls one after the other, at servers that load models.
import { modelMemory } from '../../src/core/schedule/memory.ts';
import type { Models } from '../../src/core/schedule/order.ts';
import { callTimes, type PoolMember, serverFor } from '../../src/core/schedule/pools.ts';
import { turns } from '../../src/core/schedule/turns.ts';
import { afterPassing, nextInLine, nothingPassed, openTrials, type Passed } from '../../src/core/schedule/waves.ts';

export interface VirtualCall {
  readonly model: string;
  /** On a server of speed 1. */
  readonly seconds: number;
}

export interface VirtualTrial {
  readonly calls: readonly VirtualCall[];
}

export interface VirtualServer {
  /** Models that fit into memory. */
  readonly room: number;
  readonly loadSeconds: number;
  /** Calls at a time, and trials at a time that the run begins for it. */
  readonly slots: number;
  readonly speed: number;
}

/**
 * How the run chooses: `naive` makes the calls in the order in which they come, opens no more trials than there are slots, and
 * gives the servers as many trials each.
 */
export type Policy = 'ours' | 'naive';

interface Course {
  readonly calls: readonly VirtualCall[];
  readonly models: Models;
  next: number;
  server?: string;
}

interface Sent {
  readonly course: Course;
  readonly call: VirtualCall;
  readonly sentAt: number;
}

interface Loaded {
  busy: number;
  readyAt: number;
  usedAt: number;
}

interface State extends VirtualServer {
  readonly name: string;
  readonly memory: Map<string, Loaded>;
  /** Calls that wait for a place in the run's own line. */
  readonly line: Course[];
  /** Calls that the server has and has not begun: it takes them in the order in which they came. */
  readonly queue: Sent[];
  sent: number;
  passed: Passed;
}

/** Seconds until all trials are done, from the first, with nothing loaded. */
export function makespan(trials: readonly VirtualTrial[], servers: readonly VirtualServer[], policy: Policy): number {
  const states = servers.map((server, index): State => {
    return { ...server, name: String(index), memory: new Map(), line: [], queue: [], sent: 0, passed: nothingPassed };
  });
  const slots = servers.reduce((sum, server) => sum + server.slots, 0);
  const learned = openTrials(slots);
  const memory = modelMemory();
  const times = callTimes();
  let callsLeft = trials.reduce((sum, { calls }) => sum + calls.length, 0);
  const turn = turns(slots, { ...memory, fits: (models) => memory.fits(models.size) });
  const sets = new Map<string, Models>();
  const left = trials.map(({ calls }): Course => {
    const models = new Set(calls.map(({ model }) => model).toSorted());
    const name = [...models].join();
    sets.set(name, sets.get(name) ?? models);
    return { calls, models: sets.get(name) ?? models, next: 0 };
  });
  /** Trials under way that wait for their turn. */
  let held: Course[] = [];
  const underWay: (Sent & { endsAt: number; server: State; loadMs: number })[] = [];
  let [now, open, begun] = [0, 0, 0];

  const wait = (course: Course): void => {
    if (policy === 'ours' && !turn.hasTurn(course.models)) {
      held.push(course);
      return;
    }
    const pool = states.map(({ name, sent, line, slots: most }): PoolMember => {
      return { name, load: (sent + line.length) / most, slots: most, callMs: times.of(name) };
    });
    course.server =
      policy === 'naive'
        ? (course.server ?? String(begun++ % states.length))
        : (serverFor(pool, course.server, { all: callsLeft, ofTrial: course.calls.length - course.next }) ?? '0');
    states[Number(course.server)]?.line.push(course);
  };
  const begin = (): void => {
    const width = Math.max(slots, policy === 'ours' ? (learned.atATime() ?? 0) : 0);
    while (open < width && left.length > 0) {
      const ahead = left.slice(0, 2 * slots).map(({ models }) => models);
      const next = policy === 'ours' ? turn.next(ahead, now * 1000) : 0;
      if (next < 0) return;
      const [course] = left.splice(next, 1);
      if (course === undefined) throw new Error('no trial is left');
      open += 1;
      turn.begin(course.models);
      wait(course);
    }
  };
  const send = (server: State): void => {
    while (server.sent < server.slots && server.line.length > 0) {
      const models = server.line.map(({ calls, next }) => calls[next]?.model ?? '');
      const [course] = server.line.splice(policy === 'ours' ? nextInLine(models, server.passed) : 0, 1);
      const call = course?.calls[course.next];
      if (course === undefined || call === undefined) throw new Error('a trial that is done waits for a call');
      server.passed = afterPassing(server.passed, call.model);
      server.sent += 1;
      server.queue.push({ course, call, sentAt: now });
    }
  };
  /** Begins what the server has room for; what needs a model that does not fit yet holds up all that came later. */
  const serve = (server: State): void => {
    for (let first = server.queue[0]; first !== undefined; first = server.queue[0]) {
      let model = server.memory.get(first.call.model);
      if (model === undefined) {
        if (server.memory.size >= server.room) {
          const idle = [...server.memory].filter(([, { busy }]) => busy === 0).toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
          const [oldest] = idle;
          if (oldest === undefined) return;
          server.memory.delete(oldest[0]);
        }
        model = { busy: 0, readyAt: now + server.loadSeconds, usedAt: now };
        server.memory.set(first.call.model, model);
      }
      model.busy += 1;
      model.usedAt = now;
      server.queue.shift();
      const startsAt = Math.max(now, model.readyAt);
      const endsAt = startsAt + first.call.seconds / server.speed;
      underWay.push({ ...first, endsAt, server, loadMs: (startsAt - first.sentAt) * 1000 });
    }
  };

  for (;;) {
    begin();
    for (const server of states) {
      send(server);
      serve(server);
    }
    if (underWay.length === 0) return now;
    const ended = underWay.reduce((first, each) => (each.endsAt < first.endsAt ? each : first));
    underWay.splice(underWay.indexOf(ended), 1);
    now = ended.endsAt;
    const { server, call, course } = ended;
    server.sent -= 1;
    const model = server.memory.get(call.model);
    if (model !== undefined) model.busy -= 1;
    const [wallMs, atMs] = [(now - ended.sentAt) * 1000, now * 1000];
    const answer = { server: server.name, model: call.model, loadMs: ended.loadMs, wallMs, atMs };
    const isAgain = memory.answered(answer);
    learned.answered(answer, isAgain && course.models.size > 1);
    times.add(server.name, wallMs - ended.loadMs);
    callsLeft -= 1;
    course.next += 1;
    if (course.next < course.calls.length) wait(course);
    else {
      open -= 1;
      turn.end(course.models);
    }
    const waited = held;
    held = [];
    for (const each of waited) wait(each);
  }
}

/**
 * The fewest seconds of all orders of the calls at a server of one slot and speed 1, with any choice of what makes room: found by trying
 * all, so only for a handful of calls.
 */
export function shortest(trials: readonly VirtualTrial[], { room, loadSeconds }: VirtualServer): number {
  const best = new Map<string, number>();
  const rest = (next: readonly number[], memory: readonly string[]): number => {
    const key = `${next.join()} ${memory.toSorted().join()}`;
    const known = best.get(key);
    if (known !== undefined) return known;
    const ways = trials.flatMap(({ calls }, index) => {
      const call = calls[next[index] ?? 0];
      if (call === undefined) return [];
      const after = next.with(index, (next[index] ?? 0) + 1);
      if (memory.includes(call.model)) return [call.seconds + rest(after, memory)];
      const kept = memory.length < room ? [memory] : memory.map((gone) => memory.filter((model) => model !== gone));
      return kept.map((others) => call.seconds + loadSeconds + rest(after, [...others, call.model]));
    });
    const seconds = ways.length === 0 ? 0 : Math.min(...ways);
    best.set(key, seconds);
    return seconds;
  };
  return rest(Array<number>(trials.length).fill(0), []);
}
