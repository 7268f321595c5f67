import { isEndedByRule } from '../../../../../core/telling/unsettledPart.ts';
import { everyAnswer, inventedAnswers } from '../../../../../shared/demoModel.ts';
import type { StatsReport } from '../../../../../shared/outputs.ts';
import type { Store } from '../../../store/store.ts';
import { prompts } from '../account.ts';
import { type Content, html, name } from '../markup.ts';
import { demoBanner } from '../opening.ts';
import { navigation, page } from '../page.ts';
import { type ExperimentData, experimentData } from './data.ts';
import { alikeTitle, groupsTable } from './groupsTable.ts';
import { about, cast, checking, limits, methods, statisticsSections, trials } from './parts.ts';
import { summary, unfinished } from './summary.ts';
import { wrongAndSure } from './wrongAndSure.ts';

/** Faults of the record: of all of it, and of one trial. */
export interface RecordFaults {
  readonly first: string;
  of(trial: string): string | null;
}

export function experimentPage(data: ExperimentData, fault: string | null): string {
  const { statistics } = data;
  const sure = wrongAndSure(data);
  const parts: readonly (readonly [id: string, title: string, content: Content])[] = [
    ['summary', 'In plain words', summary(data)],
    ...(groupsTable(statistics) === null ? [] : [['alike', alikeTitle, null] as const]),
    ...(sure === null ? [] : [['sure', sure.title, sure.block] as const]),
    ['about', 'What this is', about(data)],
    ...statisticsSections(data).map(({ id, title, section }) => [id, title, section] as const),
    ['methods', 'Methods', methods(data)],
    ['cast', 'Who answered', cast(data)],
    ['limits', 'Limits', limits(data)],
    ['check', 'How to check this', checking(data)],
    ['trials', 'Trials', trials(data)],
    ...(data.prompts.length === 0 ? [] : [['prompts', 'Prompts in full', prompts(data, true)] as const]),
  ];
  const invented = inventedAnswers(statistics);
  const open = unfinished(data);
  const running = `Experiment ${statistics.experiment}${invented === null ? '' : `, DEMO MODEL${invented === everyAnswer ? '' : ' in some arms'}`}${open === false || isEndedByRule(statistics) ? '' : ', UNFINISHED'}`;
  return page({ title: `Experiment ${statistics.experiment}`, running, fault, erased: data.erased }, [
    demoBanner(invented),
    open,
    html`<header><h1>Experiment ${name(statistics.experiment)}</h1></header>`,
    navigation(parts),
    ...parts.map(([, , content]) => content),
  ]).source;
}

/** The report over an experiment as one HTML file that needs nothing else. The same record gives the same bytes. */
export const experimentReport = (store: Store, statistics: StatsReport, faults: RecordFaults | null): string =>
  experimentPage(experimentData(store, statistics, faults && ((trial) => faults.of(trial))), faults?.first ?? null);

/** The same from a bundle: with its root, without the list's name and, if redacted, words of people and the undrawn cases. */
export function bundledReport(
  store: Store,
  statistics: StatsReport,
  { file, root, redacted }: { readonly file: string; readonly root: string; readonly redacted: boolean },
): string {
  const data = experimentData(store, statistics, null);
  const checkpoint = { ...data.checkpoint, bundle: file };
  const hidden = redacted ? { reviews: null, undrawn: { ...data.undrawn, cases: [], table: null } } : {};
  return experimentPage({ ...data, checkpoint, root, dataName: null, ...hidden }, null);
}
