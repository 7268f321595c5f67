/** A share as the record has it: `70%`, `70.5%`. */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))}%`;
}

/** Shares next to each other: of two that make a whole the second is what the first, as shown, leaves of 100%. */
export const percents = ([first = 0, ...rest]: readonly number[]): string[] => {
  const isWhole = rest.length === 1 && Math.abs(first + (rest[0] ?? 0) - 1) < 1e-6;
  return [first, ...(isWhole ? [1 - Number(first.toFixed(3))] : rest)].map(percent);
};

/** Where shares and their differences are in one table. */
export const roundedNote = 'Shares and differences are rounded one by one, so a difference can be off by the last digit.';

/** A share next to others where there is little room: `70%`; what is not all or nothing is never rounded to it. */
export function wholePercent(share: number): string {
  if (share >= 0.995 && share < 1) return '>99%';
  if (share > 0 && share < 0.005) return '<1%';
  return `${Math.round(share * 100)}%`;
}

/** `64 to 92`: a range of shares in whole percent, rounded outward: it never looks narrower than it is. */
export function wholeRange({ low, high }: { readonly low: number; readonly high: number }): string {
  const percentOf = (share: number) => Number((share * 100).toFixed(6));
  return `${Math.floor(percentOf(low))} to ${Math.ceil(percentOf(high))}`;
}

/** `+17`, `-4.5`, `0`: percentage points, with a true minus sign. */
export function points(change: number): string {
  const rounded = Number((change * 100).toFixed(1));
  return rounded > 0 ? `+${rounded}` : String(rounded).replace('-', '−');
}

/** Points of a range or a size, without the sign of a gain: `12.5`, `−3`. */
export const barePoints = (change: number): string => points(change).replace('+', '');

/** `6 percentage points down`: a change in words, for screen readers and tooltips. */
export function directed(change: number): string {
  const size = pointsOf(change);
  return size === '0 points' ? 'no change' : `${size.replace(' ', ' percentage ')} ${change > 0 ? 'up' : 'down'}`;
}

/** `4.5 points`, `1 point`: the size of a change, in either direction. */
export function pointsOf(change: number): string {
  const size = barePoints(Math.abs(change));
  return `${size} ${size === '1' ? 'point' : 'points'}`;
}
