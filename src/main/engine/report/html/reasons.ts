// The main reasons for a decision, as the first page of a report has them.
import { mainReasons, rulingOf } from '../../../../core/telling/mainReasons.ts';
import type { ReportData } from './data.ts';
import { type Content, html, name, prose } from './markup.ts';
import { isInvented } from './opening.ts';
import { answerer, theRole } from './words.ts';

/** Characters of all reasons on the page; the transcript has them whole. A line break counts as half a line. */
const mostCharacters = 700;
const ofLineBreak = 40;
const mostSpeakers = 3;

/** Ends at a whole sentence or line where there is one. */
export function shortened(text: string, most: number): { readonly text: string; readonly isWhole: boolean } {
  let used = 0;
  const end = [...text].findIndex((character) => {
    used += character === '\n' ? ofLineBreak : 1;
    return used > most;
  });
  if (end < 0) return { text, isWhole: true };
  const start = [...text].slice(0, end).join('');
  const whole = Math.max(start.lastIndexOf('. ') + 1, start.lastIndexOf('.\n') + 1);
  return { text: whole > 0 ? start.slice(0, whole) : `${start.trimEnd()}…`, isWhole: false };
}

export const plainRole = (role: string): string => (role === 'predictor' ? 'the one that answered' : theRole(role));

export function reasons(data: ReportData): Content {
  const ruling = rulingOf(data);
  if (ruling === undefined) return html`<p>None are recorded, because nothing was decided.</p>`;
  const all = mainReasons(data);
  if (all.length === 0) return html`<p>None are recorded: only the answer was asked for, without reasons.</p>`;
  const { one } = answerer(isInvented(data));
  const shown = all.slice(0, mostSpeakers).map(({ role, text }) => ({
    role,
    ...(text === null ? { text, isWhole: true } : shortened(text, mostCharacters / Math.min(all.length, mostSpeakers))),
  }));
  const where = ruling.opinion === '' ? html`<a href="#transcript">“Transcript”</a>` : html`<a href="#ruling">“The ruling”</a>`;
  const isCut = shown.some(({ isWhole }) => !isWhole);
  const more = all.length - shown.length;
  const further = more > 0 && `${more} more ${more === 1 ? 'was' : 'were'} for the same answer. `;
  return html`${shown.map(({ role, text }) => html`<p class="quiet">In the words of ${name(role === 'predictor' ? one : `${theRole(role)}, ${one}`)}:</p>${prose(text)}`)}${
    (isCut || more > 0) && html`<p class="quiet">${further}All reasons are in full under ${where}.</p>`
  }`;
}
