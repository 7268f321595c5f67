import type { AnswerSpec } from './answer.ts';
import { type Field, isScalar, wantsNumber } from './fields.ts';
import { bare } from './labels.ts';

/** A place where a field's name stands in front of a colon, or in the first cell of a table's row. */
export interface Mention {
  readonly field: Field;
  readonly start: number;
  /** Index of the first character after the colon. */
  readonly end: number;
  /** Whether it opens a line or follows another on its line; a mention in mid-sentence gives no value. */
  readonly opens: boolean;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** The words of a name, whether it is written in camel case, with underscores or with spaces. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ')
    .split(/[\s_-]+/)
    .filter((word) => word !== '');

/** What may stand between the name of a percentage and its colon. */
const scaleNote = '(?:[ \\t]?\\((?:in )?(?:%|percent|0[ \\t]?(?:-|\u2013|to)[ \\t]?100[ \\t]?%?)\\))?';

const opensRow = /\n[ \t]*\|[ \t]*["'`*_]*$/;
const opensLine = /[\n|][ \t]*(?:[-*#>\u2022]+[ \t]*|\d{1,2}[.)][ \t]*)?["'`*_]*$/;
const followsSeparator = /[,;][ \t]*["'`*_]*$/;

export function findMentions(text: string, fields: readonly Field[]): readonly Mention[] {
  const mentions: Mention[] = [];
  const separated = new Set<Mention>();
  for (const field of fields) {
    const name = wordsOf(field.name).map(escaped).join('[ _-]?');
    const note = field.maximum === 100 ? scaleNote : '';
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])${name}${note}["'\`*_]{0,4}[ \\t]{0,4}[:=|]["'\`*_]{0,4}`, 'giu');
    for (const match of text.matchAll(pattern)) {
      const before = `${match.index <= 24 ? '\n' : ''}${text.slice(Math.max(0, match.index - 24), match.index)}`;
      const mark = match[0].search(/[:=|]/);
      if (match[0].charAt(mark) === '|' && !opensRow.test(before)) continue;
      const mention = { field, start: match.index, end: match.index + mark + 1, opens: opensLine.test(before) };
      mentions.push(mention);
      if (followsSeparator.test(before)) separated.add(mention);
    }
  }
  mentions.sort((first, second) => first.start - second.start);
  // In "If so, prediction: YES" the comma begins no field: the line has to begin with one.
  let previous: Mention | undefined;
  return mentions.map((mention) => {
    const sameLine = previous?.opens === true && !text.slice(previous.end, mention.start).includes('\n');
    previous = separated.has(mention) ? { ...mention, opens: sameLine } : mention;
    return previous;
  });
}

/** Whether some field's name stands in front of a colon anywhere in the text. */
export const mentionsField = (text: string, fields: readonly Field[]): boolean => findMentions(text, fields).length > 0;

const isFreeText = (field: Field, labelFields: readonly string[]): boolean =>
  field.types.has('string') && !wantsNumber(field) && !labelFields.includes(field.name);

function toValue(field: Field, text: string): unknown {
  if (field.types.has('null') && text === 'null') return null;
  const mayBeBoolean = field.types.has('boolean') && !field.types.has('string');
  if (mayBeBoolean && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}

/** Whether a text goes on with words on its first line, so that nobody knows where the line before it ended. */
function goesOn(text: string): boolean {
  const line = text.split('\n', 1)[0] ?? '';
  const isOtherField = /^[\s*#>|-]*[\p{L}][\p{L}\p{N} _'\u2019()-]{0,40}[*_]{0,2}[:=|]/u.test(line);
  return /[\p{L}\p{N}]/u.test(line) && !isOtherField && !/^\s*(?:[-*#>|`]|\d{1,2}[.)])/.test(line);
}

/** The text of a field's value, or null if it is empty or may be cut by the end of the text. */
export function contentOf(
  text: string,
  mention: Mention,
  next: Mention | undefined,
  free: boolean,
  ended: boolean,
): string | null {
  const rest = text.slice(mention.end, next?.start ?? text.length);
  if (free) {
    if (next === undefined && !ended) return null;
    const content = rest
      .replace(/[\s,;|*#>"'`_-]{1,24}$/, '')
      .replace(/^[\s*"'`_]{1,24}/, '')
      .trim();
    return content === '' ? null : content;
  }
  const lead = rest.length - rest.trimStart().length;
  const newline = rest.indexOf('\n', lead);
  if (newline === -1 && next === undefined && !ended && !/["*%]\s*$/.test(rest.slice(-24))) return null;
  const line = newline === -1 ? rest : rest.slice(0, newline);
  if (newline !== -1 && goesOn(rest.slice(newline + 1))) return null;
  // `.7` is no 7.
  if (wantsNumber(mention.field) && /^["'`*_\s]*\.\d/.test(line.slice(lead))) return null;
  const content = bare(bare(line.slice(lead)).replace(/[\s,;|*#>-]{1,24}$/, ''));
  return content === '' ? null : content;
}

export interface LabelledFields {
  readonly entries: Readonly<Record<string, unknown>>;
  /** What stands in front of the first field. */
  readonly before: string;
  /** The lines behind the first field that are no part of any field. */
  readonly beside: string;
  /** A free text at the end: nobody can tell which of its lines still belong to the field. */
  readonly last: string;
}

/**
 * Reads `field: value` lines: Markdown around the name, other case, spaces for underscores. Null unless
 * all required fields are scalars and every field that is mentioned is mentioned exactly once, with a
 * value. Values stay texts where the schema's field may be one. A value that runs into the end of the
 * text counts only if the model is known to have `ended` there, for "7" may be half of "70".
 */
export function readLabelledFields<T>(
  spec: AnswerSpec<T>,
  fields: readonly Field[],
  text: string,
  ended: boolean,
): LabelledFields | null {
  if (fields.some((field) => field.required && !isScalar(field))) return null;
  const mentions = findMentions(text, fields);
  const entries = new Map<string, unknown>();
  const beside: string[] = [];
  let last = '';
  for (const [index, mention] of mentions.entries()) {
    const { field } = mention;
    if (!mention.opens || !isScalar(field) || entries.has(field.name)) return null;
    const next = mentions[index + 1];
    const free = isFreeText(field, spec.labelFields);
    const content = contentOf(text, mention, next, free, ended);
    if (content === null) return null;
    if (!free)
      beside.push(
        text
          .slice(mention.end, next?.start ?? text.length)
          .trimStart()
          .replace(/^[^\n]*/, ''),
      );
    else if (next === undefined) last = content;
    entries.set(field.name, toValue(field, content));
  }
  const complete = entries.size > 0 && fields.every((field) => !field.required || entries.has(field.name));
  if (!complete) return null;
  const before = text.slice(0, mentions[0]?.start ?? 0).replace(/[^\n]*$/, '');
  return { entries: Object.fromEntries(entries), before, beside: beside.join('\n'), last };
}
