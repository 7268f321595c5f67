// How certain a decision was, as the first page of a report has it.

import { type BeliefChange, leadingLabel, leadingLabels, tiedLabels } from '../../../../core/figures/beliefChanges.ts';
import { benchOf, votesOf } from '../../../../core/figures/bench.ts';
import { computedOpinion } from '../../../../core/figures/debateRounds.ts';
import { timelineRole } from '../../../../core/figures/timeline.ts';
import { isSamePrediction, rulingOf } from '../../../../core/telling/mainReasons.ts';
import { greatestChanges, stretchOf } from '../../../../core/telling/movers.ts';
import { type ToldRow, toldRows } from '../../../../core/telling/rows.ts';
import { demoTieText } from '../../../../shared/demoModel.ts';
import type { Belief } from '../../../../shared/domain.ts';
import { isImported } from '../../../../shared/imported.ts';
import type { ReportData } from './data.ts';
import { type Content, html, type Markup, name, prose } from './markup.ts';
import { plainRole, shortened } from './reasons.ts';
import { count, eachAnswer, labels, listed, percent, quantity, speaker } from './words.ts';

const mostChanges = 3;
/** A smaller share is no change to a reader. */
const leastSeen = 0.005;
/** Characters of the reason of somebody who was for another answer. */
const mostDissent = 260;

interface Part {
  readonly title: string;
  readonly body: Content;
}

function changeRow(step: BeliefChange, rows: readonly ToldRow[], { claims }: ReportData): Markup {
  const { label, before, now } = step;
  const claim = claims[rows.find(({ beliefs }) => beliefs.some(({ seq }) => seq === step.seq))?.role ?? ''] ?? null;
  const way = now < (before ?? 0) ? 'fell' : 'rose';
  return html`<li>${name(stretchOf(step, rows))}${claim !== null && html` (for ${name(claim)})`}: ${name(label)} ${way} from ${percent(before ?? 0)} to ${percent(now)}.</li>`;
}

/** Whether another answer than the decision was ahead at some time, or level with it, which, and how often. */
function otherLead(steps: readonly BeliefChange[], { line: { prediction } }: ReportData, what: 'answer' | 'value'): Content {
  if (typeof prediction !== 'string') return null;
  const ahead = steps.flatMap(({ belief }) => {
    const label = leadingLabel(belief) ?? prediction;
    return (belief[label] ?? 0) - (belief[prediction] ?? 0) > leastSeen ? [label] : [];
  });
  const [first, ...others] = Map.groupBy(ahead, (label) => label);
  const tied = steps.filter(({ belief }) => tiedLabels(belief, prediction) !== null).length;
  const of = `of its ${quantity(steps.length, what)}`;
  const ties = tied > 0 && ` Ties: ${count(tied)} ${of}.`;
  if (first === undefined) return ties;
  const more = others.map(([label, times]) => html`, in ${count(times.length)} ${name(label)}`);
  return html` In ${count(first[1].length)} ${of}, ${name(first[0])} was likelier${more}.${ties}`;
}

/** That other answers were as likely as the decision at the end, and why it is the decision; nothing of others. */
function tieText(belief: Belief | null, { line }: ReportData, which: string): Content {
  const { prediction } = line;
  const others = belief === null ? [] : (tiedLabels(belief, prediction) ?? []).filter((label) => label !== prediction);
  return (
    others.length > 0 && html` Equally likely: ${listed(others)}. ${demoTieText(line) ?? `The answer ${which} is the decision.`}`
  );
}

function finalBelief(steps: readonly BeliefChange[], data: ReportData, judge: string | null): Content {
  const { prediction } = data.line;
  const belief: Belief = steps.at(-1)?.belief ?? {};
  const final = typeof prediction === 'string' ? belief[prediction] : undefined;
  if (final === undefined) return null;
  const which = judge === null ? 'that was ahead before' : `that ${judge} named`;
  return html`<p>In the end ${judge === null ? 'the computed opinion' : 'it'} gave ${labels(prediction)} ${percent(final)}.${tieText(belief, data, which)}</p>`;
}

/** One mind whose belief is followed from step to step. */
function course(data: ReportData, role: string, steps: readonly BeliefChange[]): Part {
  const followed = steps.at(-1)?.label ?? '';
  const computed = computedOpinion(data.entries, followed);
  const title = computed === null ? `Where ${plainRole(role)} wavered` : 'Where the computed opinion changed';
  const final = finalBelief(steps, data, computed === null ? plainRole(role) : null);
  const own = computed !== null && html`<p>${computed.how} The judge’s own answers gave ${name(followed)}: ${computed.own}.</p>`;
  const moved = greatestChanges(steps, role).filter(({ change }) => Math.abs(change ?? 0) >= leastSeen);
  if (moved.length === 0)
    return {
      title,
      body: html`<p>Nowhere: its numbers for how likely ${eachAnswer(data)} is stayed the same from start to end.</p>${own}${final}`,
    };
  const rows = toldRows(data.entries);
  const body = html`${own}<p>${computed === null ? 'It' : 'The opinion'} gave ${eachAnswer(data)} a number for how likely it is. The numbers changed most here.${otherLead(steps, data, computed === null ? 'answer' : 'value')}</p><ul>${moved.slice(0, mostChanges).map((step) => changeRow(step, rows, data))}</ul>${final}`;
  return { title, body };
}

/** Several votes, of a bench, of those who debated or of readings of their debate. */
function votes(data: ReportData, { asked, counts, decidedBy }: NonNullable<ReturnType<typeof votesOf>>): Part {
  const { entries } = data;
  const isScored = decidedBy !== 'agreement' && entries.some(({ kind }) => kind === 'panel');
  const [first, ...rest] = Object.entries(counts)
    .filter(([, votes]) => votes > 0)
    .toSorted(([, one], [, other]) => other - one);
  const [most, number] = first ?? ['', 0];
  const without = asked - number - rest.reduce((sum, [, votes]) => sum + votes, 0);
  const what = isScored ? 'scores' : 'answers';
  const others = rest.map(([label, votes]) => html`, ${count(votes)} for ${name(label)}`);
  const none = without > 0 && `, ${count(without)} for ${isScored ? 'neither side' : 'none, because it could not be read'}`;
  const tally =
    number === asked
      ? html`Nowhere: all ${count(asked)} ${what} were for ${name(most)}.`
      : html`Of ${count(asked)} ${what} ${count(number)} ${number === 1 ? 'was' : 'were'} for ${name(most)}${others}${none}.`;
  const how = isScored ? 'The debate was scored more than once, with either side read first. ' : '';
  const dissenter = benchOf(entries).find(
    ({ vote, reason }) =>
      vote !== null && reason !== null && reason !== '' && !isSamePrediction(vote.prediction, rulingOf(data)?.prediction ?? null),
  );
  const dissent =
    dissenter?.vote != null &&
    html`<p class="quiet">${name(speaker(dissenter.role))}, for ${labels(dissenter.vote.prediction)}, wrote:</p>${prose(shortened(dissenter.reason ?? '', mostDissent).text)}`;
  return { title: 'Where the answers differed', body: html`<p>${how}${tally}</p>${dissent}` };
}

function sides({ beliefs, entries }: ReportData): Part {
  const spoke = (role: string) => entries.some((entry) => entry.kind === 'utterance' && entry.role === role);
  const rows = [...Map.groupBy(beliefs, ({ role }) => role)].flatMap(([role, steps]) => {
    const [first, last] = [steps[0], steps.at(-1)];
    if (first === undefined || last === undefined || !spoke(role)) return [];
    const held = ({ belief }: BeliefChange) => {
      const [label = '', ...equal] = leadingLabels(belief);
      return html`${name(label)}${equal.map((other) => html` and ${name(other)}`)} with ${percent(belief[label] ?? 0)}${equal.length > 0 && ' each'}`;
    };
    return [html`<li>${name(speaker(role))}: at first ${held(first)}, in the end ${held(last)}.</li>`];
  });
  return {
    title: 'Where the two sides stood',
    body: html`<p>How likely each held the answer that it found likeliest:</p><ul>${rows}</ul>`,
  };
}

function oneStep(data: ReportData): Part {
  const { line, entries } = data;
  const { confidence, belief, prediction } = line;
  const title = 'How certain it was';
  const by = isImported(line) ? 'The file says that the system' : 'The model';
  if (Array.isArray(prediction) && belief !== null) {
    const near = Object.entries(belief).toSorted(([, a], [, b]) => Math.abs(a - 0.5) - Math.abs(b - 0.5))[0];
    return {
      title,
      body:
        near === undefined
          ? null
          : html`<p>Each possible answer was judged by itself. The closest call was ${name(near[0])}: the model held it to apply with ${percent(near[1])}.</p>`,
    };
  }
  const words =
    confidence === null
      ? 'How sure it was is not recorded.'
      : html`${by} was ${percent(confidence)} sure of ${labels(prediction)}.${tieText(belief, data, 'that it named')}`;
  const step = isImported(line)
    ? null
    : `It was decided in one step${entries.some(({ kind }) => kind === 'utterance') ? ' at the end' : ''}, so no change of mind is recorded. `;
  return { title, body: html`<p>${step}${words}</p>` };
}

/** Null where nothing was decided. */
export function certainty(data: ReportData): Part | null {
  const { line, beliefs, entries } = data;
  if (line.outcome !== 'decided') return null;
  const cast = votesOf(entries);
  if (cast !== null && cast.asked > 1) return votes(data, cast);
  const role = timelineRole(beliefs);
  const steps = beliefs.filter((step) => step.role === role);
  if (entries.some(({ kind }) => kind === 'exchange')) return sides(data);
  return role !== null && steps.some(({ change }) => change !== null) ? course(data, role, steps) : oneStep(data);
}
