import { searched } from './fold.ts';
import { type Found, type GuardRules, matchesOf } from './found.ts';

/**
 * The lines by which a reader of a prompt separates its parts: a speech that holds `Defense, closing:` on a separate
 * line would put words into another mouth. Headings of a protocol come from its templates, so that a new protocol
 * brings its own along; those made of slots alone are covered by the names of roles.
 */

const speakers = [
  ...['prosecution', 'prosecutor', 'defense', 'defence', 'judge', 'court', 'jury', 'juror', 'foreperson', 'clerk', 'panel'],
  ...['advocate', 'plaintiff', 'respondent', 'appellant', 'witness', 'expert', 'moderator', 'mediator', 'arbiter', 'critic'],
  ...['proponent', 'opponent', 'affirmative', 'negative', 'evaluator', 'predictor', 'system', 'user', 'assistant', 'human'],
];

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** All that begin a new line to a pattern of many lines. */
const lineEnds = String.raw`\r\n\u2028\u2029`;

/** `Facts of the case:`, `After {{moment}}, you noted:`, `What turned out to be true: {{label}}` up to its colon. */
const headingLine = /^(?<heading>[^:"\r\n]{3,80}:)(?:\s*$|\s*\{\{)/;

const ownWords = (heading: string) => heading.replace(/\{\{\w+\}\}/g, '').match(/\p{L}{2,}/gu)?.length ?? 0;

function headingsOf(template: string): string[] {
  return template.split(/\r?\n/).flatMap((line) => {
    const heading = headingLine.exec(line)?.groups?.heading;
    return heading === undefined || ownWords(heading) === 0 ? [] : [heading];
  });
}

/** The turn of a speech in a protocol, by which its heading differs from a line of a transcript. */
const turns = [
  ...['opening', 'rebuttal', 'closing', 'argument', 'summation', 'verdict', 'ruling', 'reply', 'critique', 'feedback'],
  ...['opinion', 'proposal', 'summary'],
].join('|');

const who = String.raw`(?:the )?(?:${speakers.join('|')})(?: ?\d+)?`;

/** What a speaker's name is followed by on a line that is nothing but a heading. */
const spoken: Readonly<Record<GuardRules, string>> = {
  1: String.raw`${who}(?:, [^${lineEnds}:,]{1,40})?:(?=[ \t*_]*$)`,
  2: [
    String.raw`[[(]?${who}[\])]?(?:, [^${lineEnds}:,]{1,40}| ?[([][^${lineEnds}:)\]]{1,40}[)\]]| ?[-–—/] ?[^${lineEnds}:]{1,40})?(?: ?:)+(?=[ \t*_]*$)`,
    // With words behind it only where it says which speech it is: `Judge: Sit down.` is a line of any court.
    String.raw`${who}(?:, | ?[([]| ?[-–—/] ?)(?:${turns})(?: (?:argument|statement|speech))?(?: ?\d+)?[)\]]? ?:`,
    '(?:human|assistant) ?:',
  ].join('|'),
};

/** Finds the delimiters of prompts, by a version of the rules. */
export type Delimiters = Readonly<ReturnType<typeof delimitersOf>>;

/** The delimiters of prompts made from such templates; those that are marked already are none. */
export function delimitersOf(templates: Readonly<Record<string, string>>, rules: GuardRules) {
  const own = [...new Set(Object.values(templates).flatMap(headingsOf))].map((heading) =>
    heading
      .split(/\{\{\w+\}\}/)
      .map((words) => literal(searched(words, rules).text))
      .join(`[^${lineEnds}:]{1,60}?`),
  );
  const marked = `[ \t#>*_-]*‹[^${lineEnds}]*:›`;
  const headings = [...own, spoken[rules]].join('|');
  return { rules, pattern: new RegExp(String.raw`^(?!${marked})[ \t#>*_-]*(?<heading>${headings})`, 'gimu') };
}

/** Every line of a text that looks like a delimiter. */
export function delimitersIn(text: string, { rules, pattern }: Delimiters): Found[] {
  const search = searched(text, rules);
  return matchesOf(search.text, pattern).map(({ index, 0: line, groups }) => {
    const end = index + line.length;
    return { ...search.original(end - (groups?.heading ?? line).length, end), rule: 'transcript-heading' };
  });
}
