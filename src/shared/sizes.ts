/**
 * How sizes and times read, everywhere: on disk or over the network in thousands (`GB`), as disks and Ollama count; in memory in
 * powers of 1024 (`GiB`), as memory is built and as GPUs report it.
 */
const grouped = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Bytes of files, disks and downloads: `1.4 MB`. */
export function byteSize(bytes: number): string {
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${grouped.format(bytes / 1000 ** step)} ${units[step]}`;
}

const rounded = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

/** Bytes on a disk that are only known roughly: `590 kB to 18 MB`. */
export function byteRange({ min, max }: { readonly min: number; readonly max: number }): string {
  const [least, most] = [min, max].map((bytes) => byteSize(Number(rounded.format(bytes).replaceAll(',', ''))));
  return least === most ? `about ${least}` : `${least} to ${most}`;
}

const memoryUnits = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Bytes of main memory or of a GPU's: `6.3 GiB`. */
export function memorySize(bytes: number): string {
  const step = Math.min(memoryUnits.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${grouped.format(bytes / 1024 ** step)} ${memoryUnits[step]}`;
}

/** `12 s`, `4 min`, `3.2 h`, `2.1 days`. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  const hours = seconds / 3600;
  return hours < 48 ? `${hours.toFixed(1)} h` : `${(hours / 24).toFixed(1)} days`;
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `1,234`. */
export const count = (value: number): string => whole.format(value);

/** A rate that is only known roughly: `7.3`, `1,234`. */
export const roughly = (rate: number): string => (rate < 10 ? rate.toFixed(1) : count(rate));

/** `1 trial`, `1,234 trials`; with a special plural if an s is not enough. */
export const quantity = (value: number, noun: string, plural = `${noun}s`): string =>
  `${grouped.format(value)} ${value === 1 ? noun : plural}`;

/** A proportion with three digits, and no minus sign before a zero; a dash where there is none. */
export const proportion = (value: number | null): string => (value === null ? '-' : value.toFixed(3).replace(/^-(?=[0.]+$)/, ''));
