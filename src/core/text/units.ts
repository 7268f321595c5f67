// Units of measurement and of money, and the words and signs for each.

/** A line for each unit. One word can be for two: pounds weigh, and pounds pay. */
const units: readonly ReadonlySet<string>[] = [
  ['min', 'mins', 'minute', 'minutes'],
  ['h', 'hr', 'hrs', 'hour', 'hours'],
  ['sec', 'secs', 'second', 'seconds'],
  ['day', 'days'],
  ['wk', 'wks', 'week', 'weeks'],
  ['month', 'months'],
  ['yr', 'yrs', 'year', 'years'],
  ['km', 'kilometre', 'kilometres', 'kilometer', 'kilometers'],
  ['cm', 'centimetre', 'centimetres', 'centimeter', 'centimeters'],
  ['mile', 'miles'],
  ['metre', 'metres', 'meter', 'meters'],
  // Metres, minutes, months or millions: it is the same as itself only.
  ['m'],
  ['m2', 'm²', 'sqm', 'square metre', 'square metres', 'square meter', 'square meters'],
  ['m3', 'm³', 'cubic metre', 'cubic metres', 'cubic meter', 'cubic meters'],
  ['l', 'litre', 'litres', 'liter', 'liters'],
  ['kwh', 'kilowatt hour', 'kilowatt hours'],
  ['g', 'gram', 'grams'],
  ['kg', 'kilo', 'kilos', 'kilogram', 'kilograms'],
  ['lb', 'lbs', 'pound', 'pounds'],
  ['gbp', '£', 'pound', 'pounds'],
  ['eur', '€', 'euro', 'euros'],
  ['usd', '$', 'dollar', 'dollars'],
  ['chf', 'franc', 'francs'],
  ['pct', '%', 'percent', 'per cent'],
].map((words) => new Set(words));

const lines = (word: string) => units.filter((line) => line.has(word.toLowerCase()));

export const isUnit = (word: string): boolean => lines(word).length > 0;
export const isSameUnit = (one: string, other: string): boolean => lines(one).some((line) => line.has(other.toLowerCase()));

/** What follows a number as its unit, or comes before it as a currency; undefined where nothing does. Ranges in UTF-16 code units. */
export function unitAt(text: string, start: number, end: number): string | undefined {
  const after = /^[\s\u00a0-]?((?:per|square|cubic|kilowatt) \p{L}+|[%€$£]|\p{L}+[23²³]?(?!\p{L}))/iu.exec(
    text.slice(end, end + 24),
  )?.[1];
  if (after !== undefined && isUnit(after)) return after;
  const before = /(?:([€$£])|(?<!\p{L})(EUR|USD|GBP|CHF))\s?$/u.exec(text.slice(Math.max(0, start - 5), start));
  return before?.[1] ?? before?.[2];
}
