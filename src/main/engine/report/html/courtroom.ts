import { z } from 'zod';
import { benchOf, ruleOf, type Seat, votesOf } from '../../../../core/figures/bench.ts';
import { ambiguityWords, assignmentWords, disputeOf, type Pleading } from '../../../../core/figures/dispute.ts';
import { cosine, methodOf, precedentsOf, type ReasonedPrecedent, shortfallOf } from '../../../../core/figures/precedents.ts';
import type { Belief } from '../../../../shared/domain.ts';
import type { ReportData } from './data.ts';
import { type Content, html, type Markup, name, prose } from './markup.ts';
import { labels, percent, sideOf, speaker } from './words.ts';

const failed = (kind: string) => kind.replaceAll('_', ' ');

function distribution(belief: Belief | null, title: string): Content {
  if (belief === null) return null;
  const sorted = Object.entries(belief).toSorted(([, one], [, other]) => other - one);
  return html`<p>${title}: ${sorted.map(([label, share], index) => html`${index > 0 && ', '}${name(label)} ${percent(share)}`)}.</p>`;
}

/** The preliminary hearing; null where the protocol has none. */
export function hearing({ entries }: ReportData): Markup | null {
  const { hearing: found, assigned, pleadings: sides, ambiguity } = disputeOf(entries);
  if (found === null) return null;
  const rows =
    assigned !== null &&
    [assigned.prediction, assigned.alternative].map((label, index) => {
      const role = sides.find((side) => side.label === label)?.role ?? '';
      return html`<tr><th scope="row">A${index + 1}, ${index === 0 ? 'most likely' : 'alternative'}</th><td><strong>${name(label)}</strong></td><td>${speaker(role)}</td></tr>`;
    });
  const dispute =
    assigned !== null &&
    html`<table><caption>${assignmentWords(assigned)}</caption><thead><tr><th scope="col">In dispute</th><th scope="col">Label</th><th scope="col">Argued by</th></tr></thead><tbody>${rows}</tbody></table>`;
  const fresh =
    ambiguity !== null &&
    html`<p>${ambiguityWords(ambiguity)} Found: ${ambiguity.labels.map((label, index) => html`${index > 0 && ', '}${label === null ? 'failed' : name(label)}`)}.</p>`;
  return html`<section id="hearing"><h2>Preliminary hearing</h2><p>The clerk finds ${labels(found.prediction)} most likely${found.confidence !== null && html`, ${percent(found.confidence)} sure`}, from the facts alone.</p>${dispute}${fresh}<details><summary>What the clerk thought, read by no other role</summary><div class="sealed">${prose(found.notes)}${distribution(found.belief, 'Belief of the clerk')}</div></details></section>`;
}

function argument({ role, label, speech, forfeit }: Pleading, place: number): Markup {
  const body =
    speech !== null
      ? html`${prose(speech.text)}${speech.shortened !== undefined && html`<p><span class="cut">cut: ${speech.shortened.kept} of ${speech.shortened.words} words were heard</span></p>`}`
      : forfeit !== null
        ? html`<p>Turn forfeited (${failed(forfeit.failure)}). The judges were told that no argument was made.</p>`
        : html`<p>Not heard yet.</p>`;
  return html`<div class="${sideOf(role)}${forfeit !== null && ' forfeit'}"><div class="turn"><header><b>${speaker(role)}</b>, for ${name(label)}, read ${place === 0 ? 'first' : 'second'}</header>${body}</div></div>`;
}

/** Both arguments side by side; null where nobody argues for a label. */
export function pleadings({ entries }: ReportData): Markup | null {
  const { pleadings: both } = disputeOf(entries);
  if (both.length === 0) return null;
  return html`<section id="arguments"><h2>Arguments</h2><p class="quiet">Neither side knew what the other would say.</p><div class="pair">${both.map(argument)}</div></section>`;
}

function reasonOf({ reason }: ReasonedPrecedent): Content {
  if (reason === null) return null;
  const lost = reason.rejected ?? reason.failure;
  const by = reason.model !== null && html`, by ${name(reason.model)}`;
  return lost === null
    ? html`<p class="quiet">Why its label fits${by}:</p>${prose(reason.text)}`
    : html`<p class="bad">No reason could be had (${failed(lost)}): the judges read this precedent without one.</p>`;
}

function precedentRow(precedent: ReasonedPrecedent): Markup {
  const { number, label, similarity, facts } = precedent;
  const told =
    facts === null
      ? prose(null)
      : facts.map(({ name: fact, value }) => html`<p><span class="quiet">${name(fact)}:</span> ${name(value)}</p>`);
  return html`<tr><th scope="row">${number}. ${name(label)}</th><td class="number">${similarity === null ? 'random' : cosine(similarity)}</td><td>${told}${reasonOf(precedent)}</td></tr>`;
}

/** Labelled cases that were laid before the bench; null where none were looked for. */
export function precedents({ entries }: ReportData): Markup | null {
  const found = precedentsOf(entries);
  if (found === null) return null;
  const { retrieved, precedents: all } = found;
  const how = html`${methodOf(retrieved)}${retrieved.model !== null && html` (${name(retrieved.model)})`}.`;
  const body =
    retrieved.failure !== null
      ? html`<p class="bad">None could be had (${failed(retrieved.failure)}): the trial went on without them.</p>`
      : all.length === 0
        ? null
        : html`<table class="wide"><caption>${how}</caption><thead><tr><th scope="col">Label</th><th scope="col" class="number">Similarity</th><th scope="col">Case, and why its label fits</th></tr></thead><tbody>${all.map(precedentRow)}</tbody></table>`;
  const shortfall = shortfallOf(retrieved);
  const fewer = shortfall !== null && html`<p${retrieved.withoutVector !== undefined && html` class="bad"`}>${shortfall}</p>`;
  return html`<section id="precedents"><h2>Precedents</h2>${fewer}${body}</section>`;
}

const benchSchema = z.object({ judges: z.int().optional(), deliberation: z.string().optional() });

function seat(one: Seat, before: Seat | undefined, inTurn: boolean, advocates: ReadonlyMap<string, string>): Markup {
  const { role, vote, reason, outside, changed, forfeit } = one;
  if (vote === null) {
    return html`<li class="forfeit"><div class="turn"><header><b>${speaker(role)}</b></header><p>Turn forfeited (${failed(forfeit?.failure ?? '')}): the bench went on without this vote.</p></div></li>`;
  }
  const advocate = advocates.get(String(vote.prediction));
  const notes: readonly Content[] = [
    inTurn && changed === true && html`<p><span class="cut">changes from ${labels(before?.vote?.prediction ?? null)}</span></p>`,
    outside && html`<p><span class="cut">a label that nobody argued for</span></p>`,
    vote.inconsistent && html`<p><span class="cut">belief and label disagree</span></p>`,
  ];
  return html`<li class="${advocate === undefined ? 'neutral' : sideOf(advocate)}"><div class="turn"><header><b>${speaker(role)}</b></header><p><b class="label">${labels(vote.prediction)}</b> <span class="quiet">${vote.confidence === null ? 'no confidence stated' : html`${percent(vote.confidence)} sure`}${advocate !== undefined && html`, with the ${speaker(advocate).toLowerCase()}`}</span></p>${notes}${prose(reason)}</div></li>`;
}

function count({ entries }: ReportData): Content {
  const votes = votesOf(entries);
  if (votes === null) return null;
  const counted = Object.entries(votes.counts)
    .filter(([, number]) => number > 0)
    .toSorted(([, one], [, other]) => other - one);
  const lost = Object.entries(votes.failures);
  const tally = counted.map(([label, number], index) => html`${index > 0 && ', '}${number} for ${name(label)}`);
  return html`<p><strong>${tally}</strong> of ${votes.asked} asked${lost.length > 0 && html`; lost: ${lost.map(([kind, number]) => `${number} ${failed(kind)}`).join(', ')}`}.${votes.asked > 1 && html` ${ruleOf(votes)}`}</p>${votes.asked > 1 && distribution(votes.mean, 'Mean of the beliefs of all who answered')}`;
}

/** The judges or voters with what each finds; null where the protocol has no bench. */
export function bench(data: ReportData): Markup | null {
  const seats = benchOf(data.entries);
  if (seats.length === 0) return null;
  const { judges, deliberation } = benchSchema.parse(data.terms.params);
  const inTurn = deliberation === 'sequential' && judges !== 1;
  const advocates = new Map(disputeOf(data.entries).pleadings.map(({ label, role }) => [label, role]));
  const all = seats.map((one, index) =>
    seat(
      one,
      seats.slice(0, index).findLast(({ vote }) => vote !== null),
      inTurn,
      advocates,
    ),
  );
  const how = inTurn ? 'They spoke in turn, each knowing those before.' : 'None knew what the others found.';
  return html`<section id="bench"><h2>The bench</h2>${seats.length > 1 && html`<p class="quiet">${how}</p>`}<ul class="${inTurn ? 'chain' : 'seats'}">${all}</ul>${count(data)}</section>`;
}
