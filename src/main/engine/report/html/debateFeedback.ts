import { z } from 'zod';
import {
  changeWords,
  courseLabel,
  courseOf,
  type Debate,
  type DebateRound,
  type Debater,
  type DebateTurn,
  debateOf,
  positionWords,
  rounded,
  settlementWords,
} from '../../../../core/figures/debateRounds.ts';
import { answerChange } from '../../../../core/statistics/answerChanges.ts';
import type { ReportData } from './data.ts';
import { type Content, html, Markup, name, prose } from './markup.ts';
import { labels, percent } from './words.ts';

const paramsSchema = z.object({ debaters: z.int().optional() });

const failed = (kind: string) => kind.replaceAll('_', ' ');

function debate({ entries, terms, line }: ReportData): Debate | null {
  if (line.protocol !== 'debate-feedback') return null;
  return debateOf(entries, paramsSchema.parse(terms.params).debaters ?? 0);
}

/** O_0 and what the debaters have to hold; null where the protocol has no debate. */
export function firstOpinion(data: ReportData): Markup | null {
  const found = debate(data);
  if (found?.initial == null) return null;
  const { initial, positions } = found;
  const rows = Object.entries(positions?.positions ?? {}).map(
    ([role, position]) =>
      html`<tr><th scope="row">${role.replace('debater', 'Debater ')}</th><td><strong>${labels(position)}</strong></td></tr>`,
  );
  const sides =
    positions !== null &&
    html`<p>${positionWords(positions, data.line.swap === 'sides')}</p><table><caption>Opposing positions; further debaters are free</caption><thead><tr><th scope="col">Debater</th><th scope="col">Defends</th></tr></thead><tbody>${rows}</tbody></table>`;
  return html`<section id="first-opinion"><h2>First opinion</h2><p>From the facts alone the judge answers <strong>${labels(initial.prediction)}</strong>${initial.confidence !== null && html`, ${percent(initial.confidence)} sure`}.</p>${sides}<details><summary>What the judge thought, read by no other role</summary><div class="sealed">${prose(initial.notes)}</div></details></section>`;
}

function turn({ speech, forfeit }: DebateTurn, title: string): Content {
  if (forfeit !== null) {
    return html`<p class="quiet">${title}:</p><p class="bad">Turn forfeited (${failed(forfeit.failure)}). The others were told that nothing was said.</p>`;
  }
  if (speech === null) return html`<p class="quiet">${title}: not heard.</p>`;
  const cut =
    speech.shortened !== undefined &&
    html`<p><span class="cut">cut: ${speech.shortened.kept} of ${speech.shortened.words} words were heard</span></p>`;
  return html`<p class="quiet">${title}:</p>${prose(speech.text)}${cut}`;
}

/** A number from 0 to 1 as a bar; it is written beside it. */
function bar(value: number, threshold: number | null): Markup {
  const at = (share: number) => (share * 120).toFixed(2);
  const line = threshold === null ? '' : `<line class="axis" x1="${at(threshold)}" y1="0" x2="${at(threshold)}" y2="12"/>`;
  return new Markup(
    `<svg viewBox="0 0 120 12" width="120" height="12" aria-hidden="true"><line class="axis" x1="0" y1="6" x2="120" y2="6"/><rect class="amount" x="0" y="3" width="${at(value)}" height="6"/>${line}</svg>`,
  );
}

function reliability({ rating, unrated }: Debater): Content {
  if (unrated !== null) return html`<p class="bad">The answer was not rated (${failed(unrated.failure)}).</p>`;
  if (rating?.value == null) return null;
  const by = rating.version === null ? 'by a model' : `by version ${rating.version} of the trained assistant`;
  return html`<p>Reliability <strong>${rounded(rating.value)}</strong> ${bar(rating.value, null)} <span class="quiet">${by}</span></p>`;
}

const sides = ['prosecution', 'defense'] as const;

function debater(one: Debater): Markup {
  const { number, position, assigned, opinion, answer } = one;
  const side = assigned ? (sides[number - 1] ?? 'neutral') : 'neutral';
  const stance = position === null ? ', free to take a position' : html`, for ${labels(position)}${!assigned && ' (free)'}`;
  return html`<div class="${side}"><div class="turn"><header><b>Debater ${number}</b>${stance}</header>${turn(opinion, 'Opinion')}${turn(answer, 'Answer to the others')}${reliability(one)}</div></div>`;
}

function outcome({ settled, opinion, lost, number }: DebateRound): Content {
  const without = lost !== null && html`<p class="bad">The judge gave no answer in this round (${failed(lost.failure)}).</p>`;
  if (settled === null || opinion === null) return without;
  const { judge, mean, threshold } = settled;
  const own =
    judge === null
      ? 'none'
      : html`<strong>${labels(judge.prediction)}</strong>${judge.confidence !== null && html`, ${percent(judge.confidence)}`}`;
  const held = html`<strong>${labels(opinion.prediction)}</strong>${opinion.confidence !== null && html`, ${percent(opinion.confidence)}`}`;
  const measured =
    mean !== null &&
    html`<p>Mean reliability <strong>${rounded(mean)}</strong> ${bar(mean, threshold)} against ${rounded(threshold)}</p>`;
  return html`${measured}<p>Round ${number}: ${settlementWords(settled)}${settled.tie && '; tie, so that the label before stays'}.</p>${without}<p>Own answer of the judge: ${own}. Opinion after the round: ${held}.</p>`;
}

function round(one: DebateRound): Markup {
  const { speech, forfeit } = one.summary;
  const summary =
    forfeit !== null
      ? html`<p class="bad">No summary could be had (${failed(forfeit.failure)}).</p>`
      : speech !== null &&
        html`<details><summary>The summary that the judge read</summary><div class="sealed">${prose(speech.text)}</div></details>`;
  return html`<h3>Round ${one.number}</h3><div class="pair">${one.debaters.map(debater)}</div>${summary}${outcome(one)}`;
}

const shareOf = (value: number | null) => (value === null ? 'unknown' : percent(value));

function course(found: Debate, { kase, line }: ReportData): Content {
  const label = courseLabel(found, kase.labels, kase.positive);
  if (label === null) return null;
  const { truth, outcome: ended, prediction } = line;
  const initial = found.initial?.prediction ?? null;
  const change =
    truth === null || ended !== 'decided' || prediction === null || initial === null
      ? null
      : changeWords(answerChange({ truth, initial, verdict: prediction }));
  const rows = courseOf(found, label).map(
    (step) =>
      html`<tr><th scope="row">${step.round === 0 ? 'the facts' : `round ${step.round}`}</th><td class="number">${shareOf(step.judge)}</td><td class="number">${shareOf(step.opinion)}</td></tr>`,
  );
  return html`<table><caption>How likely ${name(label)} is: what the judge itself said, and its opinion as it was smoothed</caption><thead><tr><th scope="col">After</th><th scope="col" class="number">Own answer</th><th scope="col" class="number">Opinion</th></tr></thead><tbody>${rows}</tbody></table>${change !== null && html`<p><strong>${change}</strong></p>`}`;
}

/** The rounds with what each debater said, what it is worth, and what the judge made of it; null where there are none. */
export function rounds(data: ReportData): Markup | null {
  const found = debate(data);
  if (found === null || found.rounds.length === 0) return null;
  return html`<section id="rounds"><h2>Debate</h2><p class="quiet">In each round opinions come first, none knowing the others; then the answers to them.</p>${found.rounds.map(round)}${course(found, data)}</section>`;
}
