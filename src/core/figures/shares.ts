/** A number to so many decimals. Ties go to the even digit, past the last bits of a double: two shares add up to 100%. */
function roundedTo(decimals: number, value: number): number {
  const units = Number((value * 10 ** decimals).toPrecision(12));
  const below = Math.floor(units);
  return (units - below === 0.5 ? below + Math.abs(below % 2) : Math.round(units)) / 10 ** decimals;
}

export const percentTo = (decimals: number, share: number): string => `${roundedTo(decimals, share * 100)}%`;

/** A share as the record has it: `70%`, `70.5%`. */
export const percent = (share: number): string => percentTo(1, share);

/** Where shares and their differences are in one table. */
export const roundedNote = 'Shares and differences are rounded one by one, so a difference can be off by the last digit.';

/** A share next to others where there is little room: `70%`; what is not all or nothing is never rounded to it. */
export function wholePercent(share: number): string {
  if (share >= 0.995 && share < 1) return '>99%';
  if (share > 0 && share <= 0.005) return '<1%';
  return percentTo(0, share);
}

/** `64 to 92`: a range of shares in whole percent, rounded outward: it never looks narrower than it is. */
export function wholeRange({ low, high }: { readonly low: number; readonly high: number }): string {
  const percentOf = (share: number) => Number((share * 100).toFixed(6));
  return `${Math.floor(percentOf(low))} to ${Math.ceil(percentOf(high))}`;
}

/** `+17`, `-4.5`, `0`: percentage points, with a true minus sign. */
export function points(change: number): string {
  const rounded = roundedTo(1, change * 100);
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
