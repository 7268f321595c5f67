// The report of one trial.
import { tellingOf } from '../../../../core/protocols/index.ts';
import type { Section } from '../../../../core/telling/blocks.ts';
import { importBlock } from '../../../../core/telling/sections.ts';
import { labelLimit } from '../../../../shared/decidedBy.ts';
import { everyAnswer } from '../../../../shared/demoModel.ts';
import { partsOfTrial, type ReportPart, reportParts, reportPartTitles } from '../../../../shared/reportParts.ts';
import type { Store } from '../../store/store.ts';
import { calls, checking, limits, prompts, protocol, rangeText } from './account.ts';
import { blocksOf, noMarks, sectionOf } from './blocks.ts';
import { importOf, type ReportData, reportData } from './data.ts';
import { beliefs, movers, ruling } from './judgement.ts';
import { type Content, html, Markup } from './markup.ts';
import { cast, demoBanner, facts, heading, isInvented, preface, question, verdict } from './opening.ts';
import { navigation, page } from './page.ts';
import { people } from './people.ts';
import { person } from './person.ts';
import { marksOf, proceedings } from './proceedings.ts';
import { moment } from './words.ts';

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
    ['prompts', 'Prompts in full', prompts(data, false), 'prompts'],
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
    html`<header>${heading(data)}${isWhole && question(data)}</header>`,
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
