// The transcript of a report: what was said, with the belief next to it.
import { type BeliefChange, isDirected, shownShares } from '../../../../core/figures/beliefChanges.ts';
import { mentionsText } from '../../../../core/figures/mentions.ts';
import { type TimelineRow, timelineOf } from '../../../../core/figures/timeline.ts';
import { type ToldRow, toldRows } from '../../../../core/telling/rows.ts';
import { accuracyTexts, markCounts } from '../../../../core/text/unfoundedAccuracy.ts';
import {
  checkAccuracyTitle,
  dottedText,
  outsideBySpeech,
  outsideText,
  saidAloud,
  unfoundedSpeeches,
  unfoundedText,
} from '../../../../core/text/unfoundedSpeeches.ts';
import { remembered } from '../../../../shared/remembered.ts';
import { blocksOf, type CaseMarks } from './blocks.ts';
import type { ReportData } from './data.ts';
import { type Content, html, Markup, name } from './markup.ts';
import { placeOfSpeech } from './people.ts';
import { labels, percent, points } from './words.ts';

/** What is marked in what was said, as on the screen, and how much of it is not among the facts. */
export const marksOf = remembered(({ kase, entries }: ReportData) => ({
  facts: kase.facts,
  ...unfoundedSpeeches(kase, entries),
}));

/** The ruling has its own section. */
const saidPart = ({ form, said }: ToldRow, marks: CaseMarks): Content =>
  form === 'ruling'
    ? html`${blocksOf(said.slice(0, 1), marks)}<p><a href="#ruling">The ruling in full</a></p>`
    : blocksOf(said, marks);

function spokenPart(row: ToldRow, marks: CaseMarks): Markup {
  const { form, who, what, notes } = row;
  const said =
    form === 'silent'
      ? html`<p class="quiet">${name(who)}, ${what}</p>`
      : html`<div class="turn"><header><b>${name(who)}</b>, ${name(what)}</header>${saidPart(row, marks)}</div>`;
  return html`<div class="spoken">${said}<div class="notes">${blocksOf(notes, marks)}</div></div>`;
}

/** Numbers for styles and geometry: never text from outside. */
const place = (share: number) => (share * 100).toFixed(2);

function timelinePart({ top, dot, bottom }: TimelineRow['piece'], paired: boolean): Markup {
  const middle = dot ?? (top !== null && bottom !== null ? (top + bottom) / 2 : null);
  const stroke = (x1: number, y1: number, x2: number, y2: number) =>
    new Markup(
      `<line class="line" x1="${place(x1)}" y1="${y1}" x2="${place(x2)}" y2="${y2}" stroke-width="2" vector-effect="non-scaling-stroke"/>`,
    );
  return html`<div class="timeline" aria-hidden="true"><svg viewBox="0 0 100 100" preserveAspectRatio="none">${
    paired &&
    new Markup('<line class="middle" x1="50" y1="0" x2="50" y2="100" stroke-width="1" vector-effect="non-scaling-stroke"/>')
  }${top !== null && middle !== null && stroke(top, 0, middle, 50)}${bottom !== null && middle !== null && stroke(middle, 50, bottom, 100)}</svg>${
    dot !== null && new Markup(`<span class="dot" style="left:${place(dot)}%"></span>`)
  }</div>`;
}

function statedPart({ beliefs }: ToldRow, changes: ReadonlyMap<number, BeliefChange>): Content {
  return beliefs.map(({ seq, prediction, confidence }) => {
    const step = changes.get(seq);
    if (step === undefined) return html`<div>${labels(prediction)}${confidence !== null && html` ${percent(confidence)}`}</div>`;
    const shares = shownShares(step).map(
      ({ label, share }, index) => html`${index > 0 && html`<br>`}<b>${percent(share)}</b>${name(label)}`,
    );
    const changed =
      step.change !== null &&
      html`<br><span class="quiet">${step.set !== null && html`${name(step.label)} `}${isDirected(step) ? points(step.change) : `${percent(step.change)} moved`}</span>`;
    return html`<div>${shares.length === 0 ? labels([]) : shares}${changed}${step.largest && html`<br><strong>moved most</strong>`}</div>`;
  });
}

const speechesListed = (rows: readonly ToldRow[]): Content =>
  rows.length > 0 && html` In: ${rows.map(({ who, what }, place) => html`${place > 0 && '; '}${name(who)}, ${name(what)}`)}.`;

/** What the program found when it compared the speeches with the facts, where, and how often that is right; and what the speakers say. */
function checked(data: ReportData, rows: readonly ToldRow[]): Content {
  const { entries } = data;
  const { unfounded, counts } = marksOf(data);
  if (counts === null) return null;
  const texts = new Map(entries.map((entry) => [entry.seq, saidAloud(entry)]));
  const spoken = rows.filter(({ form }) => form === 'utterance');
  const places = rows.filter(({ seq }) => unfounded(texts.get(seq) ?? '').length > 0);
  const [outside, named] = [outsideText(entries), outsideBySpeech(entries)];
  return html`<p><b>${unfoundedText(counts)}</b>${speechesListed(places)}</p>${outside !== null && html`<p><b>${outside}</b>${speechesListed(spoken.filter(({ seq }) => (named.get(seq) ?? 0) > 0))}</p>`}<p class="quiet">${checkAccuracyTitle}: ${accuracyTexts(markCounts.heldOut).join(' ')}</p>`;
}

export function proceedings(data: ReportData, caseMarks: CaseMarks): Markup {
  const { line, entries, kase, beliefs } = data;
  const rows = toldRows(entries, line.change);
  const changes = new Map(beliefs.map((step) => [step.seq, step]));
  const timeline = timelineOf(
    rows.map((row) => row.beliefs.map(({ seq }) => seq)),
    beliefs,
    kase.labels,
  );
  const { role, ends, ofSets, isOnce } = timeline;
  const across =
    ends === null
      ? html`<span>0%</span><span>100%</span>`
      : html`<span>${name(ends.left)}</span><span>${name(ends.right)}</span>`;
  const scale =
    role !== null &&
    html`<div class="row scale"><span>Speeches in order. ${mentionsText} ${dottedText}</span><div class="ends">${ofSets ? null : across}</div><span>${
      ofSets ? 'labels that apply' : ends === null ? 'likeliest label' : 'belief'
    }${isOnce && ', stated once'}</span></div>`;
  const commented = new Set(data.said.comments.map(({ utterance }) => utterance));
  const drawn = rows.map((row, index) => {
    const { piece, step, others } = timeline.rows[index] ?? {
      piece: { top: null, dot: null, bottom: null },
      step: null,
      others: [],
    };
    const largest = [step, ...others].some((each) => each?.largest === true);
    const marks = `${row.side}${row.form === 'forfeit' ? ' forfeit' : ''}${largest ? ' largest' : ''}`;
    const id = commented.has(row.seq) && html` id="${placeOfSpeech(row.seq)}"`;
    return html`<div${id} class="row ${marks}">${spokenPart(row, caseMarks)}${timelinePart(piece, ends !== null)}<div class="stated">${statedPart(row, changes)}</div></div>`;
  });
  const body =
    rows.length === 0 ? html`<p>Nothing was said: the first call already failed, or the trial has just begun.</p>` : drawn;
  return html`<section id="transcript"><h2>Transcript</h2>${checked(data, rows)}${scale}${body}</section>`;
}
