import { percent } from '../../../core/figures/shares.ts';
import { type BenchSplit, benchSplits, benchText, type DeliberationFigures } from '../../../shared/api/deliberation.ts';
import { retitled, rightWords } from '../../../shared/decidedBy.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { quantityOf } from '../../ui/quantity.ts';
import { nameAxis, shareAxis, shownName, smallN } from '../kit/axes.ts';
import { idsOf, measureOf, mergedOrder, rowsByArm } from '../kit/beliefLines.ts';
import { countsAsText } from '../kit/counts.ts';
import { dotRows } from '../kit/dotRows.ts';
import { inPanels, stackedPanels } from '../kit/layout.ts';
import { bar } from '../kit/marks.ts';
import { count, figure, number, share, table, text } from '../kit/plot.ts';
import { endColumns, manyNamed, namedTrials, type Point, pointIn, shareText } from '../kit/points.ts';

/** From so many changes on, trials are counted together. */
const most = 4;
const countNames = ['none', '1', '2', '3', '4 or more'];

interface Arm {
  readonly arm: string;
  readonly n: number;
  readonly flipped: Measure;
  readonly mean: Measure;
  /** Trials by number of changes, 0 to `most`. */
  readonly byCount: readonly (readonly string[])[];
  /** Trials that change, by the step of their last change. */
  readonly byStep: ReadonlyMap<string, readonly string[]>;
}

function armOf(source: DeliberationFigures, place: number, mine: readonly number[]): Arm[] {
  const { rows, arms, steps } = source;
  const [flipped, mean] = [measureOf(source, place, 'flipped'), measureOf(source, place, 'flips')];
  const known = mine.filter((row) => (rows.flips[row] ?? -1) >= 0);
  const arm = arms[place];
  if (arm === undefined || flipped === undefined || mean === undefined || known.length === 0) return [];
  const trials = (fits: (row: number) => boolean) => idsOf(source, known.filter(fits));
  const byStep = arm.steps.map((step) => [steps[step]?.name ?? '', trials((row) => rows.lastFlip[row] === step)] as const);
  const byCount = countNames.map((_, changes) => trials((row) => Math.min(most, rows.flips[row] ?? 0) === changes));
  return [{ arm: arm.name, n: known.length, flipped, mean, byCount, byStep: new Map(byStep) }];
}

/** `0.5 changes`, `1 change`: a mean with two digits. */
const meanText = (mean: number) => `${Number(mean.toFixed(2))} ${mean === 1 ? 'change' : 'changes'}`;

function armText({ arm, flipped, mean, byCount, n }: Arm, isAlone: boolean): string {
  const part = flipped.value === null ? '' : `, ${shareText(flipped)} with each case weighing the same`;
  const average =
    mean.value === null ? 'the mean number of changes is not known' : `${meanText(mean.value)} in a trial on average`;
  const changed = quantityOf(n - (byCount[0]?.length ?? 0), n, 'trial');
  return `${isAlone ? '' : `${arm}: `}in ${changed} the lead changes at least once${part}; ${average}`;
}

export const flipsFigure = figure({
  id: 'flips',
  title: 'How often the judge’s mind changes, and when it last does',
  requires:
    'finished trials of cases with one label in which a role that rules held beliefs one after the other: arms of agentic-sim whose judge is asked after every speech, of debate-feedback and of evince',
  needs: ['deliberation'],
  plot({ report, deliberation: source }) {
    const byArm = rowsByArm(source);
    const arms = source.arms.flatMap((_, place) => armOf(source, place, byArm.get(place) ?? []));
    if (arms.length === 0) return null;
    const inOrder = mergedOrder(arms.map(({ byStep }) => [...byStep.keys()]));
    const steps = inOrder.filter((step) => arms.some(({ byStep }) => (byStep.get(step) ?? []).length > 0));
    const counts = countsAsText(arms, ({ n }) => n, { noun: 'decided trial' });
    const drawn = [
      { id: 'count', title: 'Changes of the lead in a trial', names: countNames, trials: ({ byCount }: Arm) => byCount },
      {
        id: 'last',
        title: 'Step of the last change',
        names: steps,
        trials: ({ byStep }: Arm) => steps.map((step) => byStep.get(step) ?? []),
      },
    ].filter(({ names }) => names.length > 0);
    const { panels } = stackedPanels(drawn, ({ title }) => title, { left: 46, high: 190, below: 34 });
    const largest = Math.max(
      ...drawn.flatMap(({ trials }) => arms.flatMap((arm) => trials(arm).map(({ length }) => length / arm.n))),
    );
    const apart = largest > 0.5 ? 0.25 : largest > 0.2 ? 0.1 : 0.05;
    return {
      caption: `${counts}: ${arms.map((arm) => armText(arm, arms.length === 1)).join('. ')}. Intervals at ${percent(report.interval.level)}. A tie is no change.${steps.length === 0 ? ' The lead changes in no trial.' : ''}${manyNamed(Math.max(...arms.flatMap(({ byCount }) => byCount.map(({ length }) => length))))}${smallN(Math.min(...arms.map(({ flipped }) => flipped.cases)))}`,
      legend: arms.map(({ arm }) => shownName(arm)),
      ...inPanels(panels, drawn, ({ names }, paint, { width }) => ({
        x: nameAxis(paint, names, { room: Math.max(24, (width - 10) / names.length) }),
        y: { ...shareAxis(paint, { max: Math.ceil(largest / apart) * apart }), interval: apart },
      })),
      marks: drawn.flatMap(({ id, trials }, panel) =>
        arms.map((arm, place) =>
          bar({
            id: `${id}:${place}`,
            name: shownName(arm.arm),
            panel,
            rows: trials(arm),
            widest: 34,
            colour: place,
            value: ({ length }) => length / arm.n,
            tip: ({ length }) => `${shownName(arm.arm)}: ${length} of ${arm.n} trials, ${percent(length / arm.n)}`,
            behind: (named) => namedTrials(named),
          }),
        ),
      ),
      table: table(
        arms,
        [
          text('arm', ({ arm }: Arm) => arm),
          count('trials', ({ n }) => n),
          ...endColumns(['share that changes', 'share, low', 'share, high'], share, ({ flipped }: Arm) => flipped),
          ...endColumns(['changes a trial', 'changes, low', 'changes, high'], number, ({ mean }: Arm) => mean),
          ...countNames.map((name, place) => count(`changes: ${name}`, ({ byCount }: Arm) => byCount[place]?.length ?? 0)),
          ...steps.map((step) => count(`last at ${step}`, ({ byStep }: Arm) => byStep.get(step)?.length ?? 0)),
        ],
        ({ byCount }) => {
          const changed = byCount.slice(1).flat();
          return changed.length === 0 ? null : namedTrials(changed);
        },
      ),
    };
  },
});

interface Row {
  readonly arm: string;
  readonly split: BenchSplit;
  readonly share: Measure;
  readonly accuracy: Measure;
  readonly trials: readonly string[];
}

/** A mark is of the trials with a known truth, a row of the table of all. */
const pointOf = ({ accuracy, trials }: Row): Point | null =>
  pointIn(accuracy, { ...namedTrials(trials, { n: accuracy.n, of: 'trials' }), subset: { known: ['truth'] } });

export const dissentFigure = figure({
  id: 'dissent',
  title: 'Accuracy by how the bench split',
  requires:
    'trials of cases of known truth that several judges or voters decided: arms of courtroom with several judges and of vote have a bench',
  needs: ['deliberation'],
  plot({ deliberation: source, report }) {
    const byArm = rowsByArm(source);
    const rows = source.arms.flatMap(({ name }, arm) =>
      benchSplits.flatMap((split, place): Row[] => {
        const [portion, accuracy] = [measureOf(source, arm, 'split', split), measureOf(source, arm, 'accuracy', split)];
        const mine = (byArm.get(arm) ?? []).filter((row) => source.rows.split[row] === place);
        if (portion === undefined || accuracy === undefined || mine.length === 0) return [];
        return [{ arm: name, split, share: portion, accuracy, trials: idsOf(source, mine) }];
      }),
    );
    if (rows.every(({ accuracy }) => accuracy.value === null)) return null;
    const agreed = source.arms.flatMap(({ name }, arm) => {
      const measure = measureOf(source, arm, 'bench_agreement');
      return measure === undefined ? [] : [`${name} ${shareText(measure)}`];
    });
    const counts = countsAsText(rows, ({ accuracy }) => accuracy.n, {
      noun: 'decided trial',
      about: retitled('with a known truth', report),
      each: 'behind each mark',
    });
    return {
      caption: `${counts}. Lines are ${percent(report.interval.level)} intervals over cases. Unanimous: all valid answers name one label; bench majority: more than half; divided: no more than half. Share of the pairs of judges that agree: ${agreed.join('; ')}. Judges who speak in turn know what the others said.${smallN(Math.min(...rows.map(({ accuracy }) => accuracy.cases)))}`,
      ...dotRows({
        rows,
        name: ({ split, accuracy: { n } }) => `${benchText[split]}, n = ${n}`,
        group: ({ arm }) => arm,
        legend: false,
        panels: [{ id: 'bench', scale: 'share', channels: [{ id: 'accuracy', name: rightWords(report).accuracy, of: pointOf }] }],
      }),
      table: table(
        rows,
        [
          text('arm', ({ arm }: Row) => arm),
          text('bench', ({ split }) => benchText[split]),
          count('trials', ({ trials }) => trials.length),
          ...endColumns(['share of trials', 'share, low', 'share, high'], share, (row: Row) => row.share),
          ...endColumns(
            [retitled('accuracy', report), retitled('accuracy, low', report), retitled('accuracy, high', report)],
            share,
            (row: Row) => row.accuracy,
          ),
          count(retitled('accuracy, n', report), ({ accuracy }) => accuracy.n),
        ],
        ({ trials }) => namedTrials(trials),
      ),
    };
  },
});
