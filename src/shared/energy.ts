// What GPUs used, from the power that they report.
import { z } from 'zod';
import { duration, quantity } from './sizes.ts';

export const energySchema = z.strictObject({
  /** Watt-hours. */
  watt_hours: z.number(),
  /** Hours in which the power was read and models worked; null where an older entry does not say. */
  hours: z.number().nullable(),
});
export type Energy = z.infer<typeof energySchema>;

const entrySchema = z.object({ watt_hours: z.number(), hours: z.number().nullish() });

/** The sum of entries of a log of runs; null where none has a figure. */
export function energySum(entries: readonly unknown[]): Energy | null {
  const found = entries.flatMap((entry) => entrySchema.safeParse(entry).data ?? []);
  if (found.length === 0) return null;
  const sum = (values: readonly number[]) => Number(values.reduce((total, value) => total + value, 0).toFixed(3));
  const hours = found.flatMap((entry) => entry.hours ?? []);
  return { watt_hours: sum(found.map((entry) => entry.watt_hours)), hours: hours.length < found.length ? null : sum(hours) };
}

/** `about 12.5 Wh over 3.2 h, from the power that the GPUs reported`. */
export function energyWords({ watt_hours: wattHours, hours }: Energy): string {
  const time = hours === null ? '' : ` over ${duration(3600 * hours)}`;
  const used = wattHours < 1000 ? quantity(wattHours, 'Wh', 'Wh') : quantity(wattHours / 1000, 'kWh', 'kWh');
  return `about ${used}${time}, from the power that the GPUs reported`;
}
