// The parts of a report on beliefs and the ruling.

import { type BeliefChange, isPair, leadingLabel } from '../../../../core/figures/beliefChanges.ts';
import { benchOf } from '../../../../core/figures/bench.ts';
import { computedOpinion } from '../../../../core/figures/debateRounds.ts';
import { timelineRole } from '../../../../core/figures/timeline.ts';
import { changeText, moversOf, occasionOf } from '../../../../core/telling/movers.ts';
import { rulingBlocks, type ToldRow, toldRows } from '../../../../core/telling/rows.ts';
import type { TranscriptEntry } from '../../../../shared/api/trials.ts';
import { blocksOf, noMarks, sectionOf } from './blocks.ts';
import type { ReportData } from './data.ts';
import { type Content, html, type Markup, name, plainly } from './markup.ts';
import { unfinishedText } from './opening.ts';
import { marksOf } from './proceedings.ts';
import { beliefText, labels, percent, speaker, theRole } from './words.ts';

const momentText = { live: 'then', recalled: 'recalled at the end', prior: 'before anyone spoke', ruling: 'in the ruling' };

function beliefRow(step: BeliefChange, rows: readonly ToldRow[]): Markup {
  const leading = leadingLabel(step.belief) ?? '';
  const share = percent(step.belief[leading] ?? 0);
  const isTie = Object.values(step.belief).filter((each) => percent(each) === share).length > 1;
  const likeliest = isTie ? `none: a tie at ${share}` : html`${name(leading)} ${share}`;
  const what = occasionOf(step, rows);
  return html`<tr><th scope="row">${name(what)}</th><td>${name(speaker(step.role))}, ${momentText[step.moment]}</td><td>${name(step.label)}</td><td class="number">${
    step.before === null ? '–' : percent(step.before)
  }</td><td class="number">${percent(step.now)}</td><td class="number">${changeText(step)}${step.largest && html` <strong>most</strong>`}</td><td>${step.set === null ? likeliest : labels([...step.set])}</td></tr>`;
}

const chart = { width: 720, height: 170, left: 44, right: 12, top: 14, bottom: 26 };

function curve(beliefs: readonly BeliefChange[], label: string, how: string): Markup {
  const inner = { width: chart.width - chart.left - chart.right, height: chart.height - chart.top - chart.bottom };
  const x = (index: number) =>
    chart.left + (beliefs.length === 1 ? inner.width / 2 : (index / (beliefs.length - 1)) * inner.width);
  const y = (share: number) => chart.top + (1 - share) * inner.height;
  const at = beliefs.map(({ belief }, index) => [x(index).toFixed(1), y(belief[label] ?? 0).toFixed(1)] as const);
  const numbers = beliefs.map(({ belief }) => percent(belief[label] ?? 0)).join(', ');
  const axis = [0, 0.5, 1].map(
    (share) =>
      html`<line class="axis" x1="${chart.left}" x2="${chart.width - chart.right}" y1="${y(share)}" y2="${y(share)}"/><text x="${chart.left - 6}" y="${y(share) + 4}" text-anchor="end">${percent(share)}</text>`,
  );
  return html`<figure><svg role="img" aria-labelledby="curve-title curve-told" viewBox="0 0 ${chart.width} ${chart.height}" width="${chart.width}" height="${chart.height}"><title id="curve-title">Probability of ${plainly(label)} over the trial</title><desc id="curve-told">In order: ${numbers}. The table below has the same numbers.</desc>${axis}<polyline class="curve" points="${at.map((point) => point.join(',')).join(' ')}"/>${at.map(
    ([cx, cy], index) => html`<circle class="point" cx="${cx}" cy="${cy}" r="${beliefs[index]?.largest === true ? 6 : 3}"/>`,
  )}<text x="${chart.left}" y="${chart.height - 6}">first belief</text><text x="${chart.width - chart.right}" y="${chart.height - 6}" text-anchor="end">last</text></svg><figcaption class="quiet">Probability of ${name(label)} ${how}, in the order of the trial. The large dot moved most.</figcaption></figure>`;
}

export function beliefs({ beliefs, entries, terms }: ReportData): Markup {
  const unstated = entries.filter((entry) => entry.kind === 'belief' && entry.belief === null).length;
  const last = beliefs.at(-1);
  const computed = computedOpinion(entries, last?.label ?? '');
  const { title, every, how, none } = {
    ...beliefText(terms.belief),
    ...(computed !== null && {
      title: 'Computed opinion',
      every: `${computed.how} Only the first is its own answer.`,
      how: 'as computed',
    }),
  };
  const note =
    unstated > 0 && html`<p class="quiet">${unstated} beliefs came without a probability and are not in this table.</p>`;
  if (last === undefined) return html`<section id="belief"><h2>${title}</h2><p>${none}</p>${note}</section>`;
  const rows = toldRows(entries);
  const ofSets = last.set !== null;
  const label = isPair(last) ? last.label : (leadingLabel(last.belief) ?? '');
  // Beliefs of several minds are no course of one.
  const isOfOne = beliefs.every(({ role }) => role === last.role);
  return html`<section id="belief"><h2>${title}</h2>${isOfOne && beliefs.length > 1 && curve(beliefs, label, how)}<div class="scroll"><table>
<caption>${every} ${ofSets ? 'Each label has a probability by itself. The change is in percentage points, of the label that changed most.' : 'Of two labels the change is in percentage points of the followed label; of more it is the total variation distance between the two distributions, and the label is the one that gained most.'}</caption>
<thead><tr><th scope="col">After</th><th scope="col">By, when</th><th scope="col">Label</th><th scope="col" class="number">Before</th><th scope="col" class="number">Now</th><th scope="col" class="number">Change</th><th scope="col">${ofSets ? 'Named' : 'Likeliest'}</th></tr></thead>
<tbody>${beliefs.map((step) => beliefRow(step, rows))}</tbody></table></div>${note}</section>`;
}

const mostChanges = 40;

export function movers({ beliefs, entries, line: { protocol } }: ReportData): Markup | null {
  // A bench is heard judge by judge: what moved each is not known. For a debate without a judge its measures show it.
  if (benchOf(entries).length > 0 || entries.some(({ kind }) => kind === 'exchange')) return null;
  const moved = moversOf(beliefs, toldRows(entries), { role: timelineRole(beliefs), most: mostChanges, protocol });
  return moved && sectionOf({ id: 'movers', ...moved }, noMarks);
}

function distribution(entry: Extract<TranscriptEntry, { kind: 'ruling' }>): Content {
  if (entry.belief === null || (Object.keys(entry.belief).length <= 2 && !Array.isArray(entry.prediction))) return null;
  const sorted = Object.entries(entry.belief).toSorted(([, a], [, b]) => b - a);
  const rows = sorted.map(
    ([label, share]) => html`<tr><th scope="row">${name(label)}</th><td class="number">${percent(share)}</td></tr>`,
  );
  return html`<details><summary>All ${sorted.length} labels with their probability${Array.isArray(entry.prediction) && ', each by itself'}</summary><table><thead><tr><th scope="col">Label</th><th scope="col" class="number">Probability</th></tr></thead><tbody>${rows}</tbody></table></details>`;
}

export function ruling(data: ReportData): Markup {
  const { entries, line, kase } = data;
  const given = entries.flatMap((entry) => (entry.kind === 'ruling' ? [entry] : []));
  if (kase.labels.length === 0) {
    return html`<section id="ruling"><h2>The ruling</h2><p>An open question has none: what counts is what was argued, proposed and scored.</p></section>`;
  }
  if (given.length === 0) {
    return html`<section id="ruling"><h2>The ruling</h2><p>There is none: ${line.status === 'done' ? 'the trial ended before it' : unfinishedText(entries)}.</p></section>`;
  }
  const parts = given.map(
    (entry) =>
      html`${blocksOf(rulingBlocks(entry), marksOf(data))}<p class="quiet">Ruled by ${name(theRole(entry.role))}.</p>${distribution(entry)}`,
  );
  return html`<section id="ruling"><h2>The ruling</h2>${parts}</section>`;
}
