// Entries of the log of the runs, in words.
import { z } from 'zod';
import type { LoggedEvent } from '../../shared/commandOutputs.ts';
import { energySum, energyWords } from '../../shared/energy.ts';
import { hoursWords } from '../../shared/hours.ts';
import { partSchema, partWords } from '../../shared/part.ts';
import { count, quantity } from '../../shared/sizes.ts';
import { points, pointsOf } from '../figures/shares.ts';

const events: Readonly<Record<string, string>> = {
  'run-start': 'The run began',
  'run-pause': 'The run waits for a server',
  'run-resume': 'The server answers again',
  'run-recover': 'Resumed by itself after the program ended',
  'run-move': 'The server is asked at another address',
  'run-wave': 'Models take turns in memory: more trials are open, so that each is loaded less often',
  'run-hold': 'Paused',
  'run-continue': 'Continued',
  'run-warning': 'Warning',
  'run-energy': 'GPU energy',
  'run-stop': 'Stopped by its rule',
  'result-look': 'Results shown before the end',
  'run-end': 'The run ended',
  'run-refuse': 'The run could not begin',
  'run-interrupt': 'Stopped, or the program was closed',
};

const endings: Readonly<Record<string, string>> = {
  user: 'Stopped',
  close: 'The program was closed',
  next: 'Ended for a new run',
};

const limited = z.object({ trials: z.number() });
const reached = z.object({ done: z.number(), planned: z.number() });
/** What logs of earlier versions have in place of `reached`. */
const unreached = z.object({ left: z.number() });

function endText(event: string, detail: object): string {
  const { data: limit } = limited.safeParse(detail);
  if (limit !== undefined) return `Ended after ${quantity(limit.trials, 'trial')}, as asked`;
  return 'by' in detail ? (endings[String(detail.by)] ?? String(detail.by)) : (events[event] ?? event);
}

export function eventText(event: string, detail: object = {}): string {
  if (event === 'run-end' || event === 'run-interrupt') {
    const { data } = reached.safeParse(detail);
    if (data !== undefined) return `${endText(event, detail)}: ${count(data.done)} of ${quantity(data.planned, 'trial')} done`;
    const { data: rest } = unreached.safeParse(detail);
    return `${endText(event, detail)}${rest === undefined ? '' : `; ${quantity(rest.left, 'trial')} left`}`;
  }
  if (event === 'run-continue' && 'between' in detail) return 'Its hours began';
  if (event === 'run-pause' && 'waits' in detail && detail.waits === false) return 'A server gets no calls, and others have them';
  return event === 'run-hold' && 'until' in detail ? 'Waits' : (events[event] ?? event);
}

export const lostEndText = 'The run broke off: the program or the computer stopped, or there was an error';

const bounds: ReadonlySet<string> = new Set(['run-start', 'run-recover', 'run-end', 'run-interrupt']);

/** They can come between the end of a run that broke off and the next start. */
const outside: ReadonlySet<string> = new Set(['run-refuse', 'result-look']);

/** After which entries, in order, a run has no end; `open` after the last run: it runs, or it broke off. */
export function lostEnds(log: readonly Pick<LoggedEvent, 'event'>[]): ReadonlyMap<number, 'broke' | 'open'> {
  const ends = new Map<number, 'broke' | 'open'>();
  let last: number | null = null;
  for (const [index, { event }] of log.entries()) {
    if (event === 'run-start' && last !== null) ends.set(last, 'broke');
    if (bounds.has(event)) last = event === 'run-start' ? index : null;
    else if (last !== null && !outside.has(event)) last = index;
  }
  return last === null ? ends : ends.set(last, 'open');
}

const warning = z.object({ sentence: z.string() });
const machine = z.object({
  gpus: z.array(z.string()),
  drivers: z.array(z.string()),
  servers: z.record(z.string(), z.string()),
  slots: z.number().optional(),
  ollama_log: z.literal('memory').optional(),
});

/** `on NVIDIA A40, NVIDIA A40 (driver 535.183.01), default: ollama 0.33.0, 4 slots`. */
function machineText(value: unknown): string | null {
  const { data } = machine.safeParse(value);
  if (data === undefined) return null;
  const drivers = data.drivers.length === 0 ? '' : ` (driver ${data.drivers.join(', ')})`;
  return [
    data.gpus.length === 0 ? 'on a machine without a GPU' : `on ${data.gpus.join(', ')}${drivers}`,
    ...Object.entries(data.servers).map(([name, server]) => `${name}: ${server}`),
    ...(data.slots === undefined ? [] : [quantity(data.slots, 'slot')]),
    ...(data.ollama_log === undefined ? [] : ["Ollama's own log kept in memory only"]),
  ].join(', ');
}

const calls = z.record(z.string(), z.number());
const addresses = z.record(z.string(), z.string());

/** A detail in words; null where it has another form. */
const detailWords: Readonly<Record<string, (value: unknown) => string | null>> = {
  machine: machineText,
  part(value) {
    const { data } = partSchema.safeParse(value);
    return data === undefined ? null : partWords(data);
  },
  cases_from: (value) => (value === 'record' ? 'cases from the record, because the data file was not there' : null),
  concurrency: (value) => (typeof value === 'number' ? `${quantity(value, 'trial')} at a time` : null),
  calls_at_a_time(value) {
    const servers = Object.entries(calls.safeParse(value).data ?? {});
    return servers.length === 0
      ? null
      : servers.map(([name, number]) => `${quantity(number, 'call')} at a time at ${name}`).join(', ');
  },
  addresses: (value) =>
    Object.entries(addresses.safeParse(value).data ?? {})
      .map(([name, url]) => `${name} at ${url}`)
      .join(', ') || null,
  backend: (value) => `server ${value}`,
  url: (value) => `address ${value}`,
  reason: String,
  cases: (value) => (typeof value === 'number' ? `after ${quantity(value, 'case')}` : null),
  low: (value) => (typeof value === 'number' ? `lower end ${points(value)} points` : null),
  high: (value) => (typeof value === 'number' ? `upper end ${points(value)} points` : null),
  width: (value) => (typeof value === 'number' ? `narrower than ${pointsOf(value)}` : null),
};

/** What an entry of the log says besides its event. @param timeIn how a time is written */
export function detailText({ event, detail }: Pick<LoggedEvent, 'event' | 'detail'>, timeIn: (at: string) => string): string {
  if (event === 'run-interrupt' || event === 'run-end') return '';
  if (event === 'run-warning') return warning.safeParse(detail).data?.sentence ?? '';
  if (event === 'run-energy') {
    // Details can be erased.
    const energy = energySum([detail]);
    return energy === null ? '' : energyWords(energy);
  }
  const words: typeof detailWords = {
    ...detailWords,
    until: (value) => `until ${timeIn(String(value))}`,
    between: (value) => `every day from ${hoursWords(String(value))}`,
    planned: (value) => `late: planned for ${timeIn(String(value))}`,
    trials: (value) =>
      typeof value === 'number' ? `${quantity(value, 'trial')} ${event === 'run-wave' ? 'at a time' : 'to run'}` : null,
  };
  return Object.entries(detail)
    .filter(([name]) => name !== 'waits')
    .map(
      ([name, value]) =>
        words[name]?.(value) ??
        `${name.replaceAll('_', ' ')}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
    )
    .join(', ');
}
