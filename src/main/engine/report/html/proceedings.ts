import { type BeliefChange, isDirected, isPair, leadingLabel, toldShares } from '../../../../core/figures/beliefChanges.ts';
import { certaintyOf } from '../../../../core/figures/certainty.ts';
import { mentionsIn } from '../../../../core/figures/mentions.ts';
import { rowsOf, type Spoken, type TranscriptRow } from '../../../../core/figures/rows.ts';
import { type TimelinePiece, timelinePieces, timelineRole } from '../../../../core/figures/timeline.ts';
import type { Fact } from '../../../../shared/domain.ts';
import type { ReportData } from './data.ts';
import { attribute, type Content, html, Markup, markedProse, name, plainly, prose } from './markup.ts';
import { labels, percent, points, sideOf, speaker, theRole } from './words.ts';

/** Speeches longer than this may be divided between printed pages. Characters. */
const longSpeech = 2500;

function speech(text: string | null, facts: readonly Fact[]): Markup {
  if (text === null) return prose(null);
  return markedProse(
    text,
    mentionsIn(text, facts).map(({ start, end, fact }) => ({
      start,
      end,
      wrap: (content) =>
        html`<span class="mention" title="${attribute(`fact: ${plainly(facts[fact]?.name ?? '')}`)}">${content}</span>`,
    })),
  );
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const sealed = (summary: string, text: string | null) =>
  html`<details><summary>${summary}</summary><div class="sealed">${prose(text)}</div></details>`;

function turn(spoken: Spoken, facts: readonly Fact[]): Markup {
  if (spoken.kind === 'ruling') {
    return html`<div class="turn"><header><b>${speaker(spoken.role)}</b>, ruling</header><p>${name(sentence(theRole(spoken.role)))} rules: <strong>${labels(spoken.prediction)}</strong>${spoken.confidence !== null && html`, ${percent(spoken.confidence)} ${certaintyOf(spoken.source).of.replace(', as stated', '')}`}. <a href="#ruling">The ruling in full</a>.</p></div>`;
  }
  if (spoken.kind === 'forfeit') {
    return html`<div class="turn"><header><b>${name(speaker(spoken.role))}</b>, <code>${spoken.key}</code></header><p>Turn forfeited (${spoken.failure.replaceAll('_', ' ')}): no answer could be had or read. The trial went on without it.</p></div>`;
  }
  const plan = spoken.planned && sealed('Sealed plan, read by no other role', spoken.plan);
  return html`<div class="turn"><header><b>${name(speaker(spoken.role))}</b>, ${name(spoken.turn)}</header>${speech(spoken.text, facts)}${plan}</div>`;
}

function spokenPart({ spoken, beliefs }: TranscriptRow, facts: readonly Fact[]): Markup {
  const notes = beliefs.flatMap(({ role, notes: text, moment, after, source }) =>
    // A belief that its own role says aloud has no notes beside, nor has one that the protocol made of several.
    moment === 'retrospective' || (text === null && ((spoken?.role === role && spoken.key === after) || source === 'smoothed'))
      ? []
      : [sealed(`Notes of ${plainly(theRole(role))}, read by nobody else`, text)],
  );
  const said = spoken === null ? html`<p class="quiet">Before anyone spoke</p>` : turn(spoken, facts);
  return html`<div class="spoken">${said}<div class="notes">${notes}</div></div>`;
}

/** Numbers for styles and geometry: never text from outside. */
const place = (share: number) => (share * 100).toFixed(2);

function timelinePart({ top, dot, bottom }: TimelinePiece, paired: boolean): Markup {
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

function statedPart(row: TranscriptRow, beliefs: ReadonlyMap<number, BeliefChange>): Content {
  const stated = [...row.beliefs, ...(row.spoken?.kind === 'ruling' ? [row.spoken] : [])];
  return stated.map(({ seq, prediction, confidence }) => {
    const step = beliefs.get(seq);
    if (step === undefined) return html`<div>${labels(prediction)}${confidence !== null && html` ${percent(confidence)}`}</div>`;
    const told = toldShares(step).map(
      ({ label, share }, index) => html`${index > 0 && html`<br>`}<b>${percent(share)}</b>${name(label)}`,
    );
    const changed =
      step.change !== null &&
      html`<br><span class="quiet">${step.set !== null && html`${name(step.label)} `}${isDirected(step) ? points(step.change) : `${percent(step.change)} moved`}</span>`;
    return html`<div>${told.length === 0 ? labels([]) : told}${changed}${step.largest && html`<br><strong>moved most</strong>`}</div>`;
  });
}

export function proceedings({ entries, kase, beliefs }: ReportData): Markup {
  const rows = rowsOf(entries);
  const bySeq = new Map(beliefs.map((step) => [step.seq, step]));
  const ofRow = ({ beliefs, spoken }: TranscriptRow) => {
    const all = [...beliefs.map(({ seq }) => seq), ...(spoken?.kind === 'ruling' ? [spoken.seq] : [])];
    return all.flatMap((seq) => bySeq.get(seq) ?? []);
  };
  const [first] = beliefs;
  const pair = first !== undefined && isPair(first) ? first : null;
  // No one share tells of several labels: they are told in words alone.
  const ofSets = beliefs.some(({ set }) => set !== null);
  const value = (step: BeliefChange | undefined) =>
    step === undefined || ofSets ? null : pair === null ? (step.belief[leadingLabel(step.belief) ?? ''] ?? 0) : step.now;
  // The line joins beliefs of one role: those of several minds are no course.
  const role = timelineRole(beliefs);
  const pieces = timelinePieces(rows.map((row) => value(ofRow(row).findLast((step) => step.role === role))));
  const other = pair === null ? null : Object.keys(pair.belief).find((label) => label !== pair.label);
  const scale =
    beliefs.length > 0 &&
    html`<div class="row scale"><span>Speeches in order; what mentions a fact in its own words is underlined.</span><div class="ends">${
      ofSets
        ? null
        : pair === null
          ? html`<span>0%</span><span>100%</span>`
          : html`<span>${name(other ?? '')}</span><span>${name(pair.label)}</span>`
    }</div><span>${ofSets ? 'labels that apply' : pair === null ? 'likeliest label' : 'belief'}</span></div>`;
  const drawn = rows.map((row, index) => {
    const kind = row.spoken === null || row.spoken.kind === 'ruling' ? 'neutral' : sideOf(row.spoken.role);
    const long = row.spoken?.kind === 'utterance' && (row.spoken.text ?? '').length > longSpeech;
    const marks = [
      kind,
      row.spoken?.kind === 'forfeit' && 'forfeit',
      long && 'long',
      ofRow(row).some(({ largest }) => largest) && 'largest',
    ];
    const piece = pieces[index] ?? { top: null, dot: null, bottom: null };
    return html`<div class="row ${marks.filter((mark) => mark !== false).join(' ')}">${spokenPart(row, kase.facts)}${timelinePart(piece, pair !== null)}<div class="stated">${statedPart(row, bySeq)}</div></div>`;
  });
  const body =
    rows.length === 0 ? html`<p>Nothing was said: the first call already failed, or the trial has just begun.</p>` : drawn;
  return html`<section id="transcript"><h2>Transcript</h2>${scale}${body}</section>`;
}
