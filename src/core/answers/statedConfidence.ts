import { type Field, isRecord } from './fields.ts';

const figure = '(?<![\\w.,/-])(\\d{1,3}(?:\\.\\d{1,4})?)';

/** Confidence in words: `about 60% confident`, `my confidence is 60 percent`; the first group says whether it is rounded. */
const statements: readonly RegExp[] = [
  new RegExp(
    `(?:(about|around|approximately|roughly|nearly|almost|some|over|under|~) ?)?${figure} ?(?:%|percent|per cent) ?(?:confiden(?:t|ce)|certain(?:ty)?|sure)\\b`,
    'gi',
  ),
  new RegExp(
    `\\b(?:confidence|certainty|confident|certain|sure)(?: level| score)? ?(?:(?:is|of|at|would be|stands at|remains|:|=) ?){1,2}(?:(about|around|approximately|roughly|nearly|almost|some|over|under|~) ?)?${figure} ?(?:%|percent|per cent)`,
    'gi',
  ),
];

/** Words in front that make it an earlier confidence, a condition's, somebody else's or none. */
const other =
  /\b(?:not|never|if|unless|would|could|might|may|initially|initial|first|originally|earlier|previously|before|example|said|says|argue[sd]?|claim(?:s|ed)?|prosecut\w{2,4}|defen[cs]e|other|others|between)\b|n['\u2019]t\b/i;

const tens = ['ten', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const tensInWords = new RegExp(`\\b(${tens.join('|')})(-five)?(?= (?:percent|per cent)\\b)`, 'gi');

const inFigures = (text: string): string =>
  text.replace(tensInWords, (_, ten: string, five?: string) =>
    String(10 * (tens.indexOf(ten.toLowerCase()) + 1) + (five === undefined ? 0 : 5)),
  );

/** Percent by which a rounded number may differ. */
const rounding = 2.5;

/** Whether a text states another confidence in percent than the answer's own. */
export function statesOtherConfidence(around: string, fields: readonly Field[], value: unknown): boolean {
  const field = fields.find(({ name }) => name === 'confidence');
  const given = isRecord(value) ? value.confidence : undefined;
  if (typeof given !== 'number' || (field?.maximum !== 100 && field?.maximum !== 1)) return false;
  const text = inFigures(around);
  const percent = field.maximum === 1 ? 100 * given : given;
  return statements.some((pattern) =>
    [...text.matchAll(pattern)].some((match) => {
      const before = /[^.!?\n;]*$/.exec(text.slice(Math.max(0, match.index - 120), match.index))?.[0] ?? '';
      const apart = Math.abs(Number(match[2]) - percent);
      return !other.test(before) && apart > (match[1] === undefined ? 0.5 : rounding);
    }),
  );
}
