// The first page of a report, for the person decided about: plain words, no statistics to know.
import { type BeliefChange, leadingLabel } from '../../../../core/figures/beliefChanges.ts';
import { benchOf } from '../../../../core/figures/bench.ts';
import { timelineRole } from '../../../../core/figures/timeline.ts';
import { wilson } from '../../../../core/statistics/wilson.ts';
import { occasionOf } from '../../../../core/telling/movers.ts';
import { toldRows } from '../../../../core/telling/rows.ts';
import type { ReportData } from './data.ts';
import { type Content, html, type Markup, name, prose } from './markup.ts';
import { unfinishedText } from './opening.ts';
import { count, labels, percent, theRole } from './words.ts';

/** Characters of the reasons on this page; the ruling has them all. */
const mostReasons = 1200;
const mostChanges = 3;

function decision({ line, entries }: ReportData): Markup {
  const { outcome, prediction } = line;
  if (outcome === null) return html`<p>There is no decision yet: ${unfinishedText(entries)}.</p>`;
  if (outcome !== 'decided')
    return html`<p>No decision was made: ${outcome.replaceAll('_', ' ')}. The program guesses none in its place.</p>`;
  return html`<p class="decision">${labels(prediction)}</p>`;
}

/** Ends at a whole sentence where there is one. */
function shortened(text: string): { readonly text: string; readonly isWhole: boolean } {
  if (text.length <= mostReasons) return { text, isWhole: true };
  const start = text.slice(0, mostReasons);
  const end = Math.max(start.lastIndexOf('. '), start.lastIndexOf('.\n'));
  return { text: end > 0 ? start.slice(0, end + 1) : `${start}…`, isWhole: false };
}

function reasons({ entries }: ReportData): Content {
  const given = entries.filter((entry) => entry.kind === 'ruling').at(-1);
  if (given === undefined) return html`<p>None are recorded, because there is no ruling.</p>`;
  if (given.opinion === '')
    return html`<p>The ruling has no text: it was put together from several opinions. <a href="#ruling">The ruling</a> and <a href="#transcript">the transcript</a> have them.</p>`;
  const shown = given.opinion === null ? null : shortened(given.opinion);
  return html`<p class="quiet">In the words of ${name(theRole(given.role))}, a language model:</p>${prose(shown?.text ?? null)}${
    shown?.isWhole === false && html`<p><a href="#ruling">The reasons go on under “The ruling”.</a></p>`
  }`;
}

function changeRow(step: BeliefChange, rows: ReturnType<typeof toldRows>): Markup {
  const label = leadingLabel(step.belief) === null ? '' : step.label;
  return html`<li>${name(occasionOf(step, rows))}: the belief in ${name(label)} went from ${percent(step.before ?? 0)} to ${percent(step.now)}.</li>`;
}

function wavering({ beliefs, entries }: ReportData): Content {
  const role = timelineRole(beliefs);
  const changes = beliefs.filter((step) => step.role === role && step.change !== null);
  // Of a bench or a debate without a judge nobody's belief was followed from step to step.
  if (changes.length === 0 || benchOf(entries).length > 0 || entries.some(({ kind }) => kind === 'exchange'))
    return html`<p>Not known: nobody's belief was recorded from step to step.</p>`;
  const size = ({ change }: BeliefChange) => Math.abs(change ?? 0);
  const moved = changes.filter((step) => size(step) >= 0.005).toSorted((a, b) => size(b) - size(a) || a.seq - b.seq);
  if (moved.length === 0) return html`<p>On nothing: the recorded belief stayed the same from start to end.</p>`;
  const rows = toldRows(entries);
  return html`<p>Here the recorded belief of ${name(theRole(role ?? ''))} changed most, after:</p><ul>${moved.slice(0, mostChanges).map((step) => changeRow(step, rows))}</ul>`;
}

function accuracy({ others: { n, right, undecided } }: ReportData): Markup {
  const range = wilson(right, n);
  if (range === null) return html`<p>Not known: there is no other case here with a decision whose right answer is known.</p>`;
  const none = undecided > 0 && ` In ${count(undecided)} further case${undecided === 1 ? '' : 's'} there was no decision at all.`;
  return html`<p>In ${count(n)} other case${n === 1 ? '' : 's'} that ${n === 1 ? 'was' : 'were'} decided in the same way and whose right answer is known, the decision was right <b>${count(right)}</b> time${right === 1 ? '' : 's'} (${percent(right / n)}).${none} The share in many more cases probably lies between ${percent(range.low)} and ${percent(range.high)} (95% Wilson interval).</p>`;
}

/** Null of an open question: nothing is decided about anybody. */
export function person(data: ReportData): Markup | null {
  if (data.kase.labels.length === 0) return null;
  return html`<section id="person"><h2>For the person decided about</h2>
<h3>What was asked</h3><p dir="auto">${data.kase.question}</p>
<h3>What was decided</h3>${decision(data)}
<h3>Main reasons</h3>${reasons(data)}
<h3>Where the judge wavered</h3>${wavering(data)}
<h3>How often such decisions were right</h3>${accuracy(data)}
<h3>What this does not show</h3><p>It does not show that the decision is right or fair. The reasons are text that a language model wrote; they need not be what led to the decision. A second run could end otherwise.</p>
<h3>What you can do</h3><ul>
<li>Ask for a person to look at your case and decide. Say what this page leaves out.</li>
<li>Read <a href="#facts">the facts</a>. If one is wrong or missing, ask for it to be corrected and for the case to be decided again.</li>
<li>Have the record checked by somebody you trust. <a href="#check">How to check this</a> says how; it needs no network and no language model.</li></ul></section>`;
}
