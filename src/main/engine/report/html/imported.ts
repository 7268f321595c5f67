// The parts of a report on an imported prediction.
import { importBlock } from '../../../../core/telling/sections.ts';
import type { TranscriptEntry } from '../../../../shared/api/trials.ts';
import { labelLimit } from '../../../../shared/decidedBy.ts';
import { rangeText } from './account.ts';
import { blocksOf } from './blocks.ts';
import type { ReportData } from './data.ts';
import { html, type Markup } from './markup.ts';
import { moment } from './words.ts';

type ImportEntry = Extract<TranscriptEntry, { kind: 'import' }>;

/** The entry of a trial whose prediction came out of a file. */
export const importOf = ({ entries }: ReportData): ImportEntry | undefined => entries.find((entry) => entry.kind === 'import');

export function importedPreface({ opened, program, line }: ReportData): Markup {
  return html`<section id="about"><h2>What this is</h2>
<p>The record of one imported prediction: no model was asked. What another system, or a person, said of this case was read from a file, and is compared with the trials of the same experiment. Everything below was read from the record, in which each event carries the hash of the one before.</p>
<p class="quiet">Trial <code>${line.trial}</code>, imported ${moment(opened)} by the clock of the machine that did it, with Assize ${program} or a newer one. This page needs no network and contains no program.</p>
</section>`;
}

export const imported = (entry: ImportEntry): Markup =>
  html`<section id="import"><h2>The prediction</h2>${blocksOf([importBlock(entry)], [])}</section>`;

export function importedLimits(data: ReportData): Markup {
  const { line } = data;
  return html`<section id="limits"><h2>What this does not show</h2><ul>
<li>How the prediction came about. The record shows what was read from a file, and that it was not changed since. The person who imported the file vouches that it holds what the system said.</li>
<li>What the system knew of the case. It need not have seen the facts above, and may have seen others.</li>
<li>This is one prediction, n = 1. It says nothing about how often the system is right.</li>
${rangeText(data)}<li>${line.truth === null ? 'Whether the prediction is right is not known.' : labelLimit(line)}</li></ul></section>`;
}
