import { groupName, titleIn } from '../../../core/cases/columnNames.ts';
import { speakerName } from '../../../core/figures/speakers.ts';
import { languageNames, stepName } from '../../../core/telling/languageTables.ts';
import type { LanguageMeasure } from '../../../shared/languageStatistics.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { type DotPanel, estimates } from '../kit/dotRows.ts';
import { figure } from '../kit/plot.ts';
import { type Point, pointIn } from '../kit/points.ts';

interface Row {
  readonly arm: string;
  readonly name: string;
  readonly measures: readonly Measure[];
  /** Finished trials of the arm with speeches. */
  readonly of: number;
}

function pointOf({ arm, measures, of: trials }: Row, name: LanguageMeasure): Point | null {
  const found = measures.find((measure) => measure.name === name);
  if (found === undefined) return null;
  const counts = { n: found.n, of: found.over === 'speeches' ? 'speeches' : 'trials' } as const;
  // A list of trials cannot be asked for those whose speeches are in English.
  return pointIn(found, found.n === trials ? { arm, status: 'done', counts } : null);
}

/** A scale for each measure, with 0 marked where the values are differences. */
const panelsOf = (shown: readonly LanguageMeasure[], isDifference: boolean): DotPanel<Row>[] =>
  shown.map((name) => ({
    ...{ id: name, title: languageNames[name], scale: 'free' },
    channels: [{ id: name, name: languageNames[name], colour: 0, of: (row) => pointOf(row, name) }],
    ...(isDifference ? { lines: [{ value: 0, name: '' }] } : {}),
  }));

/** Rows of dots on small scales, or nothing where no speech was measured. */
function dots(rows: readonly Row[], shown: readonly LanguageMeasure[], isDifference: boolean, noun: string, says: string) {
  const measured = rows.filter(({ measures }) => measures.some(({ value }) => value !== null));
  return estimates({
    rows: measured,
    name: ({ name }) => name,
    group: ({ arm }) => arm,
    panels: panelsOf(shown, isDifference),
    ...{ columns: 3, legend: false, noun, each: 'behind each mark', says, level: measured[0]?.measures[0]?.level ?? 0.95 },
  });
}

const byWords =
  ' Places are counted by lists of English words; what is meant is not read, and speeches that are too short or in other languages are left out.';
const spoken = 'finished trials with speeches in English; arms in which something is exchanged or changed are left out';

const overTurns: readonly LanguageMeasure[] = ['hedging', 'certainty', 'concession', 'agreement', 'repetition', 'facts_cited'];

export const languageByRoundFigure = figure({
  id: 'language-by-round',
  title: 'The language of the debate, by role and round',
  paper: 'SocraSynth and EVINCE, on contentiousness',
  requires: spoken,
  plot({ report: { language = [] } }) {
    const rows = language.flatMap(({ arm, of, steps }) =>
      steps.map(({ role, step, contentiousness, measures }) => ({
        ...{ arm, of, measures },
        name: `${speakerName(role)}, ${stepName(step)}${contentiousness === null ? '' : ` (${contentiousness.toFixed(2)})`}`,
      })),
    );
    const hasLevels = language.some(({ steps }) => steps.some(({ contentiousness }) => contentiousness !== null));
    const says = hasLevels ? `${byWords} In brackets: contentiousness as the prompt of the speaker gave it.` : byWords;
    return dots(rows, overTurns, false, 'turn', says);
  },
});

export const languageOverContentiousnessFigure = figure({
  id: 'language-over-contentiousness',
  title: 'What contentiousness changes in the language of a debate',
  paper: 'SocraSynth and EVINCE, on contentiousness',
  requires:
    'finished trials with speeches in English whose prompts say how contentious to be, and not always the same: arms of evince and socrasynth',
  plot({ report: { language = [] } }) {
    const rows = language.flatMap(({ arm, of, over_contentiousness: over }) =>
      over.map(({ role, measures }) => ({ arm, of, measures, name: speakerName(role) })),
    );
    const says = `${byWords} The mean slope of a line through the speeches of each trial: what a contentiousness of 1 in place of 0 would change. It follows the rounds, so it is no cause.`;
    return dots(rows, overTurns, true, 'trial', says);
  },
});

export const languageByGroupFigure = figure({
  id: 'language-by-group',
  title: 'How words differ by group',
  requires: `${spoken}; their cases have groups with two values or more`,
  plot({ report: { language = [], column_titles: titles } }) {
    const rows = language.flatMap(({ arm, of, groups }) =>
      groups.map(({ attribute, value, differences }) => ({
        ...{ arm, of, measures: differences },
        name: `${titleIn(titles, attribute)}: ${groupName(value)}`,
      })),
    );
    const shown = ['words', 'hedging', 'certainty', 'concession', 'tone', 'facts_cited'] as const;
    const says = `${byWords} The mean of the cases of a group, less that of all others. The report has the tests.`;
    return dots(rows, shown, true, 'trial', says);
  },
});
