// The main reasons for a decision, as the first page of a report has them.
import { benchOf } from '../../../../core/figures/bench.ts';
import type { TranscriptEntry } from '../../../../shared/api/trials.ts';
import type { Prediction } from '../../../../shared/domain.ts';
import type { ReportData } from './data.ts';
import { type Content, html, name, prose } from './markup.ts';
import { isInvented } from './opening.ts';
import { answerer, theRole } from './words.ts';

/** Characters of all reasons on the page; the transcript has them whole. A line break counts as half a line. */
const mostCharacters = 700;
const ofLineBreak = 40;
const mostSpeakers = 3;

/** Somebody who was for the decision, and why; null where the text was erased. */
interface Reason {
  readonly role: string;
  readonly text: string | null;
}

export const isSamePrediction = (one: Prediction | undefined, other: Prediction): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export const rulingOf = ({ entries }: Pick<ReportData, 'entries'>) => entries.findLast((entry) => entry.kind === 'ruling');

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

/** What those said last who ended with the decision, or argued for it from the start. */
function lastSpeeches({ entries, claims }: ReportData, prediction: Prediction): Reason[] {
  const spoken = entries.filter((entry) => entry.kind === 'utterance');
  const positionOf = (role: string) =>
    entries.findLast((entry) => entry.kind === 'belief' && entry.role === role && entry.prediction !== null);
  return [...new Set(spoken.map(({ role }) => role))].flatMap((role) => {
    const stated = positionOf(role);
    if (!isSamePrediction(stated?.kind === 'belief' ? stated.prediction : claims[role], prediction)) return [];
    const own = spoken.filter((entry) => entry.role === role);
    const texts = own.filter(({ turn }) => turn === own.at(-1)?.turn).map(({ text }) => text);
    return [{ role, text: texts.includes(null) ? null : texts.join('\n') }];
  });
}

function notesOf(entries: readonly TranscriptEntry[], role: string): Reason[] {
  const last = entries.findLast((entry) => entry.kind === 'belief' && entry.role === role && entry.notes !== null);
  return last?.kind === 'belief' && last.notes !== '' ? [{ role, text: last.notes }] : [];
}

/** Reasons of those who decided, else of those who argued for the decision. Empty where no one was asked for any. */
function reasonsOf(data: ReportData): Reason[] {
  const { entries } = data;
  const ruling = rulingOf(data);
  if (ruling === undefined) return [];
  if (ruling.opinion !== '') return [{ role: ruling.role, text: ruling.opinion }];
  const seats = benchOf(entries).filter(({ vote, reason }) => {
    return vote !== null && reason !== '' && isSamePrediction(vote.prediction, ruling.prediction);
  });
  // Of judges in turn the one who decides comes first.
  const voted = seats.toSorted((one, other) => Number(other.role === ruling.role) - Number(one.role === ruling.role));
  if (voted.length > 0) return voted.map(({ role, reason }) => ({ role, text: reason }));
  const own = notesOf(entries, ruling.role);
  return own.length > 0 ? own : lastSpeeches(data, ruling.prediction);
}

/** A role as somebody calls it who has not read how the trial works. */
export const plainRole = (role: string): string => (role === 'predictor' ? 'the one that answered' : theRole(role));

export function reasons(data: ReportData): Content {
  const ruling = rulingOf(data);
  if (ruling === undefined) return html`<p>None are recorded, because nothing was decided.</p>`;
  const all = reasonsOf(data);
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
