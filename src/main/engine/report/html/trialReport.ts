// The report of one trial.
import { tellingOf } from '../../../../core/protocols/index.ts';
import type { Section } from '../../../../core/telling/blocks.ts';
import { everyAnswer } from '../../../../shared/demoModel.ts';
import type { Store } from '../../store/store.ts';
import { calls, checking, limits, prompts, protocol } from './account.ts';
import { sectionOf } from './blocks.ts';
import { type ReportData, reportData } from './data.ts';
import { imported, importedLimits, importedPreface, importOf } from './imported.ts';
import { beliefs, movers, ruling } from './judgement.ts';
import { type Content, html, type Markup } from './markup.ts';
import { cast, demoBanner, facts, heading, isInvented, preface, question, verdict } from './opening.ts';
import { navigation, page } from './page.ts';
import { person } from './person.ts';
import { piecesOf } from './pieces.ts';
import { proceedings } from './proceedings.ts';

const contents = [
  ['person', 'For the person decided about'],
  ['about', 'What this is'],
  ['facts', 'Facts'],
  ['cast', 'Who spoke'],
  ['transcript', 'Transcript'],
  ['belief', 'Belief'],
  ['ruling', 'Ruling'],
  ['people', 'What people said'],
  ['calls', 'Calls'],
  ['check', 'How to check this'],
  ['protocol', 'Protocol'],
  ['limits', 'Limits'],
  ['prompts', 'Prompts in full'],
] as const;

const importedContents = [
  ['person', 'For the person decided about'],
  ['about', 'What this is'],
  ['import', 'The prediction'],
  ['facts', 'Facts'],
  ['people', 'What people said'],
  ['check', 'How to check this'],
  ['limits', 'Limits'],
] as const;

/** What the protocol says about the trial in addition to its transcript. */
function ownSections({ line, entries, kase, terms }: ReportData): readonly Section[] {
  const { labels, positive } = kase;
  return tellingOf(line.protocol)?.tell({ line, entries, labels, positive, writing: [] }, terms.params) ?? [];
}

/** Of a case with an answer what the person decided about needs first; then the outcome in full. */
const opening = (data: ReportData, first: Markup | null, places: readonly (readonly [id: string, title: string])[]): Content => [
  html`<header>${heading(data)}${first === null && question(data)}</header>`,
  ...[navigation(places), first, verdict(data)],
];

/** What people said of the trial; nothing where no one did. */
const people = ({ people: pieces }: ReportData): Content =>
  pieces.length > 0 && html`<section id="people"><h2>What people said</h2>${piecesOf(pieces)}</section>`;

function sections(data: ReportData): Content {
  const isListed = ([id]: readonly [string, string]) => id !== 'people' || data.people.length > 0;
  const taken = importOf(data);
  const first = person(data);
  if (taken !== undefined) {
    return [
      ...[opening(data, first, importedContents.filter(isListed)), importedPreface(data), imported(taken), facts(data)],
      ...[people(data), checking(data), importedLimits(data)],
    ];
  }
  const own = ownSections(data);
  const listed = contents.flatMap((entry): (readonly [string, string])[] =>
    entry[0] === 'transcript'
      ? [...own.map(({ id, title }) => [id, title] as const), entry]
      : entry[0] === 'person' && first === null
        ? []
        : [entry],
  );
  return [
    ...[demoBanner(isInvented(data) ? everyAnswer : null), opening(data, first, listed.filter(isListed))],
    ...[
      preface(data),
      facts(data),
      cast(data),
      ...own.map((section) => sectionOf(section, data.kase.facts)),
      proceedings(data),
      beliefs(data),
      movers(data),
      ruling(data),
      people(data),
    ],
    ...[calls(data), checking(data), protocol(data), limits(data), prompts(data, false)],
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
