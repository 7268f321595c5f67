import { segmentsOf } from '../../../../core/text/visible.ts';

/** Text that is HTML already. Made by the functions of this file, and of texts of the program's own; never of anything that is read. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

const escaped = (text: string) => text.replace(/[&<>"'`]/g, (character) => entities[character] ?? '');

/** Text as it is shown: escaped, each invisible character as a mark with its name. */
const shown = (text: string) =>
  segmentsOf(text)
    .map(({ kind, name, text: part }) =>
      kind === 'plain'
        ? escaped(part)
        : `<span class="invisible" title="${escaped(name ?? '')}">${escaped(codeOf(name ?? ''))}</span>`,
    )
    .join('');

/** The code point at the end of a hidden character's name. */
const codeOf = (name: string) => name.split(' ').at(-1) ?? name;

export type Content = string | number | null | undefined | false | Markup | readonly Content[];

function rendered(content: Content): string {
  if (content === null || content === undefined || content === false) return '';
  if (content instanceof Markup) return content.source;
  return typeof content === 'string' || typeof content === 'number' ? shown(String(content)) : content.map(rendered).join('');
}

/** HTML with every value escaped, but for what is markup already. For element content; see `attribute`. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(strings.map((part, index) => part + rendered(values[index])).join(''));
}

/** A value between double quotes: hidden characters are named in words. */
export function attribute(text: string): Markup {
  return new Markup(escaped(plainly(text)));
}

/** Text without characters that do not show; their code points stand in their place. For titles and attributes. */
export function plainly(text: string): string {
  return segmentsOf(text)
    .map(({ kind, name, text: part }) => (kind === 'plain' ? part : `[${codeOf(name ?? '')}]`))
    .join('');
}

/** A string of CSS. Everything but letters, digits and spaces goes as its code point, so it cannot end the string or the style. */
export function cssString(text: string): string {
  const safe = [...plainly(text)].map((character) =>
    /^[\p{L}\p{N} ]$/u.test(character) ? character : `\\${character.codePointAt(0)?.toString(16)} `,
  );
  return `"${safe.join('')}"`;
}

export const name = (text: string): Markup => html`<bdi>${text}</bdi>`;

const letter = String.raw`\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}`;
/** From one letter that runs from right to left to the last that belongs to it; commas of ours and brackets end it. */
const fromTheRight = new RegExp(String.raw`([${letter}](?:[${letter}\p{M}\p{N}\s،؛؟]*[${letter}\p{M}])?)`, 'u');

/** Our own words with names from outside in them: what runs from right to left changes no place of what is around it. */
export const isolated = (text: string): Markup =>
  html`${text.split(fromTheRight).map((part, place) => (place % 2 === 1 ? name(part) : part))}`;

/** A long text from outside with its line ends, in its own direction. */
export const prose = (text: string | null): Markup =>
  text === null
    ? html`<p class="missing">This text was erased from the record.</p>`
    : html`<div class="prose" dir="auto">${text}</div>`;

/** A stretch of a text that is set apart. Ranges in order; one that overlaps an earlier one is left out. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly wrap: (content: Markup) => Markup;
}

/** As `prose`, with stretches set apart. */
export function markedProse(text: string, stretches: readonly Stretch[]): Markup {
  const parts: Content[] = [];
  let at = 0;
  for (const { start, end, wrap } of stretches) {
    if (start < at) continue;
    parts.push(text.slice(at, start), wrap(html`${text.slice(start, end)}`));
    at = end;
  }
  parts.push(text.slice(at));
  return html`<div class="prose" dir="auto">${parts}</div>`;
}
