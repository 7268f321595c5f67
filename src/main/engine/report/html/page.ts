// What every report is written on: one HTML file that needs nothing else.
import { type ErasureNote, erasedText } from '../../../../shared/erasure.ts';
import { type Content, html, type Markup, plainly } from './markup.ts';
import { style } from './style.ts';

/** Nothing may be loaded or run; the style is in the file itself. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";

export const navigation = (places: readonly (readonly [id: string, title: string, ...unknown[]])[]): Markup =>
  html`<nav aria-label="Contents"><ul>${places.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`;

export interface PageHead {
  readonly title: string;
  readonly running: string;
  /** What of the record fails its check: on the screen at the top, in print on every page; null where it is sound. */
  readonly fault: string | null;
  /** The erasure that took texts of it, said at the top; null where none did. */
  readonly erased: ErasureNote | null;
}

const erasedLine = (erased: ErasureNote) =>
  html`<p class="caveat" role="note"><b>Texts were erased from this record</b> on ${erased.at.slice(0, 10)}: ${erasedText(erased)}. Where they stood, this report says so. Verdicts, beliefs and labels are as recorded.</p>`;

export function page({ title, running, fault, erased }: PageHead, content: Content): Markup {
  const warned = `${fault === null ? '' : 'DAMAGED RECORD, do not rely on it: '}${running}`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="robots" content="noindex">
<title>${plainly(title)}</title>
${style(warned)}</head>
<body><main>${fault === null ? null : html`<p class="banner" role="alert">DAMAGED RECORD: ${fault}. Do not rely on what follows.</p>`}${erased && erasedLine(erased)}${content}</main></body></html>
`;
}
