import { quantity } from '../../shared/sizes.ts';

export { byteSize, memorySize, quantity } from '../../shared/sizes.ts';

const grouped = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });

/** `13 calls`, `13 to 26 calls`. */
export function quantityRange({ min, max }: { min: number; max: number }, noun: string, plural = `${noun}s`): string {
  return min === max ? quantity(min, noun, plural) : `${grouped.format(min)} to ${quantity(max, noun, plural)}`;
}

/** `3,518 of 12,500 trials`, `0 of 1 trial`. */
export const quantityOf = (part: number, whole: number, noun: string): string =>
  `${grouped.format(part)} of ${quantity(whole, noun)}`;
