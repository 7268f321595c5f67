import type { Found } from './found.ts';

/**
 * The lines by which a reader of a prompt tells its parts from each other: a speech that holds `Defense, closing:` on
 * a line of its own would put words into another mouth. Headings of a protocol come from its templates, so that a new
 * protocol brings its own along; those made of slots alone are covered by the names of roles.
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

/** Words that are the template's own. */
const ownWords = (heading: string) => heading.replace(/\{\{\w+\}\}/g, '').match(/\p{L}{2,}/gu)?.length ?? 0;

function headingsOf(template: string): string[] {
  return template.split(/\r?\n/).flatMap((line) => {
    const heading = headingLine.exec(line)?.groups?.heading;
    return heading === undefined || ownWords(heading) === 0 ? [] : [heading];
  });
}

/** A pattern for the delimiters of prompts made from such templates; those that are marked already are none. */
export function delimitersOf(templates: Readonly<Record<string, string>>): RegExp {
  const headings = Object.values(templates).flatMap(headingsOf);
  const own = [...new Set(headings)].map((heading) =>
    heading
      .split(/\{\{\w+\}\}/)
      .map(literal)
      .join(`[^${lineEnds}:]{1,60}?`),
  );
  const spoken = String.raw`(?:the )?(?:${speakers.join('|')})(?: ?\d+)?(?:, [^${lineEnds}:,]{1,40})?:(?=[ \t*_]*$)`;
  const marked = `[ \t#>*_-]*‹[^${lineEnds}]*:›`;
  return new RegExp(String.raw`^(?!${marked})[ \t#>*_-]*(?<heading>${[...own, spoken].join('|')})`, 'gimu');
}

/** Every line of a text that looks like a delimiter. */
export function delimitersIn(text: string, delimiters: RegExp): Found[] {
  return [...text.matchAll(delimiters)].map(({ index, 0: line, groups }) => {
    const end = index + line.length;
    return { start: end - (groups?.heading ?? line).length, end, rule: 'transcript-heading' };
  });
}
