// How long experiments with several models take in virtual time, beside a lower bound and beside the naive order, in which every
// arm tries a case before the next case comes: node bench/schedule.ts. Prints a line of JSON for each experiment.
import { randomSource } from '../src/core/cases/shuffle.ts';
import { longestFirstAtEnd, orderTrials, type Schedulable } from '../src/core/schedule/order.ts';

interface Call {
  readonly model: string;
  readonly seconds: number;
}

interface Trial extends Schedulable {
  readonly calls: readonly Call[];
}

/** A server that keeps some models in memory and asks each some calls at a time. */
interface Machine {
  /** Models that fit into memory. */
  readonly room: number;
  readonly loadSeconds: number;
  /** Calls at a time of each model, and trials at a time of the run. */
  readonly slots: number;
}

/**
 * Seconds until all trials are done. Calls are taken in the order in which they come; where one needs a model that is not
 * there and nothing in memory is idle, all that come after it wait too, as at an Ollama server.
 */
function makespan(trials: readonly Trial[], { room, loadSeconds, slots }: Machine): number {
  const memory = new Map<string, { busy: number; readyAt: number; usedAt: number }>();
  const open = trials.values();
  const waiting: { calls: readonly Call[]; next: number }[] = [];
  const underWay: { endsAt: number; trial: (typeof waiting)[number]; model: string }[] = [];
  let now = 0;
  const begin = () => {
    const { value } = open.next();
    if (value !== undefined) waiting.push({ calls: value.calls, next: 0 });
  };
  const send = (): boolean => {
    const blocked = new Set<string>();
    for (const [index, trial] of waiting.entries()) {
      const call = trial.calls[trial.next];
      if (call === undefined || blocked.has(call.model)) continue;
      let model = memory.get(call.model);
      if (model === undefined) {
        if (memory.size >= room) {
          const idle = [...memory].filter(([, { busy }]) => busy === 0).toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
          const [oldest] = idle;
          if (oldest === undefined) return false;
          memory.delete(oldest[0]);
        }
        model = { busy: 0, readyAt: now + loadSeconds, usedAt: now };
        memory.set(call.model, model);
      }
      if (model.busy >= slots) {
        blocked.add(call.model);
        continue;
      }
      model.busy += 1;
      model.usedAt = now;
      waiting.splice(index, 1);
      underWay.push({ endsAt: Math.max(now, model.readyAt) + call.seconds, trial, model: call.model });
      return true;
    }
    return false;
  };
  for (let count = 0; count < slots; count++) begin();
  while (waiting.length > 0 || underWay.length > 0) {
    while (send());
    const ended = underWay.reduce((first, each) => (each.endsAt < first.endsAt ? each : first));
    underWay.splice(underWay.indexOf(ended), 1);
    now = ended.endsAt;
    const model = memory.get(ended.model);
    if (model !== undefined) model.busy -= 1;
    const trial = { calls: ended.trial.calls, next: ended.trial.next + 1 };
    if (trial.next < trial.calls.length) waiting.push(trial);
    else begin();
  }
  return now;
}

const random = randomSource(1, 'schedule');

/** Arms of these models, whose trials ask them in turn. */
function experiment(
  casts: readonly string[],
  cases: number,
  calls: number,
): { trials: Trial[]; modelsOf: (arm: string) => string[] } {
  const modelsOf = (arm: string) => [...(casts[Number(arm)] ?? '')];
  const trials = Array.from({ length: cases }, (_, position) =>
    casts.map((models, arm) => ({
      arm: String(arm),
      position,
      replicate: 0,
      running: false,
      calls: Array.from({ length: calls }, (_call, index) => ({
        model: models[index % models.length] ?? '',
        seconds: 1 + 2 * random.next(),
      })),
    })),
  ).flat();
  return { trials, modelsOf };
}

const experiments = [
  {
    name: '16 arms of one model each, one model fits',
    casts: [...'abcdefghijklmnop'],
    cases: 100,
    calls: 1,
    room: 1,
    goal: 1.05,
  },
  {
    name: '6 arms of three models, two fit',
    casts: ['ab', 'c', 'a', 'bc', 'b', 'ac'],
    cases: 100,
    calls: 4,
    room: 2,
    goal: 1.25,
  },
];

for (const { name, casts, cases, calls, room, goal } of experiments) {
  const machine = { room, loadSeconds: 20, slots: 4 };
  const { trials, modelsOf } = experiment(casts, cases, calls);
  const ordered = longestFirstAtEnd(orderTrials(trials, modelsOf), ({ calls: each }) => each.length, machine.slots);
  const work = trials.flatMap((trial) => trial.calls).reduce((sum, { seconds }) => sum + seconds, 0);
  const models = new Set(casts.flatMap((cast) => [...cast])).size;
  // As many trials as slots, and each model loaded once: with room for one, nothing else goes on meanwhile.
  const bound = work / machine.slots + (room === 1 ? models : 1) * machine.loadSeconds;
  const [ours, naive] = [makespan(ordered, machine), makespan(trials, machine)];
  const ratio = Number((ours / bound).toFixed(3));
  const told = { name, seconds: Math.round(ours), bound: Math.round(bound), ratio, goal, met: ratio <= goal };
  process.stdout.write(`${JSON.stringify({ ...told, naive: Math.round(naive), factor: Number((naive / ours).toFixed(2)) })}\n`);
  if (ratio > goal) process.exitCode = 1;
}
