// The decisions that were wrong and sure of themselves, as the first pages of the report over an experiment list them.
import { certaintyText } from '../../../../../core/figures/certainty.ts';
import { capitalized } from '../../../../../core/text/visible.ts';
import { sureFrom } from '../../../../../core/trajectory/queues.ts';
import { labelNoun } from '../../../../../shared/decidedBy.ts';
import { replicateText, type TrialLine } from '../../../../../shared/trialLine.ts';
import { html, isolated, type Markup, name } from '../markup.ts';
import { count, labels, percent } from '../words.ts';
import type { ExperimentData } from './data.ts';
import { byName, listedIn, rowId } from './parts.ts';

/** Trials that two pages hold: who reads the report on paper has no other list by sureness. */
const mostSure = 40;

/** Wrong verdicts that were sure of themselves, the surest first; nothing where there are none. */
export function wrongAndSure(data: ExperimentData): { readonly title: string; readonly block: Markup } | null {
  const { definition, lines } = data;
  const by = definition.dataset.label?.decidedBy;
  const some = lines
    .filter(({ outcome, correct, confidence }) => outcome === 'decided' && correct === false && (confidence ?? 0) >= sureFrom)
    .toSorted((one, other) => (other.confidence ?? 0) - (one.confidence ?? 0) || byName.compare(one.case, other.case));
  if (some.length === 0) return null;
  const title = by === undefined ? 'Wrong and sure' : `Differs from ${by}, and sure`;
  const places = new Map(listedIn(lines).map(({ trial }, place) => [trial, place]));
  const row = (line: TrialLine) => {
    const { trial, arm, case: id, prediction, truth } = line;
    const numbered = replicateText(line, definition.replicates);
    const [code, place] = [html`<code>${trial}</code>`, places.get(trial)];
    return html`<tr><th scope="row">${name(id)}${numbered !== null && ` (${numbered})`}</th><td>${name(arm)}</td><td>${labels(prediction)}</td><td>${labels(truth)}</td><td class="number">${certaintyText(line)}</td><td>${place === undefined ? code : html`<a href="#${rowId(place)}">${code}</a>`}</td></tr>`;
  };
  const rest = some.length > mostSure && ` These are the first ${mostSure}; “Trials” has all.`;
  const block = html`<h3 id="sure">${isolated(title)}</h3><div class="scroll"><table class="figures"><caption>${count(some.length)} of ${count(lines.length)} trials, the surest first: the verdict ${by === undefined ? 'is wrong' : isolated(`differs from the decision of ${by}`)}, and the arm was at least ${percent(sureFrom)} sure of it.${rest}</caption>
<thead><tr><th scope="col">Case</th><th scope="col">Arm</th><th scope="col">Verdict</th><th scope="col">${name(capitalized(labelNoun({ decided_by: by })))}</th><th scope="col" class="number">How sure</th><th scope="col">Trial</th></tr></thead><tbody>${some.slice(0, mostSure).map(row)}</tbody></table></div>`;
  return { title, block };
}
