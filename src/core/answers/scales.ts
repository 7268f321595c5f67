import { type Field, isRecord, wantsNumber } from './fields.ts';

/** A scale that a text speaks of: its largest number, and the number that it measures where one stands with it. */
interface Scale {
  readonly largest: number;
  readonly measured: number | null;
  /** Whether the words around it speak of confidence. */
  readonly ofConfidence: boolean;
}

const numberWords: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twenty: 20,
  hundred: 100,
  'one hundred': 100,
  thousand: 1000,
};

const figure = '\\d{1,6}(?:[.,]\\d{1,4})?';
const amount = `(?:${figure}|one hundred|${Object.keys(numberWords).join('|')})`;
const numberFrom = (text: string): number => numberWords[text.toLowerCase().trim()] ?? Number(text.replace(',', '.'));

/** `8/10`, `8 out of 10`, `eight of ten`; a date or a chain of numbers is none. */
const share = new RegExp(`(?<![\\w/.,-])(${amount}) ?(?:\\/|out of|on a scale of|of) ?(${amount})(?![\\w/-]|[.,]\\d)`, 'gi');

/** `out of 10` without a number in front. */
const outOf = new RegExp(`\\bout of (?:a (?:possible )?)?(${amount})\\b`, 'gi');

const endsInAmount = new RegExp(`${amount} ?$`, 'i');

/** `0 to 10`, `1-5`, `from 1 (low) to 10 (high)`. */
const span = `(?:from |between )?(?:zero|one|[01])(?:\\.0)?(?: ?\\([^()\\n]{0,30}\\))? ?(?:-|\u2013|\u2014|to|and|through|until|\\.\\.\\.?|\u2026) ?(${amount})`;
const scaleOf = new RegExp(
  `\\b(?:scale|scales|scaled|range|rated|rating|ratings|rate|points?|scored|measured|likert|confidence|certainty)\\b[^.\\n]{0,30}?(?<![\\d.])${span}(?![\\d%])`,
  'gi',
);
const spanScale = new RegExp(
  `(?<![\\d./-])${span}(?![\\d%])(?:[- ]point)? (?:likert |rating |confidence |certainty )?(?:scale|range|rating)\\b`,
  'gi',
);
const pointScale = new RegExp(
  `\\b(${amount})[- ](?:point|level|step|grade|star)s? (?:likert |rating |confidence |certainty )?(?:scale|rating|system)\\b`,
  'gi',
);
const ends = new RegExp(
  `(?<![\\d.])(?:zero|one|[01]) ?(?:=|means|being|is) ?[^.;\\n]{1,40}?[,;]? ?(?:and |to )?(?<![\\d.])(${amount}) ?(?:=|means|being|is)(?![\\d])`,
  'gi',
);
const stars = new RegExp(`(?<![\\d.])(${figure}) stars?\\b`, 'gi');

const speaksOfConfidence = /\b(?:confiden\w{0,4}|certain\w{0,3}|sure|probab\w{0,6}|likel\w{0,6})\b/i;

const contextLength = 60;

function scalesIn(text: string): Scale[] {
  const found: Scale[] = [];
  const note = (match: RegExpExecArray, largest: string | undefined, measured: string | null): void => {
    const around = text.slice(Math.max(0, match.index - contextLength), match.index + match[0].length + contextLength);
    found.push({
      largest: numberFrom(largest ?? ''),
      measured: measured === null ? null : numberFrom(measured),
      ofConfidence: speaksOfConfidence.test(around),
    });
  };
  for (const match of text.matchAll(share)) note(match, match[2], match[1] ?? null);
  for (const match of text.matchAll(outOf)) {
    if (!endsInAmount.test(text.slice(Math.max(0, match.index - 14), match.index))) note(match, match[1], null);
  }
  for (const pattern of [scaleOf, spanScale, pointScale, ends]) {
    for (const match of text.matchAll(pattern)) note(match, match[1], null);
  }
  for (const match of text.matchAll(stars)) note(match, '5', match[1] ?? null);
  return found;
}

/** Numbers of an answer that are asked for on a scale from 0 to `maximum`; the parts of a distribution aside. */
function measuredBy(maximum: number, fields: readonly Field[], value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap((item) => measuredBy(maximum, fields, item));
  if (!isRecord(value)) return [];
  return fields.flatMap((field) => {
    const inner = value[field.name];
    if (field.name === 'distribution') return [];
    if (wantsNumber(field)) return field.maximum === maximum && typeof inner === 'number' ? [inner] : [];
    return measuredBy(maximum, field.fields, inner);
  });
}

/** Largest numbers of all scales that the schema asks for, at any depth. */
const askedFor = (fields: readonly Field[]): number[] =>
  fields.flatMap((field) => [...(field.maximum === null ? [] : [field.maximum]), ...askedFor(field.fields)]);

const figuresIn = (text: string): ReadonlySet<number> =>
  new Set([...text.matchAll(/\d{1,6}(?:\.\d{1,4})?/g)].map(([found]) => Number(found)));

const nearly = (first: number, second: number): boolean => Math.abs(first - second) < 1e-9;

/** Whether one of the numbers may be measured by a scale that nobody asked for; the text may give it in both. */
function mayMeasure(
  { largest, measured, ofConfidence }: Scale,
  numbers: readonly number[],
  maximum: number,
  figures: ReadonlySet<number>,
): boolean {
  // On the scales of 0 to 1 and 0 to 100 a number of the other one is out of range, or refused as ambiguous.
  if (largest === maximum || (maximum === 100 && largest === 1) || !(largest > 0)) return false;
  return numbers.some((number) => {
    const elsewhere = Math.round((1e6 * number * largest) / maximum) / 1e6;
    if (measured === null) return number <= largest && (elsewhere === largest || !figures.has(elsewhere));
    if (nearly(measured / largest, number / maximum)) return false;
    return nearly(measured, number) || (ofConfidence && number <= largest);
  });
}

/** Whether the text measures the answer's percentages, or its parts of one, by another scale than the one asked for. */
export function measuresOtherwise(text: string, fields: readonly Field[], value: unknown): boolean {
  const asked = new Set(askedFor(fields));
  const groups = [1, 100].map((maximum) => ({ maximum, numbers: measuredBy(maximum, fields, value) }));
  if (groups.every(({ numbers }) => numbers.length === 0) || !/\d|\b(?:ten|five|star)/i.test(text)) return false;
  const scales = scalesIn(text).filter(({ largest }) => largest === 1 || largest === 100 || !asked.has(largest));
  const figures = scales.length === 0 ? new Set<number>() : figuresIn(text);
  return groups.some(({ maximum, numbers }) => scales.some((scale) => mayMeasure(scale, numbers, maximum, figures)));
}

const scaleKey =
  /scale|likert|out_?of|^(?:max|maximum|max_?value|upper_?bound|denominator|range|unit|units|score_?range)$|(?:confidence|certainty|score)_?(?:max|maximum|range|unit|units|bounds?|limits?)|(?:max|maximum|min_?max)_?(?:confidence|certainty|score)/i;

/** The key of an object that says by which scale its numbers go, if it is none that was asked for; null if there is none. */
export function scaleKeyOf(object: Readonly<Record<string, unknown>>, fields: readonly Field[], value: unknown): string | null {
  const names = new Set(fields.map(({ name }) => name));
  for (const [key, stated] of Object.entries(object)) {
    if (names.has(key) || !scaleKey.test(key.replace(/([a-z])([A-Z])/g, '$1_$2').replace(/[\s-]/g, '_'))) continue;
    const text = JSON.stringify(stated) ?? '';
    if (/tenth|likert|star|permille|\u2030/i.test(text)) return key;
    const words = `\\d{1,6}(?:\\.\\d{1,4})?|${Object.keys(numberWords).join('|')}`;
    const amounts = [...text.matchAll(new RegExp(`(?<![\\w.])(?:${words})(?![\\w.])`, 'gi'))].map(([found]) => numberFrom(found));
    const [smallest, largest] = [Math.min(...amounts), Math.max(...amounts)];
    // Two numbers above one are an interval around the confidence.
    if (amounts.length === 0 || (amounts.length > 1 && smallest > 1)) continue;
    const phrase = `on a scale from 0 to ${largest}`;
    if (measuresOtherwise(phrase, fields, value)) return key;
  }
  return null;
}
