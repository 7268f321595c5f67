import {
  type DebateFigure,
  type DebateRound,
  debateOf,
  sideNames,
  stopWords,
  winnerWords,
} from '../../../../core/figures/debate.ts';
import {
  balanceWords,
  betterWords,
  draftWords,
  remarkWords,
  settledWords,
  stopLevelWords,
  unaskedBalance,
} from '../../../../core/figures/debateWords.ts';
import type { PanelSide } from '../../../../core/figures/panel.ts';
import type { CritReason, Evaluation, Weighed } from '../../../../shared/crit.ts';
import type { ReportData } from './data.ts';
import { type Content, html, type Markup, name, prose } from './markup.ts';
import { labels, percent, speaker } from './words.ts';

const sides: readonly PanelSide[] = ['agentA', 'agentB'];
const failed = (kind: string) => kind.replaceAll('_', ' ');
const nothing = html`<p class="quiet">Nothing.</p>`;

/** What is argued about; null where the trial is no debate. */
export function subtopics({ entries }: ReportData): Markup | null {
  const { settled, subtopics: list, remark } = debateOf(entries);
  if (settled === null) return null;
  const items = list.map(({ title, scope }, index) => html`<li>${index + 1}. <b>${name(title)}</b>: ${name(scope)}</li>`);
  const found = balanceWords(settled);
  const balance =
    found === null
      ? html`<p class="quiet">${unaskedBalance}</p>`
      : html`<p>The critic finds them <strong>${found}</strong>.</p>${prose(settled.balance)}`;
  const said = remark !== null && html`<p>${remarkWords(remark)}</p>${prose(remark.text)}`;
  return html`<section id="subtopics"><h2>Subtopics</h2><p class="quiet">${settledWords(settled)}</p><ul>${items}</ul>${balance}${said}</section>`;
}

const weight = ({ validity, credibility }: Weighed) =>
  html`<span class="quiet">validity ${validity.toFixed(1)} of 10, credibility ${credibility.toFixed(2)}</span>`;

function reason(one: CritReason): Markup {
  const { examined } = one;
  const own =
    examined !== null &&
    html`<p class="quiet">Examined as a claim of its own: ${examined.score.toFixed(2)} of 10 takes the place of its validity.</p>${evaluationText(examined)}`;
  return html`<li>${name(one.text)} ${weight(one)}${own}</li>`;
}

function evaluationText({ claim, reasons, rivals, justification }: Evaluation): Markup {
  const list = (items: readonly Markup[]) => (items.length === 0 ? nothing : html`<ul>${items}</ul>`);
  return html`<p><b>Claim:</b> ${name(claim)}</p><p>Reasons for it:</p>${list(reasons.map(reason))}<p>Rivals, reasons against it:</p>${list(
    rivals.map((rival) => html`<li>${name(rival.text)} ${weight(rival)}</li>`),
  )}${prose(justification)}`;
}

function score({ evaluation, unscored }: DebateRound): Content {
  if (unscored) return html`<p class="bad">The critic gave no score that holds: the debate went on without one.</p>`;
  if (evaluation === null) return null;
  const text = evaluation.evaluation === null ? prose(null) : evaluationText(evaluation.evaluation);
  return html`<details><summary>CRIT score G = ${evaluation.score.toFixed(2)} of 10, with its reasons and rivals</summary><div class="sealed">${text}</div></details>`;
}

function round(one: DebateRound, debate: DebateFigure): Markup {
  const heads = sides.map((side) => {
    const { belief } = one.sides[side];
    const predicts =
      belief !== null &&
      html`, predicts ${labels(belief.prediction)}${belief.confidence !== null && html` (${percent(belief.confidence)})`}`;
    return html`<th scope="col">${sideNames[side]}${predicts}</th>`;
  });
  const rows = debate.subtopics.map(({ title }, index) => {
    const cells = sides.map((side) => {
      const { speeches, forfeit } = one.sides[side];
      const speech = speeches[index] ?? null;
      if (speech !== null) return html`<td>${prose(speech.text)}</td>`;
      return html`<td>${forfeit === null ? nothing : html`<p class="bad">Turn forfeited (${failed(forfeit.failure)}).</p>`}</td>`;
    });
    return html`<tr><th scope="row">${name(title)}</th>${cells}</tr>`;
  });
  const level = one.contentiousness !== null && html`Contentiousness ${one.contentiousness.toFixed(2)} of 1.`;
  return html`<h3>${one.title}</h3><div class="scroll"><table class="wide"><caption>${level}</caption><thead><tr><th scope="col">Subtopic</th>${heads}</tr></thead><tbody>${rows}</tbody></table></div>${score(one)}`;
}

/** Round by round what both sides argue on each subtopic; null where there is no debate. */
export function debate({ entries }: ReportData): Markup | null {
  const found = debateOf(entries);
  // Debates of other protocols have rounds too, but no subtopics.
  if (found.settled === null || found.rounds.length === 0) return null;
  const { stop } = found;
  const end = stop !== null && html`<p class="quiet">${stopWords[stop.reason]} ${stopLevelWords(stop)}</p>`;
  return html`<section id="debate"><h2>Debate</h2>${found.rounds.map((one) => round(one, found))}${end}</section>`;
}

/** The joint proposal; null where none was made. */
export function proposal({ entries }: ReportData): Markup | null {
  const { proposal: found } = debateOf(entries);
  if (found === null) return null;
  const list = (title: string, items: readonly string[]) =>
    items.length > 0 && html`<h3>${title}</h3><ul>${items.map((item) => html`<li>${name(item)}</li>`)}</ul>`;
  const text = found.proposal;
  const draft = found.stage === 'draft' && html`<p class="bad">${draftWords}</p>`;
  return html`<section id="proposal"><h2>Joint proposal</h2>${draft}${prose(text?.proposal ?? null)}${text !== null && list('Open questions', text.open_questions)}${text !== null && list('Next steps', text.next_steps)}</section>`;
}

/** The panel's scores in both orders; null where there is no panel. */
export function panel({ entries }: ReportData): Markup | null {
  const { panel: sheets, subtopics: list, agreement } = debateOf(entries);
  if (sheets.length === 0) return null;
  const heads = sheets.map(
    ({ sheet }) => html`<th scope="col" class="number">${speaker(sheet.role)}, ${sideNames[sheet.first]} first</th>`,
  );
  const row = (title: Content, cell: (sheet: (typeof sheets)[number]) => Content) =>
    html`<tr><th scope="row">${title}</th>${sheets.map((sheet) => html`<td class="number">${cell(sheet)}</td>`)}</tr>`;
  const points = (scores: Readonly<Record<PanelSide, number>> | undefined) =>
    scores === undefined ? '' : `${scores.agentA} : ${scores.agentB}`;
  const rows = [
    ...list.map(({ title }, index) => row(name(title), ({ sheet }) => points(sheet.scores[index]))),
    row('Total', ({ totals }) => html`<strong>${points(totals)}</strong>`),
    row('Winner by points', ({ sheet }) => winnerWords(sheet.winner)),
    row('Declared by the judge', ({ sheet }) => winnerWords(sheet.declared)),
  ];
  const reasons = sheets.map(({ sheet }) => {
    const { opinion } = sheet;
    const claims =
      opinion !== null && sides.map((side) => html`<p><b>Claim of ${sideNames[side]}:</b> ${name(opinion.claims[side])}</p>`);
    return html`<details><summary>Why: ${speaker(sheet.role)}, ${sideNames[sheet.first]} first</summary><div class="sealed">${claims}${prose(opinion?.justification ?? null)}</div></details>`;
  });
  const agree =
    agreement.judges > 0 && html`<p>Both orders have the same winner for ${agreement.same} of ${agreement.judges} judges.</p>`;
  return html`<section id="panel"><h2>Panel</h2><div class="scroll"><table><caption>Points of agent A and of agent B, from 1 to 10 on every subtopic; equal totals are a tie.</caption><thead><tr><th scope="col">Subtopic</th>${heads}</tr></thead><tbody>${rows}</tbody></table></div>${agree}${reasons}</section>`;
}

/** The debate beside a plain answer; null where none was asked for. */
export function comparison({ entries }: ReportData): Markup | null {
  const { answer, comparisons, subtopics: list } = debateOf(entries);
  if (answer === null) return null;
  const tables = comparisons.map(({ role, scores, better, justification }) => {
    const rows = list.map(({ title }, index) => {
      const found = scores[index];
      const numbers = [found?.debate.depth, found?.debate.quality, found?.answer.depth, found?.answer.quality];
      return html`<tr><th scope="row">${name(title)}</th>${numbers.map((number) => html`<td class="number">${number ?? ''}</td>`)}</tr>`;
    });
    return html`<div class="scroll"><table><caption>${speaker(role)}: ${betterWords[better]}. Depth and quality from 1 to 10.</caption><thead><tr><th scope="col">Subtopic</th><th scope="col" class="number">Debate: depth</th><th scope="col" class="number">quality</th><th scope="col" class="number">Answer: depth</th><th scope="col" class="number">quality</th></tr></thead><tbody>${rows}</tbody></table></div>${prose(justification)}`;
  });
  return html`<section id="comparison"><h2>Debate and plain answer</h2>${tables}<details><summary>The plain answer, by the model of agent A without any debate</summary><div class="sealed">${prose(answer.answer)}</div></details></section>`;
}
