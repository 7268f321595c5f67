import { retitled } from '../../../shared/decidedBy.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import { textStyle, valueAxis, widthOf } from '../kit/axes.ts';
import { countsAsText, quantityIs } from '../kit/counts.ts';
import type { TrialsBehind } from '../kit/figure.ts';
import { armPanels, inPanels, mostPanels, panelText } from '../kit/layout.ts';
import { bar } from '../kit/marks.ts';
import { count, figure, share, table, text } from '../kit/plot.ts';
import { plainArms } from '../kit/points.ts';

type Bin = ArmStatistics['confidence_bins'][number];

const kinds = [
  { id: 'correct', name: 'right', colour: 'good' },
  { id: 'wrong', name: 'wrong', colour: 'bad' },
  { id: 'unknown', name: 'truth not known', colour: 'line-strong' },
] as const;
type Kind = (typeof kinds)[number]['id'];

const sum = (bins: readonly Bin[]) => bins.reduce((total, { correct, wrong, unknown }) => total + correct + wrong + unknown, 0);
const percents = ({ from, to }: Bin) => `${Math.round(from * 100)}–${Math.round(to * 100)}`;
const binText = (bin: Bin, named: readonly { readonly id: Kind; readonly name: string }[]) =>
  [`stated ${percents(bin)}%`, ...named.flatMap(({ id, name }) => (bin[id] === 0 ? [] : [`${name}: ${bin[id]}`]))].join('\n');

/** Distance of ticks, so that there are about three: 1, 2 or 5 of a power of ten. */
function stepOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most / 3)));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= most / 3) ?? most;
}

const around = { left: 52, right: 16, top: 24, bottom: 56 };
const high = 208;
/** A part of a bar is at least so many pixels high, or it would not be seen. */
const leastHigh = 2;

/** Trials of one kind in a bin; of all kinds where none is given. */
function behindBin(arm: string, bin: Bin, kind: Kind | null): TrialsBehind | null {
  const all: TrialsBehind = { arm, outcome: 'decided', confidence: { from: bin.from, to: bin.to } };
  if (kind === null) return { ...all, counts: { n: sum([bin]), of: 'trials' } };
  if (bin[kind] === 0) return null;
  return { ...all, correct: kind === 'unknown' ? null : kind === 'correct', counts: { n: bin[kind], of: 'trials' } };
}

export const confidenceHistogramFigure = figure({
  id: 'confidence-histogram',
  title: 'Stated confidence of the verdicts',
  requires: 'decided trials with a stated confidence',
  plot({ report }) {
    const arms = plainArms(report).filter(({ confidence_bins: bins }) => sum(bins) > 0);
    if (arms.length === 0) return null;
    const all = arms.flatMap((arm) => arm.confidence_bins);
    const unstated = arms.reduce((total, { decided }) => total + decided, 0) - sum(all);
    // The bins from a half upwards, and lower ones only where an arm has trials in them.
    const from = Math.min(0.5, ...all.filter((bin) => sum([bin]) > 0).map((bin) => bin.from));
    const shown = arms
      .slice(0, mostPanels)
      .map(({ arm, confidence_bins: bins }) => ({ arm, bins: bins.filter((bin) => bin.from >= from) }));
    const named = kinds.map((kind) => ({ ...kind, name: retitled(kind.name, report) }));
    const present = named.filter(({ id }) => all.some((bin) => bin[id] > 0));
    const most = Math.max(...shown.flatMap(({ bins }) => bins.map((bin) => sum([bin]))));
    const step = stepOf(most);
    const top = Math.ceil(most / step) * step;
    const least = (leastHigh * top) / (high - around.top - around.bottom);
    const panels = armPanels({ titles: shown.map(({ arm }) => arm), around, head: 30, high });
    const counts = countsAsText(arms, (arm) => sum(arm.confidence_bins), {
      noun: 'decided trial',
      about: 'with a stated confidence',
    });
    return {
      caption: `${counts}, in bins of equal width; a confidence on an edge belongs to the bin above.${unstated === 0 ? '' : ` ${quantityIs(unstated, 'decided trial')} left out because none was stated.`} What is stated is not what is known.${panelText(arms.length)}`,
      legend: present.map(({ name }) => name),
      ...inPanels(panels, shown, ({ bins }, paint, { width, place }) => {
        const names = bins.map(percents);
        const isBroken = names.some((name) => widthOf(name) + 6 > width / names.length);
        return {
          x: {
            type: 'category',
            name: 'stated confidence, %',
            nameLocation: 'middle',
            nameGap: isBroken ? 38 : 26,
            nameTextStyle: textStyle(paint),
            axisLabel: { ...textStyle(paint), interval: 0, lineHeight: 14 },
            axisTick: { show: false },
            axisLine: { lineStyle: { color: paint.colour('line-strong') } },
            data: isBroken ? names.map((name) => name.replace('–', '–\n')) : names,
          },
          y: {
            ...valueAxis(paint, { min: 0, max: top, ...(place % 2 === 0 ? { name: 'trials', nameGap: 36 } : {}) }),
            interval: step,
          },
        };
      }),
      marks: shown.flatMap(({ arm, bins }, panel) =>
        present.map(({ id, name, colour }, pattern) =>
          bar({
            id: `${id}-${panel}`,
            name,
            panel,
            rows: bins,
            stack: `arm-${panel}`,
            widest: 30,
            colour,
            pattern,
            value: (bin) => (bin[id] === 0 ? 0 : Math.max(least, bin[id])),
            tip: (bin) => binText(bin, named),
            behind: (bin) => behindBin(arm, bin, id),
          }),
        ),
      ),
      table: table(
        arms.flatMap(({ arm, confidence_bins: bins }) => bins.map((bin) => ({ arm, bin }))),
        [
          text('arm', ({ arm }: { arm: string; bin: Bin }) => arm),
          share('confidence from', ({ bin }) => bin.from),
          share('confidence to', ({ bin }) => bin.to),
          ...named.map(({ id, name }) => count(name, ({ bin }: { arm: string; bin: Bin }) => bin[id])),
        ],
        ({ arm, bin }) => behindBin(arm, bin, null),
      ),
    };
  },
});
