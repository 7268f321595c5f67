// How benches say what they saw: in lines of JSON, the first of which is about the machine.
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));

/** What measurements depend on. `load`: processes that run or wait to, on average over the last 1, 5 and 15 minutes. */
export const machine = () => ({
  processor: cpus()[0]?.model.trim(),
  cores: availableParallelism(),
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.versions.node,
  load: loadavg().map((value) => rounded(value)),
});

export const atMost = (value: number, goal: number) => ({ goal, met: value <= goal });
export const atLeast = (value: number, goal: number) => ({ goal, met: value >= goal });

let isFirst = true;

/** A bench ends with 1 if one of its lines did not meet a goal. */
export function print(line: Readonly<Record<string, unknown>> & { readonly met?: boolean }): void {
  for (const each of isFirst ? [machine(), line] : [line]) process.stdout.write(`${JSON.stringify(each)}\n`);
  isFirst = false;
  if (line.met === false) process.exitCode = 1;
}
