import { percent } from '../../../core/figures/shares.ts';
import { speakerName } from '../../../core/figures/speakers.ts';
import type { DeliberationFigures } from '../../../shared/api/deliberation.ts';
import { retitled } from '../../../shared/decidedBy.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { dodge, shareAxis, smallN } from '../kit/axes.ts';
import { idsOf } from '../kit/beliefLines.ts';
import { countsAsText } from '../kit/counts.ts';
import { inPanels, placesAxis, stackedPanels, stepPlaces } from '../kit/layout.ts';
import { line } from '../kit/marks.ts';
import { count, figure, share, table, text } from '../kit/plot.ts';
import { endColumns, namedTrials, shareText } from '../kit/points.ts';
import { interval } from '../kit/shapes.ts';

type Mean = Measure & { readonly trials: readonly string[] };

interface Row {
  readonly arm: string;
  readonly role: string;
  readonly step: string;
  /** Place of the step in the panel. */
  readonly at: number;
  /** Mean probability of the true label; null where no truth is known. */
  readonly truth: Mean | null;
  /** Mean probability of the label that the role itself holds likeliest; where several can apply, of those of the verdict. */
  readonly leading: Mean;
}

interface Panel {
  readonly arm: string;
  readonly steps: readonly string[];
  readonly roles: readonly (readonly Row[])[];
}

function panelsOf(source: DeliberationFigures): Panel[] {
  const { arms, roles, measures } = source;
  return arms.flatMap(({ name: arm, steps }, place): Panel[] => {
    const mine = measures.filter((each) => each.arm === place && each.role !== null && each.step !== null);
    const own = steps.filter((step) => mine.some((each) => each.step === step));
    if (own.length < 2) return [];
    const names = own.map((step) => source.steps[step]?.name ?? '');
    const rowsOf = (role: number) =>
      own.flatMap((step, at): Row[] => {
        const find = (name: string): Mean | undefined => {
          const found = mine.find((each) => each.role === role && each.step === step && each.measure.name === name);
          return found && { ...found.measure, trials: idsOf(source, found.rows ?? []) };
        };
        const leading = find('leading_probability') ?? find('verdict_probability');
        if (leading === undefined) return [];
        const truth = find('true_probability') ?? null;
        return [{ arm, role: speakerName(roles[role] ?? ''), step: names[at] ?? '', at, truth, leading }];
      });
    return [{ arm, steps: names, roles: [...roles.keys()].map(rowsOf).filter(({ length }) => length > 0) }];
  });
}

/** What both lines of a role are of. */
const lineNames = (ofSets: boolean) =>
  ofSets
    ? { truth: 'mean P(true labels)', leading: 'mean P(labels of the verdict)', brief: 'of the verdict' }
    : { truth: 'P(true label)', leading: 'P(likeliest label)', brief: 'likeliest' };

const behindMean = ({ trials, n }: Mean) => namedTrials(trials, { n, of: 'trials' });
const heldBehind = ({ leading }: Row) => behindMean(leading);

export const confidenceOverRoundsFigure = figure({
  id: 'confidence-over-rounds',
  title: 'Beliefs from round to round: how right and how sure',
  requires:
    'finished trials that state beliefs over rounds: arms of debate-feedback and evince, and those of socrasynth with free stances on cases with labels',
  needs: ['deliberation'],
  plot({ report, deliberation }) {
    const all = panelsOf(deliberation);
    if (all.length === 0) return null;
    const { shown, panels, more } = stackedPanels(all, ({ arm }) => arm, { left: 46, high: 220, below: 32 });
    const rows = shown.flatMap(({ roles }) => roles.flat());
    const roles = [...new Set(rows.map(({ role }) => role))];
    const { rule } = deliberation.follows;
    const ofSets = rule === 'true-labels' || rule === 'predicted-labels';
    const names = { ...lineNames(ofSets), truth: retitled(lineNames(ofSets).truth, report) };
    const counts = rows.map(({ leading }) => leading.n);
    const solid = rows.some(({ truth }) => truth !== null)
      ? `Solid: mean probability of the ${ofSets ? 'labels that are true of a case' : retitled('true label', report)}, with ${percent(report.interval.level)} bootstrap intervals over cases. `
      : retitled('No truth is known. ', report);
    const fewer =
      new Set(counts).size > 1
        ? ' Later rounds have fewer trials because some stopped earlier, so their means are over other trials.'
        : '';
    const tip = ({ role, step }: Row, name: string, measure: Measure) =>
      `${role}, ${step}, n = ${measure.n}\n${name} ${shareText(measure)}`;
    return {
      caption: `${solid}Dashed: mean probability of the ${ofSets ? 'labels that the verdict names' : 'label that the role holds likeliest then'}. ${countsAsText(counts, Number, { noun: 'decided trial', each: 'behind each mark' })}.${fewer}${more}${smallN(Math.min(...rows.map(({ leading }) => leading.cases)))}`,
      legend: roles,
      ...inPanels(panels, shown, ({ steps }, paint) => ({
        x: placesAxis(paint, stepPlaces(steps), { margin: 0.4 }),
        y: { ...shareAxis(paint), interval: 0.25 },
      })),
      marks: shown.flatMap((arm, panel) =>
        arm.roles.flatMap((mine, place) => {
          const role = mine[0]?.role ?? '';
          const offset = dodge(place, arm.roles.length, 0.06);
          const x = ({ at }: Row) => at + offset;
          const terms = { name: role, panel, x, colour: roles.indexOf(role) };
          const truth = {
            id: `truth:${panel}:${place}`,
            // Intervals and marks lie over one another place by place.
            rows: mine.flatMap((row) => (row.truth === null ? [] : [{ ...row, known: row.truth }])),
            behind: ({ known }: { known: Mean }) => ({ ...behindMean(known), subset: { known: ['truth' as const] } }),
          };
          return [
            line({
              ...terms,
              id: `leading:${panel}:${place}`,
              rows: mine,
              y: ({ leading }) => leading.value,
              size: 6,
              dash: 'dashed',
              width: 1.5,
              tip: (row) => tip(row, names.leading, row.leading),
              behind: heldBehind,
            }),
            line({ ...terms, ...truth, y: ({ known }) => known.value, tip: (row) => tip(row, names.truth, row.known) }),
            interval({
              ...terms,
              ...truth,
              at: x,
              along: 'y',
              low: ({ known }) => known.low,
              high: ({ known }) => known.high,
            }),
          ];
        }),
      ),
      table: table(
        rows,
        [
          text('arm', ({ arm }: Row) => arm),
          text('role', ({ role }) => role),
          text('step', ({ step }) => step),
          ...endColumns([names.truth, 'low', 'high'], share, ({ truth }: Row) => truth),
          count(retitled('n with a truth', report), ({ truth }) => truth?.n ?? 0),
          ...endColumns([names.leading, `${names.brief}, low`, `${names.brief}, high`], share, ({ leading }: Row) => leading),
          count('n', ({ leading }) => leading.n),
        ],
        heldBehind,
      ),
    };
  },
});
