// The language of debates, in words and tables.
import type { LanguageMeasure, LanguageStatistics } from '../../shared/languageStatistics.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { count, quantity } from '../../shared/sizes.ts';
import type { Measure } from '../../shared/statistics.ts';
import { titleIn } from '../cases/columnNames.ts';
import { speakerName } from '../figures/speakers.ts';
import { chanceText } from '../statistics/measures/shownComparisons.ts';
import { measureNamed, type Piece, table } from './cells.ts';

export const languageNames: Readonly<Record<LanguageMeasure, string>> = {
  words: 'words',
  hedging: 'hedging, per 100 words',
  certainty: 'certainty, per 100 words',
  concession: 'concession, per 100 words',
  agreement: 'agreement, per 100 words',
  tone: 'tone, kind minus harsh words per 100',
  repetition: 'repetition, share of four-word runs',
  facts_cited: 'facts named',
};

/** Two digits that matter, with the interval. */
function estimateText(found: Pick<Measure, 'value' | 'low' | 'high'> | undefined): string {
  const written = (value: number) =>
    (Math.abs(value) >= 10 ? value.toFixed(0) : value.toFixed(2)).replace(/^-(0(?:\.0+)?)$/, '$1').replace('-', '−');
  if (found === undefined || found.value === null) return '-';
  const ends = found.low === null || found.high === null ? '' : ` [${written(found.low)}, ${written(found.high)}]`;
  return `${written(found.value)}${ends}`;
}

export function languageText({ trials, of, speeches, unmeasured, steps }: LanguageStatistics): string {
  const level = steps[0]?.measures[0]?.level ?? 0.95;
  const part = trials < of ? `the first ${count(trials)} of ${count(of)} trials` : quantity(trials, 'trial');
  const left =
    unmeasured === 0
      ? ''
      : ` Left out as too short or not English, which the lists of words are for: ${count(unmeasured)} speeches.`;
  return `${count(speeches)} speeches of ${part}, counted by lists of English words: what is meant is not read. Intervals are over cases, at ${Math.round(100 * level)}%.${left}`;
}

/** A round or turn by its key, such as `turn 2`. */
export const stepName = (step: string): string => step.replaceAll('-', ' ');

const columns = Object.entries(languageNames) as [LanguageMeasure, string][];
/** Each measure, with its own n where fewer speeches or trials have it than were counted. */
const cellsOf = (measures: readonly Measure[]) => {
  const all = Math.max(0, ...measures.map(({ n }) => n));
  return columns.map(([name]) => {
    const found = measureNamed({ measures }, name);
    return `${estimateText(found)}${found === undefined || found.n === all ? '' : ` (of ${count(found.n)})`}`;
  });
};
const mostOf = (measures: readonly Measure[]) => count(Math.max(0, ...measures.map(({ n }) => n)));

function armPieces(found: LanguageStatistics, titles: StatsReport['column_titles']): Piece[] {
  const { arm, steps, over_contentiousness: over, groups } = found;
  const heads = columns.map(([, title]) => title);
  const measured = steps.filter(({ measures }) => measures.some(({ value }) => value !== null));
  if (measured.length === 0) return ['', `${arm}: ${languageText(found)}`];
  const toldRound = measured.some(({ contentiousness }) => contentiousness !== null);
  const rows = measured.map(({ role, step, contentiousness, measures }) => [
    `${speakerName(role)}, ${stepName(step)}`,
    ...(toldRound ? [contentiousness === null ? '-' : contentiousness.toFixed(2)] : []),
    ...cellsOf(measures),
    mostOf(measures),
  ]);
  const slopes = over.map(({ role, measures }) => [speakerName(role), ...cellsOf(measures), mostOf(measures)]);
  const differing = groups.flatMap(({ attribute, value, measures, differences }) =>
    differences.map((each, place) => [
      `${titleIn(titles, attribute)} ${value}`,
      columns[place]?.[1] ?? '',
      estimateText(measures[place]),
      estimateText(each),
      chanceText(each.p_adjusted),
      chanceText(each.p_value),
      count(measures[place]?.cases ?? 0),
      count(each.cases),
    ]),
  );
  return [
    '',
    `${arm}: ${languageText(found)}`,
    table(['who, when', ...(toldRound ? ['contentiousness'] : []), ...heads, 'speeches'], rows),
    ...(slopes.length === 0
      ? []
      : [
          'What changes from a contentiousness of 0 to 1, by a line through each trial (mean slope over trials):',
          table(['who', ...heads, 'trials'], slopes),
        ]),
    ...(differing.length === 0
      ? []
      : [
          'By group, over trials: the mean of its cases, less that of all others (of two groups once, as the other difference is the same the other way round); p by exchanging groups between cases, adjusted over all tests of the arm.',
          table(['group', 'measure', 'mean', 'difference', 'adjusted p', 'p', 'cases', 'cases compared'], differing),
        ]),
  ];
}

/** The language of debates, by role and round, over contentiousness, and by group; empty if there are no speeches. */
export const languagePieces = ({
  language = [],
  column_titles: titles,
}: Pick<StatsReport, 'language' | 'column_titles'>): Piece[] => language.flatMap((found) => armPieces(found, titles));
