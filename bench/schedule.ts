// How long experiments take in virtual time, compared with a lower bound and with the naive order, in which every arm tries a case
// before the next case comes, calls are made in the order in which they come and at most as many trials are open as there are slots:
// node bench/schedule.ts. Nothing is known beforehand: what fits is learned on the way. Prints a line of JSON for each experiment,
// and one for small ones, of which the shortest of all orders can be found.
import { randomSource } from '../src/core/cases/shuffle.ts';
import { longestFirstAtEnd, orderTrials, type Schedulable } from '../src/core/schedule/order.ts';
import { atMost, print, rounded } from './support/lines.ts';
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

const sixteen = { casts: [...'abcdefghijklmnop'], loads: 16 };
/** `loads`: as many loads as no order can spare, one after the other. */
const experiments = [
  {
    name: '16 arms of one model each, one model fits',
    ...{ ...sixteen, cases: 100, calls: 1, servers: [server], goal: 1.05 },
  },
  {
    name: '16 arms of one model each, one model fits, long trials',
    ...{ ...sixteen, cases: 100, calls: 12, servers: [server], goal: 1.05 },
  },
  {
    name: '16 arms of one model each, one model fits, fewer cases than slots',
    ...{ ...sixteen, cases: 3, calls: 20, servers: [server], goal: 1.15 },
  },
  {
    name: '16 arms of one model each, one model fits, 10 cases at 16 slots',
    ...{ ...sixteen, cases: 10, calls: 12, servers: [{ ...server, slots: 16 }], goal: 1.15 },
  },
  {
    name: '4 arms of one model each, one model fits, fewer cases than slots',
    casts: [...'abcd'],
    ...{ cases: 3, calls: 12, servers: [server], loads: 4, goal: 1.15 },
  },
  {
    name: '16 arms of one model each, all fit, fewer cases than slots',
    ...{ ...sixteen, cases: 3, calls: 20, servers: [{ ...server, room: 16 }], loads: 1, goal: 1.4 },
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
  ...[20, 200].map((cases) => ({
    name: 'two servers, one 20 times slower, of one model',
    casts: ['a'],
    ...{ cases, calls: 12, servers: [server, { ...server, speed: 0.05 }], loads: 1, goal: 1.1 },
  })),
];

const order = (trials: readonly Trial[], casts: readonly string[], slots: number) =>
  longestFirstAtEnd(
    orderTrials(trials, (arm) => [...(casts[Number(arm)] ?? '')]),
    ({ calls }) => calls.length,
    slots,
  );

const secondsOf = (trials: readonly Trial[]) =>
  trials.flatMap(({ calls }) => calls).reduce((sum, { seconds }) => sum + seconds, 0);

for (const { name, casts, cases, calls, servers, loads, goal } of experiments) {
  const trials = trialsOf(casts, cases, calls);
  const slots = servers.reduce((sum, each) => sum + each.slots, 0);
  const perSecond = servers.reduce((sum, each) => sum + each.slots * each.speed, 0);
  // Where one model fits and trials ask one, each model is there for as long as its longest trial takes.
  const isApart = servers.every(({ room }) => room === 1) && casts.every((models) => models.length === 1);
  const parts = isApart ? casts.map((_, arm) => trials.filter((trial) => trial.arm === String(arm))) : [trials];
  const work = parts.reduce(
    (sum, part) => sum + Math.max(secondsOf(part) / perSecond, ...part.map((trial) => secondsOf([trial]))),
    0,
  );
  const bound = work + loads * server.loadSeconds;
  const [ours, naive] = [makespan(order(trials, casts, slots), servers, 'ours'), makespan(trials, servers, 'naive')];
  const ratio = rounded(ours / bound, 3);
  const seen = { name, cases, calls, seconds: Math.round(ours), bound: Math.round(bound), ratio, ...atMost(ratio, goal) };
  print({ ...seen, naive: Math.round(naive), factor: rounded(naive / ours) });
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
print({
  name: 'small ones compared with the shortest',
  experiments: small.length,
  mean: rounded(mean, 3),
  worst: rounded(Math.max(...small), 3),
});
