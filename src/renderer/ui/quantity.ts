const grouped = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });

/** `1,204 cases`, `1 case`; with a plural of its own where an s does not do. */
export function quantity(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped.format(count)} ${count === 1 ? noun : plural}`;
}

/** `13 calls`, `13 to 26 calls`. */
export function quantityRange({ min, max }: { min: number; max: number }, noun: string, plural = `${noun}s`): string {
  return min === max ? quantity(min, noun, plural) : `${grouped.format(min)} to ${quantity(max, noun, plural)}`;
}

/** `3,518 of 12,500 trials`, `0 of 1 trial`. */
export const quantityOf = (part: number, whole: number, noun: string): string =>
  `${grouped.format(part)} of ${quantity(whole, noun)}`;

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** `1.4 MB`; thousands, as disks count. */
export function byteSize(bytes: number): string {
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${grouped.format(bytes / 1000 ** step)} ${units[step]}`;
}

const memoryUnits = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `6.3 GiB`; powers of 1024, as memory is built and as Ollama and nvidia-smi count it. */
export function memorySize(bytes: number): string {
  const step = Math.min(memoryUnits.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${grouped.format(bytes / 1024 ** step)} ${memoryUnits[step]}`;
}

/** `under a minute`, `25 min`, `3.5 h`, `2.1 days`. */
export function duration(hours: number): string {
  if (hours < 1 / 60) return 'under a minute';
  if (hours < 1) return `${grouped.format(Math.round(hours * 60))} min`;
  if (hours < 48) return `${grouped.format(hours)} h`;
  return `${grouped.format(hours / 24)} days`;
}

export function durationRange({ min, max }: { min: number; max: number }): string {
  const [from, to] = [duration(min), duration(max)];
  return from === to ? from : `${from} to ${to}`;
}
