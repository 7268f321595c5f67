// The report of one trial, with its transcript and the belief next to it.
import { type BeliefChange, isDirected, isPair, leadingLabel, shownShares } from '../../../../core/figures/beliefChanges.ts';
import { benchOf } from '../../../../core/figures/bench.ts';
import { computedOpinion } from '../../../../core/figures/debateRounds.ts';
import { mentionsText } from '../../../../core/figures/mentions.ts';
import { type TimelineRow, timelineOf, timelineRole } from '../../../../core/figures/timeline.ts';
import { tellingOf } from '../../../../core/protocols/index.ts';
import type { Section } from '../../../../core/telling/blocks.ts';
import { changeText, moversOf, occasionOf } from '../../../../core/telling/movers.ts';
import { rulingBlocks, type ToldRow, toldRows } from '../../../../core/telling/rows.ts';
import { importBlock } from '../../../../core/telling/sections.ts';
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
import type { TranscriptEntry } from '../../../../shared/api/trials.ts';
import { labelLimit } from '../../../../shared/decidedBy.ts';
import { everyAnswer } from '../../../../shared/demoModel.ts';
import { remembered } from '../../../../shared/remembered.ts';
import { partsOfTrial, type ReportPart, reportParts, reportPartTitles } from '../../../../shared/reportParts.ts';
import type { Store } from '../../store/store.ts';
import { calls, checking, limits, prompts, protocol, rangeText } from './account.ts';
import { blocksOf, type CaseMarks, noMarks, sectionOf } from './blocks.ts';
import { importOf, type ReportData, reportData } from './data.ts';
import { type Content, html, Markup, name, plainly } from './markup.ts';
import { cast, demoBanner, facts, heading, isInvented, origin, preface, question, unfinishedText, verdict } from './opening.ts';
import { navigation, page } from './page.ts';
import { people, placeOfSpeech } from './people.ts';
import { person } from './person.ts';
import { beliefText, labels, moment, percent, points, speaker, theRole } from './words.ts';

function importedPreface({ opened, program, line }: ReportData): Markup {
  return html`<section id="about"><h2>What this is</h2>
<p>The record of one imported prediction: no model was asked. What another system, or a person, said of this case was read from a file, and is compared with the trials of the same experiment. Everything below was read from the record, in which each event carries the hash of the one before.</p>
<p class="quiet">Trial <code>${line.trial}</code>, imported ${moment(opened)} by the clock of the machine that did it, with Assize ${program} or a newer one. This page needs no network and contains no program.</p>
</section>`;
}

function importedLimits(data: ReportData): Markup {
  const { line } = data;
  return html`<section id="limits"><h2>What this does not show</h2><ul>
<li>How the prediction came about. The record shows what was read from a file, and that it was not changed since. The person who imported the file vouches that it holds what the system said.</li>
<li>What the system knew of the case. It need not have seen the facts above, and may have seen others.</li>
<li>This is one prediction, n = 1. It says nothing about how often the system is right.</li>
${rangeText(data)}<li>${line.truth === null ? 'Whether the prediction is right is not known.' : labelLimit(line)}</li></ul></section>`;
}

/** What the protocol says about the trial in addition to its transcript. */
function ownSections({ line, entries, kase, terms }: ReportData): readonly Section[] {
  const { labels, positive } = kase;
  return tellingOf(line.protocol)?.tell({ line, entries, labels, positive, writing: [] }, terms.params) ?? [];
}

type Without = ReadonlySet<ReportPart>;

/** `of`: the part to leave out that it belongs to, if any. */
type Part = readonly [id: string, title: string, content: Content, of?: ReportPart];

/** Of what is left out the place stays, so that links lead to the words that say so; in print the list at the top says it. */
const shown =
  (without: Without) =>
  ([id, title, content, of]: Part): Content =>
    of !== undefined && without.has(of)
      ? html`<section id="${id}" class="omitted"><h2>${title}</h2><p class="missing">Left out of this report.</p></section>`
      : content;

/** Plans, and notes of beliefs, which the bench and steps of a protocol show too. */
const privateTexts = ({ entries }: ReportData) =>
  new Set(entries.map((entry) => (entry.kind === 'utterance' ? entry.plan : entry.kind === 'belief' ? entry.notes : null)));

/** With private notes only where they are not left out. */
const forSummary = (data: ReportData, without: Without): ReportData =>
  without.has('plans')
    ? { ...data, entries: data.entries.map((entry) => (entry.kind === 'belief' ? { ...entry, notes: '' } : entry)) }
    : data;

/** What follows the verdict, in order; first what only a case of a trial, or of an imported prediction, has. */
function partsOf(data: ReportData, without: Without): Part[] {
  const marks = { ...marksOf(data), ...(without.has('plans') && { hidden: privateTexts(data) }) };
  // The message has what was said before.
  const isWhole = !without.has('transcript') && !without.has('plans');
  const taken = importOf(data);
  const said = people(data, without.has('transcript'));
  const ofPeople: readonly Part[] = said === null ? [] : [['people', 'What people said', said]];
  if (taken !== undefined)
    return [
      ['about', 'What this is', importedPreface(data)],
      [
        'import',
        'The prediction',
        html`<section id="import"><h2>The prediction</h2>${blocksOf([importBlock(taken)], noMarks)}</section>`,
      ],
      ['facts', 'Facts', facts(data)],
      ...ofPeople,
      ['check', 'How to check this', checking(data), 'check'],
      ['limits', 'Limits', importedLimits(data)],
    ];
  return [
    ['about', 'What this is', preface(data, without)],
    ['facts', 'Facts', facts(data)],
    ['cast', 'Who spoke', cast(data)],
    ...ownSections(data).map((section) => [section.id, section.title, sectionOf(section, marks), 'transcript'] as const),
    ['transcript', 'Transcript', proceedings(data, marks), 'transcript'],
    ['belief', 'Belief', [beliefs(data), movers(data)]],
    ['ruling', 'Ruling', ruling(data)],
    ...ofPeople,
    ['calls', 'Calls', calls(data), 'calls'],
    ['check', 'How to check this', checking(data), 'check'],
    ['protocol', 'Protocol', protocol(data)],
    ['limits', 'Limits', limits(data)],
    ['prompts', 'Prompts in full', prompts(isWhole ? data : { ...data, deciding: null }, false), 'prompts'],
  ];
}

const leftOutMark = new Markup('<b>This is not the whole report.</b> Left out when it was saved: ');

/** The parts that a report says are left out. No text from outside can say it: it has no markup. */
export function leftOutIn(page: string): ReportPart[] {
  const [, after = ''] = page.split(leftOutMark.source);
  const named = after.slice(0, after.indexOf('. ')).split('; ');
  return reportParts.filter((part) => named.includes(reportPartTitles[part]));
}

function sections(data: ReportData, without: Without): Content {
  const first = person(forSummary(data, without));
  const parts = partsOf(data, without);
  // Of a case with an answer what the person decided about needs comes first.
  const summary: readonly Part[] = first === null ? [] : [['person', 'For the person decided about', first, 'summary']];
  const isWhole = first === null || without.has('summary');
  return [
    demoBanner(isInvented(data) && importOf(data) === undefined ? everyAnswer : null),
    without.size > 0 &&
      html`<p class="caveat" role="note">${leftOutMark}${[...without].map((part) => reportPartTitles[part]).join('; ')}. Who has the record can save the whole report.</p>`,
    html`<header>${heading(data)}${origin(data)}${isWhole && question(data)}</header>`,
    ...[navigation([...summary, ...parts]), summary.map(shown(without)), verdict(data)],
    ...parts.map(shown(without)),
  ];
}

/** The page for these data. @param fault what of the record fails its check; without: parts that are left out */
export function reportPage(data: ReportData, fault: string | null = null, without: readonly ReportPart[] = []): Markup {
  const { line } = data;
  const running = `${line.experiment}, ${line.arm}, case ${line.case}, trial ${line.trial}${line.standin ? ', DEMO MODEL' : ''}`;
  return page(
    {
      title: `${data.title ?? `Case ${line.case}`}: trial ${line.trial} of ${line.experiment}`,
      running,
      fault,
      erased: data.erased,
    },
    sections(data, new Set(partsOfTrial(line).filter((part) => without.includes(part)))),
  );
}

/** One trial as one HTML file that needs nothing else. The same store gives the same bytes. Throws not-found. */
export function trialReport(
  store: Store,
  experiment: string,
  trial: string,
  { fault = null, without = [] }: { readonly fault?: string | null; readonly without?: readonly ReportPart[] } = {},
): string {
  return reportPage(reportData(store, experiment, trial), fault, without).source;
}

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

function beliefs({ beliefs, entries, terms }: ReportData): Markup {
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

function movers({ beliefs, entries, line: { protocol } }: ReportData): Markup | null {
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

function ruling(data: ReportData): Markup {
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

function spokenPart(row: ToldRow, marks: CaseMarks, claims: ReportData['claims']): Markup {
  const { form, role, who, what, notes } = row;
  const claim = form === 'ruling' ? undefined : claims[role];
  const own = claim !== undefined && html`<span> for ${name(claim)}</span>`;
  const said =
    form === 'silent'
      ? html`<p class="quiet">${name(who)}, ${what}</p>`
      : html`<div class="turn"><header><b>${name(who)}</b>${own}, ${name(what)}</header>${saidPart(row, marks)}</div>`;
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

function proceedings(data: ReportData, caseMarks: CaseMarks): Markup {
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
    return html`<div${id} class="row ${marks}">${spokenPart(row, caseMarks, data.claims)}${timelinePart(piece, ends !== null)}<div class="stated">${statedPart(row, changes)}</div></div>`;
  });
  const body =
    rows.length === 0 ? html`<p>Nothing was said: the first call already failed, or the trial has just begun.</p>` : drawn;
  return html`<section id="transcript"><h2>Transcript</h2>${checked(data, rows)}${scale}${body}</section>`;
}
