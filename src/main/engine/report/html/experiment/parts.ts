// The parts of the report over an experiment behind its first page, and the wrong decisions that this one lists.
import { columnsRead } from '../../../../../core/cases/columnsRead.ts';
import { howDrawn } from '../../../../../core/cases/sample.ts';
import { sampleSentence, splitText } from '../../../../../core/cases/shares.ts';
import { certaintyText } from '../../../../../core/figures/certainty.ts';
import type { StatisticsTable } from '../../../../../core/telling/cells.ts';
import { reviewPieces } from '../../../../../core/telling/reviewTables.ts';
import { type StatisticsPart, statisticsParts } from '../../../../../core/telling/statisticsTables.ts';
import { setupCaption, whoAnswered } from '../../../../../core/telling/whoAnswered.ts';
import { capitalized } from '../../../../../core/text/visible.ts';
import { isAgainstOwn, sureFrom } from '../../../../../core/trajectory/queues.ts';
import { accuracyNote, labelNoun, rightness } from '../../../../../shared/decidedBy.ts';
import { inventedAnswers } from '../../../../../shared/demoModel.ts';
import { splitNames } from '../../../../../shared/domain.ts';
import type { DatasetDefinition } from '../../../../../shared/experiment.ts';
import { isImported } from '../../../../../shared/imported.ts';
import { replicateText, type TrialLine } from '../../../../../shared/trialLine.ts';
import { armRows, copiedRows, coveredRow, howToCheck, keyRows, limitsText, rootRow, signerRows } from '../account.ts';
import { type Content, html, isolated, type Markup, name } from '../markup.ts';
import { setupCells, setupHead } from '../opening.ts';
import { piecesOf } from '../pieces.ts';
import { count, labels, listed, moment, percent, speaker } from '../words.ts';
import { type ExperimentData, isStored } from './data.ts';

/** Trials that are listed; an export of trials has all. */
const mostTrials = 2000;
const mostUndrawn = 200;
/** Rows of facts up to which they are shown at once. */
const mostOpen = 40;
export const byName = new Intl.Collator('en', { numeric: true });

/** What was tried, and since when that was settled: predictions that were imported came about before. */
function subjectOf(arms: ExperimentData['arms']): { what: string; settled: string } {
  const imported = arms.filter(({ arm }) => isImported(arm)).length;
  const settled = 'was fixed before its first case was tried.';
  if (imported === 0)
    return arms.length === 1
      ? { what: 'the cases were put to one method, called an arm', settled: `The arm ${settled}` }
      : { what: 'the same cases were put to several methods, called arms', settled: `Each arm ${settled}` };
  if (imported === arms.length)
    return {
      what: `predictions for the cases were imported, ${imported === 1 ? 'of one system, called an arm' : `of ${imported} systems, called arms`}; no model was asked`,
      settled: 'The predictions were made elsewhere; the record shows what was read from the files.',
    };
  return {
    what: `the same cases were put to methods, and predictions for them were imported (${imported} of ${arms.length} arms)`,
    settled: `Each arm that Assize tried ${settled} Imported predictions were made elsewhere.`,
  };
}

/** The ids of the cases that were not drawn, by their share where there are several. */
function undrawnIds({ cases }: ExperimentData['undrawn'], { from, ids }: DatasetDefinition['sample']): Content {
  const shares = splitNames.flatMap((split) => {
    const of = cases.filter((each) => each.split === split);
    return of.length === 0 ? [] : [{ split, of }];
  });
  return shares.map(({ split, of }) => {
    const isOther = ids === undefined && from !== 'all' && split !== from;
    const share = `${count(of.length)} ${splitText[split]} ${of.length === 1 ? 'case' : 'cases'}${isOther ? ' (not in the draw)' : ''}: `;
    const shown = of.slice(0, mostUndrawn).map(({ id }) => id);
    return html`${(shares.length > 1 || isOther) && share}${isolated(shown.join(', '))}${of.length > mostUndrawn && ` and ${count(of.length - mostUndrawn)} more`}. `;
  });
}

const comparedWith = (table: StatisticsTable, isErased: boolean) =>
  html`<details${table.rows.length <= mostOpen && html` open=""`}><summary>The cases that were drawn and the others, fact by fact</summary><p>${isErased && 'Erased cases are not counted. '}No difference was tested.</p>${piecesOf([table])}</details>`;

export function about({
  statistics,
  definition,
  dataName,
  arms,
  cases,
  erased,
  undrawn,
  frozenAt,
  extendedAt,
  added,
  program,
  freeze,
}: ExperimentData): Markup {
  const { what, settled } = subjectOf(arms);
  const { dataset, seed, replicates } = definition;
  const { groups } = dataset;
  const read = columnsRead(dataset);
  return html`<section id="about"><h2>What this is</h2>
<p>The report over one experiment: ${what}. Everything in it was read from the record, a file in which each event carries the hash of the one before. ${settled} Fixed ${moment(frozenAt)}${extendedAt !== null && `, extended last ${moment(extendedAt)}`}${added.length > 0 && html` (arms added since: ${listed(added)})`}, by the clock of the machine, with Assize ${program}. This page needs no network and contains no program.</p>
${keyRows([
  ['Experiment', name(statistics.experiment)],
  [
    'Data file',
    dataName !== null && isStored(dataset.path)
      ? html`${name(dataName)}, as the list of data sets calls it now (${name(dataset.path)})`
      : name(dataset.path),
  ],
  [
    'Cases on trial',
    undrawn.count === 0
      ? count(cases)
      : `${count(cases)} of ${count(cases + undrawn.count)} cases were drawn, ${howDrawn(dataset, seed, undrawn.isWhole)}`,
  ],
  ...(undrawn.cases.length === 0
    ? []
    : [['Cases that were not drawn', html`${undrawnIds(undrawn, dataset.sample)}The record has no trial of them.`] as const]),
  ...(undrawn.count === 0 || dataset.sample.ids !== undefined || definition.arms.length === 0
    ? []
    : [
        [
          'To draw again',
          html`<code>npx --no assize run experiment.json --store NEW.db --max-trials 0</code>, with experiment.json from the bundle (it has the seed) and the same data file next to it, tries nothing; a report over NEW.db says here what was drawn. The rule is in docs/experiment-file.md, “Splits and sample”.`,
        ] as const,
      ]),
  ['Possible answers', statistics.labels.length === 0 ? 'none: the questions are open' : listed(statistics.labels)],
  ['The answer in question', statistics.positive === null ? 'none' : name(statistics.positive)],
  ['Group columns', groups.length === 0 ? 'none' : listed(groups)],
  definition.arms.length === 0
    ? ['Other columns of the file', 'not read: only predictions, labels and groups were imported']
    : [read.term, html`${listed(read.columns)}${read.rest}`],
  ['Shares and sample', isolated(sampleSentence(dataset))],
  ['Seed, replicates of each case', `${seed}, ${replicates}`],
  ...(definition.arms.length === 0 ? [] : [['Limits of a call', limitsText(definition.runtime)] as const]),
  ['Event that fixed data, prompts and parameters', html`<code>${freeze}</code>`],
])}${undrawn.table !== null && comparedWith(undrawn.table, erased !== null)}</section>`;
}

function statisticsSection({ id, title, pieces }: StatisticsPart, rule: string): Markup {
  return html`<section id="${id}"><h2>${title}</h2>${piecesOf(pieces)}${id === 'finding' && !pieces.includes(rule) && html`<p class="quiet">${isolated(rule)}</p>`}</section>`;
}

export function statisticsSections({
  statistics,
  reviews,
}: ExperimentData): readonly { id: string; title: string; section: Markup }[] {
  const people = { id: 'reviews', title: 'What people judged', pieces: reviews === null ? [] : reviewPieces(reviews) };
  const filled = [...statisticsParts(statistics), people].filter(({ pieces }) => pieces.some((piece) => piece !== ''));
  return filled.map((part) => ({
    ...part,
    section: statisticsSection(part, statistics.finding.rule),
  }));
}

export function methods({ arms, statistics }: ExperimentData): Markup {
  const invented = new Set(statistics.arms.flatMap(({ arm, standin }) => (standin ? [arm] : [])));
  return html`<section id="methods"><h2>Methods</h2>${arms.map((each) => html`<h3>${name(each.arm.name)}</h3>${each.recorded !== each.arm.name && html`<p class="quiet">In the record and its exports: ${name(each.recorded)}</p>`}${armRows(each, invented.has(each.arm.name))}`)}</section>`;
}

/** Where the experiment names another address of a server than the one that was asked. */
function otherAddresses({ players, definition }: ExperimentData): Content {
  const differing = players.flatMap(({ setup }) => {
    const named = setup === null ? undefined : definition.backends[setup.backend]?.url;
    if (named === undefined || setup?.url == null || new URL(named).origin === new URL(setup.url).origin) return [];
    return [`The experiment names ${named} for the backend ${setup.backend}; the run was sent to ${setup.url}.`];
  });
  return [...new Set(differing)].map((text) => html`<p>${isolated(text)}</p>`);
}

export function cast(data: ExperimentData): Markup {
  const { players } = data;
  if (players.length === 0) return html`<section id="cast"><h2>Who answered</h2><p>No model was asked.</p></section>`;
  const row = ({ arm, roles, setup, calls }: ExperimentData['players'][number]) =>
    html`<tr><th scope="row">${arm === null ? 'made once for several' : name(arm)}</th><td>${listed(roles.map(speaker))}</td>${setupCells(setup)}<td class="number">${count(calls)}</td></tr>`;
  const { text, differs } = whoAnswered(players, moment);
  return html`<section id="cast"><h2>Who answered</h2><p>${differs ? html`<strong class="bad">${isolated(text)}</strong>` : text}</p><div class="scroll"><table class="figures"><caption>${setupCaption}</caption>
<thead><tr><th scope="col">Arm</th><th scope="col">Roles</th>${setupHead}</tr></thead><tbody>${players.map(row)}</tbody></table></div>${otherAddresses(data)}</section>`;
}

export function checking({ root, adopted, checkpoint, signed, freeze, lines }: ExperimentData): Markup {
  const ended = lines.filter(({ status }) => status === 'done').length;
  return howToCheck(
    html`<code>npx --no assize verify STORE --head ${freeze}</code> recomputes every hash and tells whether this experiment is in the record as it was fixed. <code>npx --no assize replay STORE</code> derives every verdict again from the recorded answers. <code>npx --no assize stats EXPERIMENT --store STORE</code> computes differences, intervals and p-values again.`,
    keyRows([
      rootRow(root, checkpoint),
      ...copiedRows(adopted),
      ...signerRows(checkpoint, adopted),
      ...(checkpoint.checkpoint === null ? [] : [coveredRow(signed, ended)]),
    ]),
    'report.html',
    'the root, the first number below; of a bundle its bundle root, which verify.html shows',
  );
}

export function limits({ statistics, definition, arms }: ExperimentData): Markup {
  const by = definition.dataset.label?.decidedBy;
  const invented = inventedAnswers(statistics);
  const [asked, imported] = [arms.some(({ arm }) => !isImported(arm)), arms.some(({ arm }) => isImported(arm))];
  return html`<section id="limits"><h2>What this does not show</h2><ul>
<li>How the methods do on other cases than those of this data set${asked && ', with other models, or with other words in their prompts'}.</li>
${statistics.contamination !== undefined && html`<li>How the methods do on cases that no model has read. ${isolated(statistics.contamination.text)}</li>`}
<li>That one method is worse where no difference was shown: so many cases may be too few to see it.</li>
<li>That the data set is right. ${by === undefined ? 'Its labels count as the truth here, with their errors and with what they measure badly.' : isolated(accuracyNote(by))}</li>
<li>That an arm treats groups fairly. Equal shares of right answers can go together with unequal harm, and groups that the data do not name were not looked at.</li>
${imported && html`<li>How imported predictions came about, and what was known when they were made. The record shows what was read from a file; the person who imported the file vouches that it holds what the system said.</li>`}
${asked && html`<li>Why a model answered as it did. Plans, notes and opinions are text that a model wrote.</li>`}
${invented !== null && html`<li>Anything about a language model, from ${isolated(invented)}: the demo model made them up.</li>`}
<li>A ${asked ? 'verdict of language models' : 'prediction'} is no ground for a decision about a person.</li></ul></section>`;
}

const listedIn = (lines: readonly TrialLine[]) =>
  lines.toSorted((one, other) => byName.compare(one.case, other.case)).slice(0, mostTrials);

const rowId = (place: number) => `trial-${place + 1}`;

export function trials({ definition, lines, faultOf }: ExperimentData): Markup {
  const by = definition.dataset.label?.decidedBy;
  const shown = listedIn(lines);
  const rest = lines.length > shown.length && ` These are the first ${count(shown.length)}; an export of trials has all.`;
  const verdict = ({ outcome, prediction }: TrialLine): Content =>
    outcome === 'decided' ? labels(prediction) : outcome === null ? 'not ended' : outcome.replaceAll('_', ' ');
  const judged = ({ correct }: TrialLine): Content => {
    if (correct === null) return '–';
    const words = `${correct ? '✓' : '✗'} ${rightness({ correct, decided_by: by })}`;
    return correct || by !== undefined ? isolated(words) : html`<b class="bad">${words}</b>`;
  };
  const row = (line: TrialLine, place: number) => {
    const { trial, arm, case: id, truth, confidence } = line;
    const numbered = replicateText(line, definition.replicates);
    const fault = faultOf?.(trial) ?? null;
    return html`<tr id="${rowId(place)}"><th scope="row">${name(id)}${numbered !== null && ` (${numbered})`}</th><td>${name(arm)}</td><td>${verdict(line)}${confidence !== null && html` <span class="quiet">${percent(confidence)}</span>`}</td><td>${truth === null ? 'not known' : labels(truth)}</td><td>${judged(line)}</td><td><code>${trial}</code>${fault !== null && html`<br><b class="bad">DAMAGED: ${fault}</b>`}</td></tr>`;
  };
  return html`<section id="trials"><h2>Trials</h2><div class="scroll"><table class="figures"><caption>${count(lines.length)} trials have begun, here by case.${rest} The percentage next to a verdict is the confidence that goes with it.</caption>
<thead><tr><th scope="col">Case</th><th scope="col">Arm</th><th scope="col">Verdict</th><th scope="col">${name(capitalized(labelNoun({ decided_by: by })))}</th><th scope="col">Verdict and ${isolated(labelNoun({ decided_by: by }))}</th><th scope="col">Trial</th></tr></thead><tbody>${shown.map(row)}</tbody></table></div></section>`;
}

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
