/** Versions of the rule that says which cases are the same; the record states which. */
export type CaseKeyRule = 1 | 2;

/** Significant digits of a number. */
const digits = 6;

const spelled = (number: string) => String(Number(Number(number).toPrecision(digits)));

/**
 * The key of a case when a hold-out is drawn: cases of one key are on the same side of it.
 *
 * Rule 1: the content of the case, to the letter. Rule 2: the same in one form of Unicode (NFKC) and of letters, with runs
 * of white space as one space and decimal numbers to six significant digits, so that a row that was exported twice, once
 * with `0.70` and once with `0.7`, is one case. It errs on the side of one case: two that differ in less are kept
 * together, which costs nothing but a smaller count. Numbers that lie on both sides of an edge of rounding, and texts that
 * are merely alike, stay two.
 */
export function caseKey(rule: CaseKeyRule, background: string): string {
  if (rule === 1) return background;
  return background
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<![\p{L}\d.,])\d{1,15}\.\d{1,30}(?![\d.,]*\d)/gu, spelled);
}
