// What people said of a trial: their answers, and their comments with the speech that each is about.

import { answerPieces, earlierText } from '../../../../core/telling/reviewTables.ts';
import { type ToldRow, toldRows } from '../../../../core/telling/rows.ts';
import type { Comment } from '../../../../shared/reviews.ts';
import type { ReportData } from './data.ts';
import { html, isolated, type Markup, name } from './markup.ts';
import { piecesOf } from './pieces.ts';

export const placeOfSpeech = (seq: number): string => `speech-${seq}`;

/** The words of a ruling are in its own section. A speech of an earlier attempt is not in the report. */
function commentLine(
  { reviewer, quote, comment, utterance, ...of }: Comment,
  row: ToldRow | undefined,
  head: string,
  isShown: boolean,
): Markup {
  const speech =
    row &&
    html`<a href="#${row.form === 'ruling' ? 'ruling' : isShown ? placeOfSpeech(utterance) : 'transcript'}">${name(row.who)}, ${row.what}</a>, `;
  return html`<p>${name(reviewer)} on ${speech}“${isolated(quote ?? '[erased]')}”${earlierText(head, of)}: ${isolated(comment ?? '[erased]')}</p>`;
}

/** Null where no one said anything. */
export function people({ said, entries, line }: ReportData, isWithoutTranscript: boolean): Markup | null {
  const answers = answerPieces(said);
  if (answers.length === 0 && said.comments.length === 0) return null;
  const rows = new Map(toldRows(entries, line.change).map((row) => [row.seq, row]));
  const comments = said.comments.map((each) => commentLine(each, rows.get(each.utterance), said.head, !isWithoutTranscript));
  return html`<section id="people"><h2>What people said</h2>${piecesOf(answers)}${comments}</section>`;
}
