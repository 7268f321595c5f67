// The parts of a report on an imported prediction.
import type { TranscriptEntry } from '../../../../shared/api/trials.ts';
import type { ReportData } from './data.ts';
import { html, type Markup, name, prose } from './markup.ts';
import { labels, percent } from './words.ts';

type ImportEntry = Extract<TranscriptEntry, { kind: 'import' }>;

/** The entry of a trial whose prediction came out of a file. */
export const importOf = ({ entries }: ReportData): ImportEntry | undefined => entries.find((entry) => entry.kind === 'import');

export function importedPreface({ opened, program, line }: ReportData): Markup {
  return html`<section id="about"><h2>What this is</h2>
<p>The record of one imported prediction: nobody was asked here. What another system, or a person, said of this case was read from a file and stands beside the trials of the same experiment. Everything below was read from the record, in which each event carries the hash of the one before.</p>
<p class="quiet">Trial <code>${line.trial}</code>, imported ${opened} by the clock of the machine that did it, with Assize ${program} or a newer one. This page needs no network and contains no program.</p>
</section>`;
}

const row = (key: string, value: Markup | string | number) => html`<tr><th scope="row">${key}</th><td>${value}</td></tr>`;

/** What a reader needs to find the prediction in its file, and to read it again. */
export function imported({ system, line, mapping, value, stated, prediction, confidence }: ImportEntry): Markup {
  const { columns, map = [], positiveIf = null } = mapping ?? {};
  return html`<section id="import"><h2>The prediction</h2>
<table class="keys"><tbody>${[
    row('System', name(system)),
    row('File', mapping === null ? 'erased from the record' : name(mapping.file)),
    row('Line', line),
    columns !== undefined && row('Column', name(columns.prediction)),
    row('Read as', prediction === null ? 'no label of this experiment: undecided' : labels(prediction)),
    row(
      'Stated confidence',
      confidence === null ? (stated === null ? 'not stated' : html`not counted: ${name(stated)}`) : percent(confidence),
    ),
    map.length > 0 &&
      row('Mapped', html`${map.map(([from, to], index) => html`${index > 0 && ', '}${name(from)} to ${name(to)}`)}`),
    positiveIf !== null && row('Positive where the number is', html`<code>${positiveIf}</code>`),
  ]}</tbody></table>
<h3>What stood in the file</h3>${prose(value)}</section>`;
}

export function importedLimits({ line }: ReportData): Markup {
  return html`<section id="limits"><h2>What this does not show</h2><ul>
<li>How the prediction came about. The record shows what was read from a file and that it was not changed since; that the file says what the system said is the word of whoever imported it.</li>
<li>What the system knew of the case. It need not have seen the facts above, and may have seen others.</li>
<li>This is one prediction, n = 1. It says nothing about how often the system is right.</li>
<li>${line.truth === null ? 'Whether the prediction is right is not known.' : 'The truth is the label of the data set, with its errors.'}</li></ul></section>`;
}
