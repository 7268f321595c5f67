// How long experiments take in virtual time, compared with a lower bound and with the naive order, in which every arm tries a case
// before the next case comes, calls are made in the order in which they come and at most as many trials are open as there are slots:
// node bench/schedule.ts. Nothing is known beforehand: what fits is learned on the way. Prints a line of JSON for each experiment,
// and one for small ones, of which the shortest of all orders can be found.
import { randomSource } from '../src/core/cases/shuffle.ts';
import { longestFirstAtEnd, orderTrials, type Schedulable } from '../src/core/schedule/order.ts';
import { makespan, shortest, type VirtualServer, type VirtualTrial } from './support/virtualRun.ts';

type Trial = VirtualTrial & Schedulable;

const random = randomSource(1, 'schedule');

/** Trials of arms of these models, which ask them in turn. */
function trialsOf(casts: readonly string[], cases: number, calls: number): Trial[] {
  return Array.from({ length: cases }, (_, position) =>
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
}

const server: VirtualServer = { room: 1, loadSeconds: 20, slots: 4, speed: 1 };

/** `loads`: as many loads as no order can spare, one after the other. */
const experiments = [
  {
    name: '16 arms of one model each, one model fits',
    casts: [...'abcdefghijklmnop'],
    ...{ cases: 100, calls: 1, servers: [server], loads: 16, goal: 1.05 },
  },
  {
    name: '6 arms of three models, two fit',
    casts: ['ab', 'c', 'a', 'bc', 'b', 'ac'],
    ...{ cases: 100, calls: 4, servers: [{ ...server, room: 2 }], loads: 1, goal: 1.25 },
  },
  {
    name: 'one arm of two models that take turns, one fits',
    casts: ['ab'],
    ...{ cases: 100, calls: 12, servers: [server], loads: 12, goal: 1.25 },
  },
  {
    name: 'two unequal servers, of one model',
    casts: ['a'],
    ...{ cases: 200, calls: 12, servers: [server, { ...server, slots: 2, speed: 0.4 }], loads: 1, goal: 1.1 },
  },
];

const order = (trials: readonly Trial[], casts: readonly string[], slots: number) =>
  longestFirstAtEnd(
    orderTrials(trials, (arm) => [...(casts[Number(arm)] ?? '')]),
    ({ calls }) => calls.length,
    slots,
  );

for (const { name, casts, cases, calls, servers, loads, goal } of experiments) {
  const trials = trialsOf(casts, cases, calls);
  const slots = servers.reduce((sum, each) => sum + each.slots, 0);
  const work = trials.flatMap((trial) => trial.calls).reduce((sum, { seconds }) => sum + seconds, 0);
  const bound = work / servers.reduce((sum, each) => sum + each.slots * each.speed, 0) + loads * server.loadSeconds;
  const [ours, naive] = [makespan(order(trials, casts, slots), servers, 'ours'), makespan(trials, servers, 'naive')];
  const ratio = Number((ours / bound).toFixed(3));
  const seen = { name, seconds: Math.round(ours), bound: Math.round(bound), ratio, goal, met: ratio <= goal };
  process.stdout.write(`${JSON.stringify({ ...seen, naive: Math.round(naive), factor: Number((naive / ours).toFixed(2)) })}\n`);
  if (ratio > goal) process.exitCode = 1;
}

const small = Array.from({ length: 200 }, () => {
  const one = { ...server, room: 1 + random.below(2), slots: 1 };
  const casts = Array.from(
    { length: 2 + random.below(3) },
    () => ['a', 'b', 'c', 'ab', 'bc', 'ac'][random.below(one.room * 3)] ?? 'a',
  );
  const trials = trialsOf(casts, 2, 2);
  return makespan(order(trials, casts, 1), [one], 'ours') / shortest(trials, one);
});
const mean = small.reduce((sum, ratio) => sum + ratio, 0) / small.length;
const rounded = (ratio: number) => Number(ratio.toFixed(3));
const seen = {
  name: 'small ones compared with the shortest',
  experiments: small.length,
  mean: rounded(mean),
  worst: rounded(Math.max(...small)),
};
process.stdout.write(`${JSON.stringify(seen)}\n`);
