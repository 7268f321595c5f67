// The decisions that were wrong and sure of themselves, and those against their own percentage, as the first pages of the report over an experiment list them.
import { certaintyText } from '../../../../../core/figures/certainty.ts';
import { capitalized } from '../../../../../core/text/visible.ts';
import { isAgainstOwn, sureFrom } from '../../../../../core/trajectory/queues.ts';
import { labelNoun } from '../../../../../shared/decidedBy.ts';
import { replicateText, type TrialLine } from '../../../../../shared/trialLine.ts';
import { html, isolated, type Markup, name } from '../markup.ts';
import { count, labels, listed, percent } from '../words.ts';
import type { ExperimentData } from './data.ts';
import { byName, listedIn, rowId } from './parts.ts';

/** Trials that two pages hold: who reads the report on paper has no other list by sureness. */
const mostSure = 40;

interface Listing {
  readonly id: string;
  readonly title: string;
  /** What the trials are, after their number. */
  readonly about: Markup;
  /** The number that they are in the order of, the largest first, 0-1. */
  readonly by: (line: TrialLine) => number;
  readonly heading: string;
  readonly cell: (line: TrialLine) => string;
}

function listing({ definition, lines }: ExperimentData, some: readonly TrialLine[], list: Listing): Markup | null {
  if (some.length === 0) return null;
  const sorted = some.toSorted((one, other) => list.by(other) - list.by(one) || byName.compare(one.case, other.case));
  const by = definition.dataset.label?.decidedBy;
  const isGrouped = sorted.some(({ groups }) => Object.keys(groups).length > 0);
  const places = new Map(listedIn(lines).map(({ trial }, place) => [trial, place]));
  const row = (line: TrialLine) => {
    const { trial, arm, case: id, prediction, truth, groups } = line;
    const numbered = replicateText(line, definition.replicates);
    const [code, place] = [html`<code>${trial}</code>`, places.get(trial)];
    return html`<tr><th scope="row">${name(id)}${numbered !== null && ` (${numbered})`}</th>${isGrouped && html`<td>${listed(Object.values(groups))}</td>`}<td>${name(arm)}</td><td>${labels(prediction)}</td><td>${labels(truth)}</td><td class="number">${list.cell(line)}</td><td>${place === undefined ? code : html`<a href="#${rowId(place)}">${code}</a>`}</td></tr>`;
  };
  const rest = some.length > mostSure && ` These are the first ${mostSure}; “Trials” has all.`;
  return html`<section id="${list.id}"><h2>${isolated(list.title)}</h2><div class="scroll"><table class="figures"><caption>${count(some.length)} of ${count(lines.length)} trials, ${list.about}${rest}</caption>
<thead><tr><th scope="col">Case</th>${isGrouped && html`<th scope="col">Groups</th>`}<th scope="col">Arm</th><th scope="col">Verdict</th><th scope="col">${name(capitalized(labelNoun({ decided_by: by })))}</th><th scope="col" class="number">${list.heading}</th><th scope="col">Trial</th></tr></thead><tbody>${sorted.slice(0, mostSure).map(row)}</tbody></table></div></section>`;
}

const likeliest = ({ belief }: TrialLine) => Math.max(...Object.values(belief ?? {}));

/** Wrong verdicts that were sure of themselves, the surest first, and those against a high percentage of the method, which count as unsure; nothing where there are none. */
export function wrongAndSure(data: ExperimentData): { readonly title: string; readonly block: Markup } | null {
  const by = data.definition.dataset.label?.decidedBy;
  const decided = data.lines.filter(({ outcome }) => outcome === 'decided');
  const differs = by === undefined ? 'is wrong' : isolated(`differs from the decision of ${by}`);
  const title = by === undefined ? 'Wrong and sure' : `Differs from ${by}, and sure`;
  const sure = listing(
    data,
    decided.filter(({ correct, confidence }) => correct === false && (confidence ?? 0) >= sureFrom),
    {
      ...{ id: 'sure', title, heading: 'How sure', cell: certaintyText, by: ({ confidence }) => confidence ?? 0 },
      about: html`the surest first: the verdict ${differs}, and the arm was at least ${percent(sureFrom)} sure of it.`,
    },
  );
  const own = decided.filter((line) => line.belief !== null && isAgainstOwn(line));
  const high = own.filter((line) => likeliest(line) >= sureFrom).length;
  const heading = 'Against its own percentage';
  const against = listing(data, own, {
    ...{ id: sure === null ? 'sure' : 'against', title: heading, heading: 'Percentage of another label', by: likeliest },
    cell: (line) => percent(likeliest(line)),
    about: html`the highest percentage first: the verdict is not the label with the highest percentage in the same answer.`,
  });
  if (sure === null) return against === null ? null : { title: heading, block: against };
  const elsewhere =
    high > 0 &&
    html`<p>${count(high)} ${high === 1 ? 'decision' : 'decisions'} went against a percentage of ${percent(sureFrom)} or more of the same answer and ${high === 1 ? 'counts' : 'count'} as unsure: see <a href="#against">${heading}</a>.</p>`;
  return { title, block: html`${sure}${elsewhere}${against !== null && against}` };
}
