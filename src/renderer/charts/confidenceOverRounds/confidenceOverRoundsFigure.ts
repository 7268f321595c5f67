import { percent } from '../../../core/figures/shares.ts';
import { speakerName } from '../../../core/figures/speakers.ts';
import type { DeliberationFigures } from '../../../shared/api/deliberation.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { deliberationIn, heldLines } from '../deliberation/ways.ts';
import { cutName, dodge, legend, shareAxis, smallN, tooltip, whiskers } from '../kit/axes.ts';
import { countsWords, quantityIs } from '../kit/counts.ts';
import { type Figure, type FigureSources, isAbsent, type Paint } from '../kit/figure.ts';
import { namedTrials } from '../kit/namedTrials.ts';
import { stackedPanels } from '../panels/stackedPanels.ts';

interface Point {
  /** Place of the step in the panel. */
  readonly at: number;
  /** Mean probability of the true label; null where no truth is known. */
  readonly truth: Measure | null;
  /** Mean probability of the label that the role itself holds likeliest; where several can apply, of those of the verdict. */
  readonly leading: Measure;
  readonly trials: readonly string[];
}

interface Panel {
  readonly arm: string;
  readonly steps: readonly string[];
  readonly roles: readonly { readonly role: string; readonly points: readonly Point[] }[];
}

interface Data {
  readonly panels: readonly Panel[];
  readonly roles: readonly string[];
  readonly leftOut: number;
  readonly level: number;
  /** Several labels can apply to a case, each a question of its own. */
  readonly ofSets: boolean;
}

const mostPanels = 6;
const panelHeight = 220;
const top = 34;

function panelsOf(source: DeliberationFigures): Panel[] {
  const { arms, roles, steps, rows, lines, measures } = source;
  const held = heldLines(source).map((line, place) => ({ ...line, role: lines.role[place] ?? -1 }));
  return arms.flatMap((arm, place): Panel[] => {
    const mine = measures.filter((each) => each.arm === place && each.role !== null && each.step !== null);
    const own = arm.steps.filter((step) => mine.some((each) => each.step === step));
    if (own.length < 2) return [];
    const ofArm = held.filter(({ row }) => rows.arm[row] === place);
    const panelRoles = roles.flatMap((role, rolePlace) => {
      const points = own.flatMap((step, at): Point[] => {
        const find = (name: string) =>
          mine.find((each) => each.role === rolePlace && each.step === step && each.measure.name === name)?.measure;
        const leading = find('leading_probability') ?? find('verdict_probability');
        if (leading === undefined) return [];
        const trials = ofArm
          .filter((line) => line.role === rolePlace && line.points.some((point) => point.step === step))
          .map(({ row }) => rows.trial[row] ?? '');
        return [{ at, truth: find('true_probability') ?? null, leading, trials }];
      });
      return points.length === 0 ? [] : [{ role: speakerName(role), points }];
    });
    return [{ arm: arm.name, steps: own.map((step) => steps[step]?.name ?? ''), roles: panelRoles }];
  });
}

const hasTruth = ({ panels }: Pick<Data, 'panels'>) =>
  panels.some(({ roles }) => roles.some(({ points }) => points.some(({ truth }) => truth !== null)));

/** Whose marks a series has: `truth:PANEL:ROLE`. */
function marked({ panels }: Data, seriesId: string | null) {
  const [what = '', panelPlace, rolePlace] = (seriesId ?? '').split(':');
  const panel = panels[Number(panelPlace)];
  const found = panel?.roles[Number(rolePlace)];
  if (panel === undefined || found === undefined) return null;
  const points = what.startsWith('truth') ? found.points.filter(({ truth }) => truth !== null) : found.points;
  return { what: what.startsWith('truth') ? ('truth' as const) : ('leading' as const), panel, role: found.role, points };
}

function roleSeries(data: Data, panel: Panel, index: number, paint: Paint) {
  const place = { xAxisIndex: index, yAxisIndex: index };
  return panel.roles.flatMap(({ role, points }, roleIndex) => {
    const { colour, symbol } = paint.series(data.roles.indexOf(role));
    const offset = dodge(roleIndex, panel.roles.length, 0.06);
    const known = points.filter(({ truth }) => truth !== null);
    return [
      {
        type: 'line',
        ...place,
        id: `leading:${index}:${roleIndex}`,
        name: role,
        symbol,
        symbolSize: 6,
        itemStyle: { color: colour },
        lineStyle: { color: colour, type: 'dashed', width: 1.5 },
        data: points.map(({ at, leading }) => [at + offset, leading.value ?? '-']),
      },
      {
        type: 'line',
        ...place,
        id: `truth:${index}:${roleIndex}`,
        name: role,
        symbol,
        symbolSize: 9,
        itemStyle: { color: colour },
        lineStyle: { color: colour, width: 2 },
        data: known.map(({ at, truth }) => [at + offset, truth?.value ?? '-']),
      },
      {
        ...whiskers({
          id: `truth:${index}:${roleIndex}-interval`,
          colour,
          points: known.map(({ at, truth }) => ({ at: at + offset, low: truth?.low ?? null, high: truth?.high ?? null })),
        }),
        ...place,
      },
    ];
  });
}

const interval = ({ low, high }: Measure) => (low === null || high === null ? '' : ` [${percent(low)}, ${percent(high)}]`);

/** What both lines of a role are of. */
const lineNames = (ofSets: boolean) =>
  ofSets
    ? { truth: 'mean P(true labels)', leading: 'mean P(labels of the verdict)', brief: 'of the verdict' }
    : { truth: 'P(true label)', leading: 'P(likeliest label)', brief: 'likeliest' };

/** What each role believes from round to round: how much of it is on the true label, and how sure it is at all. */
export const confidenceOverRoundsFigure: Figure<Data> = {
  id: 'confidence-over-rounds',
  title: 'What is believed from round to round: how rightly, and how surely',
  paper: null,
  group: 'deliberation',
  needs: ['deliberation'],
  data(sources: FigureSources) {
    const source = deliberationIn(sources);
    if (isAbsent(source)) return source;
    const all = panelsOf(source);
    if (all.length === 0) {
      return {
        absent:
          'No finished trial states beliefs over rounds. Arms of debate-feedback and evince do, and those of socrasynth with free stances on cases with labels.',
      };
    }
    const panels = all.slice(0, mostPanels);
    return {
      panels,
      roles: [...new Set(panels.flatMap(({ roles }) => roles.map(({ role }) => role)))],
      leftOut: all.length - panels.length,
      level: sources.report.interval.level,
      ofSets: source.follows.rule === 'true-labels' || source.follows.rule === 'predicted-labels',
    };
  },
  caption(data) {
    const counts = data.panels.flatMap(({ roles }) => roles.flatMap(({ points }) => points.map(({ leading }) => leading.n)));
    const cases = data.panels.flatMap(({ roles }) => roles.flatMap(({ points }) => points.map(({ leading }) => leading.cases)));
    const solid = hasTruth(data)
      ? `Solid: mean probability of the ${data.ofSets ? 'labels that are true of a case' : 'true label'}, with ${percent(data.level)} bootstrap intervals over cases. `
      : 'No truth is known. ';
    const fewer =
      new Set(counts).size > 1
        ? ' Later rounds have fewer trials where some stopped earlier, so that their means are of other trials.'
        : '';
    const more = data.leftOut === 0 ? '' : ` ${quantityIs(data.leftOut, 'further arm')} not drawn.`;
    return `${solid}Dashed: mean probability of the ${data.ofSets ? 'labels that the verdict names' : 'label that the role holds likeliest then'}. ${countsWords(counts, { noun: 'decided trial', each: 'behind each mark' })}.${fewer}${more}${smallN(Math.min(...cases))}`;
  },
  height: ({ panels }) => top + panels.length * panelHeight,
  option(data, paint, size) {
    const { panels, roles } = data;
    return {
      animation: false,
      legend: { ...legend(paint), data: [...roles] },
      tooltip: {
        ...tooltip(paint),
        trigger: 'item',
        formatter: ({ seriesId = '', dataIndex }: { seriesId?: string; dataIndex: number }) => {
          const found = marked(data, seriesId);
          const point = found?.points[dataIndex];
          const measure = found === null || point === undefined ? null : point[found.what];
          if (found === null || point === undefined || measure === null) return '';
          const of = lineNames(data.ofSets);
          return `${found.role}, ${found.panel.steps[point.at]}, n = ${measure.n}\n${of[found.what]} ${percent(measure.value ?? 0)}${interval(measure)}`;
        },
      },
      ...stackedPanels(
        {
          panels: panels.map(({ arm, steps }) => ({ title: cutName(arm, 60), steps })),
          top,
          left: 46,
          around: 54,
          margin: 0.4,
        },
        paint,
        size,
      ),
      yAxis: panels.map((_, index) => ({ ...shareAxis(paint), gridIndex: index, interval: 0.25 })),
      series: panels.flatMap((panel, index) => roleSeries(data, panel, index, paint)),
    };
  },
  table: ({ panels, ofSets }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      { name: 'role', as: 'text' },
      { name: 'step', as: 'text' },
      { name: lineNames(ofSets).truth, as: 'share' },
      { name: 'low', as: 'share' },
      { name: 'high', as: 'share' },
      { name: 'n with a truth', as: 'count' },
      { name: lineNames(ofSets).leading, as: 'share' },
      { name: `${lineNames(ofSets).brief}, low`, as: 'share' },
      { name: `${lineNames(ofSets).brief}, high`, as: 'share' },
      { name: 'n', as: 'count' },
    ],
    rows: pointsIn(panels).map(({ panel, role, point: { at, truth, leading } }) => [
      panel.arm,
      role,
      panel.steps[at] ?? '',
      truth?.value ?? null,
      truth?.low ?? null,
      truth?.high ?? null,
      truth?.n ?? 0,
      leading.value,
      leading.low,
      leading.high,
      leading.n,
    ]),
  }),
  behind(data, { seriesId, dataIndex }) {
    const found = marked(data, seriesId);
    const point = found?.points[dataIndex];
    if (point === undefined) return null;
    if (found?.what !== 'truth') return heldBehind(point);
    return { ...namedTrials(point.trials, { n: point.truth?.n ?? 0, of: 'trials' }), subset: { known: ['truth'] } };
  },
  behindRow({ panels }, row) {
    const found = pointsIn(panels)[row];
    return found === undefined ? null : heldBehind(found.point);
  },
};

/** Trials that hold a belief at a step, as far as they are named: one whose truth alone is not known has no line. */
const heldBehind = ({ trials, leading }: Point) => namedTrials(trials, { n: leading.n, of: 'trials' });

const pointsIn = (panels: readonly Panel[]) =>
  panels.flatMap((panel) => panel.roles.flatMap(({ role, points }) => points.map((point) => ({ panel, role, point }))));
