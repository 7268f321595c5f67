// The report of one trial.
import { tellingOf } from '../../../../core/protocols/index.ts';
import type { Section } from '../../../../core/telling/blocks.ts';
import { importBlock } from '../../../../core/telling/sections.ts';
import { labelLimit } from '../../../../shared/decidedBy.ts';
import { everyAnswer } from '../../../../shared/demoModel.ts';
import type { Store } from '../../store/store.ts';
import { calls, checking, limits, prompts, protocol, rangeText } from './account.ts';
import { blocksOf, noMarks, sectionOf } from './blocks.ts';
import { importOf, type ReportData, reportData } from './data.ts';
import { beliefs, movers, ruling } from './judgement.ts';
import { type Content, html, type Markup } from './markup.ts';
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

type Part = readonly [id: string, title: string, content: Content];

/** What follows the verdict, in order; first what only a case of a trial, or of an imported prediction, has. */
function partsOf(data: ReportData): Part[] {
  const taken = importOf(data);
  const said = people(data);
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
      ['check', 'How to check this', checking(data)],
      ['limits', 'Limits', importedLimits(data)],
    ];
  return [
    ['about', 'What this is', preface(data)],
    ['facts', 'Facts', facts(data)],
    ['cast', 'Who spoke', cast(data)],
    ...ownSections(data).map((section) => [section.id, section.title, sectionOf(section, marksOf(data))] as const),
    ['transcript', 'Transcript', proceedings(data)],
    ['belief', 'Belief', [beliefs(data), movers(data)]],
    ['ruling', 'Ruling', ruling(data)],
    ...ofPeople,
    ['calls', 'Calls', calls(data)],
    ['check', 'How to check this', checking(data)],
    ['protocol', 'Protocol', protocol(data)],
    ['limits', 'Limits', limits(data)],
    ['prompts', 'Prompts in full', prompts(data, false)],
  ];
}

function sections(data: ReportData): Content {
  const first = person(data);
  const parts = partsOf(data);
  // Of a case with an answer what the person decided about needs comes first.
  const places: readonly Part[] = first === null ? parts : [['person', 'For the person decided about', first], ...parts];
  return [
    demoBanner(isInvented(data) && importOf(data) === undefined ? everyAnswer : null),
    html`<header>${heading(data)}${first === null && question(data)}</header>`,
    ...[navigation(places), first, verdict(data)],
    ...parts.map(([, , content]) => content),
  ];
}

/** The page for these data. @param fault what of the record fails its check */
export function reportPage(data: ReportData, fault: string | null = null): Markup {
  const { line } = data;
  const running = `${line.experiment}, ${line.arm}, case ${line.case}, trial ${line.trial}${line.standin ? ', DEMO MODEL' : ''}`;
  return page(
    {
      title: `${data.title ?? `Case ${line.case}`}: trial ${line.trial} of ${line.experiment}`,
      running,
      fault,
      erased: data.erased,
    },
    sections(data),
  );
}

/**
 * One trial as one HTML file that needs nothing else: no script, no link to another place. The same store gives the
 * same bytes. Throws not-found for an unknown experiment or trial and for a trial that has not begun.
 */
export function trialReport(store: Store, experiment: string, trial: string, fault: string | null = null): string {
  return reportPage(reportData(store, experiment, trial), fault).source;
}
