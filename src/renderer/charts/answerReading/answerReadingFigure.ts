import { methodWords, refusals } from '../../../core/figures/answerWords.ts';
import { percent } from '../../../core/figures/shares.ts';
import { failureOutcomes } from '../../../shared/domain.ts';
import type { AnswerCounts } from '../../../shared/statistics.ts';
import { outcomeWords } from '../../ui/outcomeWords.ts';
import { quantity } from '../../ui/quantity.ts';
import { plainArms } from '../estimates/points.ts';
import { legend, nameAxis, shareAxis, shownName, tooltip } from '../kit/axes.ts';
import { countsWords } from '../kit/counts.ts';
import type { Figure, TrialsBehind } from '../kit/figure.ts';

interface Arm {
  readonly arm: string;
  /** Ended trials. */
  readonly n: number;
  readonly answers: AnswerCounts;
  /** Requests by method or by why their answer was refused. */
  readonly kinds: Readonly<Record<string, number>>;
}

interface Kind {
  readonly id: string;
  readonly name: string;
}

interface Data {
  readonly arms: readonly Arm[];
  /** Methods and refusals that occur, in the order in which they are stacked. */
  readonly kinds: readonly Kind[];
  readonly flags: readonly string[];
}

const row = 34;
/** Above the bars stands the legend, two names a row where it is narrow. */
const headOf = ({ kinds }: Data) => 40 + 18 * Math.ceil((kinds.length + 1) / 2);
const usable = { id: 'first-usable', name: 'first answers usable' } as const;
const refusalOrder = [...failureOutcomes, 'looped'];
const refusalWords = (kind: string) => `refused: ${kind === 'looped' ? 'answer repeated itself' : outcomeWords(kind)}`;

const shareIn = ({ kinds, answers }: Arm, id: string) => (kinds[id] ?? 0) / answers.requests;
const shareUsable = ({ answers }: Arm) => (answers.first === 0 ? null : answers.first_usable / answers.first);
const allKeys = (records: readonly object[]) => [...new Set(records.flatMap((each) => Object.keys(each)))];

const behindArm = (found: Arm | undefined): TrialsBehind | null =>
  found === undefined ? null : { arm: found.arm, status: 'done', counts: { n: found.n, of: 'trials' } };

/** By which method answers were read, and why the others were refused. */
export const answerReadingFigure: Figure<Data> = {
  id: 'answer-reading',
  title: 'How answers were read, and why others were refused',
  paper: 'AgenticSimLaw: counts of parsing methods',
  group: 'performance',
  needs: [],
  data({ report }) {
    const arms = plainArms(report).flatMap(({ arm, n, answers }): Arm[] =>
      answers === undefined ? [] : [{ arm, n, answers, kinds: { ...answers.methods, ...refusals(answers) } }],
    );
    if (arms.length === 0) {
      return { absent: 'No answers are counted: no model was asked, or trials are still under way.' };
    }
    const methods = allKeys(arms.map(({ answers }) => answers.methods));
    const refused = allKeys(arms.map(({ answers }) => refusals(answers)));
    const flags = allKeys(arms.map(({ answers }) => answers.flags));
    if (refused.length + flags.length === 0 && methods.every((method) => method === 'json')) {
      const requests = arms.reduce((sum, { answers }) => sum + answers.requests, 0);
      return { absent: `Of ${quantity(requests, 'answer')} each was read as one whole JSON object, and none has a flag.` };
    }
    return {
      arms,
      kinds: [
        ...methods.map((id) => ({ id, name: methodWords(id) })),
        ...refusalOrder.filter((id) => refused.includes(id)).map((id) => ({ id, name: refusalWords(id) })),
      ],
      flags,
    };
  },
  caption({ arms }) {
    const counts = countsWords(
      arms.map(({ answers }) => answers.requests),
      { noun: 'request', about: 'of ended trials' },
    );
    return `${counts}, further attempts included. Bars: shares of the requests by how their answer was read, or why it was refused. Diamonds: share of the first attempts whose answer could be used. There are no intervals, since the answers of one trial depend on each other. A mark opens all ended trials of its arm.`;
  },
  height: (data) => headOf(data) + data.arms.length * row + 30,
  option(data, paint, { width }) {
    const { arms, kinds } = data;
    const longest = Math.max(...arms.map(({ arm }) => shownName(arm).length)) * 7;
    const room = Math.round(Math.min(longest, 240, Math.max(84, width * 0.34)));
    const bars = kinds.map(({ id, name }, place) => {
      const { colour, decal } = paint.series(place);
      return {
        type: 'bar' as const,
        id,
        name,
        stack: 'answers',
        barWidth: 12,
        itemStyle: { color: colour, decal, borderColor: paint.colour('panel'), borderWidth: 0.5 },
        data: arms.map((arm) => shareIn(arm, id)),
      };
    });
    const words = (arm: Arm, id: string) => {
      const { first, first_usable, requests } = arm.answers;
      if (id === usable.id) return `${usable.name}: ${first_usable} of ${first}, ${percent(shareUsable(arm) ?? 0)}`;
      const name = kinds.find((kind) => kind.id === id)?.name ?? id;
      return `${name}: ${arm.kinds[id] ?? 0} of ${requests}, ${percent(shareIn(arm, id))}`;
    };
    return {
      animation: false,
      grid: { left: room + 10, right: 20, top: headOf(data), bottom: 30 },
      legend: { ...legend(paint), type: 'plain', data: [...bars, usable].map(({ name }) => name) },
      tooltip: {
        ...tooltip(paint),
        trigger: 'item',
        formatter: ({ seriesId = '', dataIndex = 0 }: { seriesId?: string; dataIndex?: number }) => {
          const arm = arms[dataIndex];
          return arm === undefined ? '' : `${shownName(arm.arm)}\n${words(arm, seriesId)}`;
        },
      },
      xAxis: shareAxis(paint),
      yAxis: nameAxis(
        paint,
        arms.map(({ arm }) => arm),
        { room, upright: true },
      ),
      series: [
        ...bars,
        {
          type: 'scatter' as const,
          ...usable,
          symbol: 'diamond',
          symbolSize: 9,
          symbolOffset: [0, 12],
          itemStyle: { color: paint.colour('ink') },
          data: arms.map((arm, at) => [shareUsable(arm) ?? '-', at]),
        },
      ],
    };
  },
  table: ({ arms, kinds, flags }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      ...['requests', 'first attempts', usable.name].map((name) => ({ name, as: 'count' as const })),
      ...kinds.map(({ name }) => ({ name, as: 'count' as const })),
      ...flags.map((flag) => ({ name: `flag ${flag}`, as: 'count' as const })),
    ],
    rows: arms.map(({ arm, answers, kinds: counts }) => [
      arm,
      answers.requests,
      answers.first,
      answers.first_usable,
      ...kinds.map(({ id }) => counts[id] ?? 0),
      ...flags.map((flag) => answers.flags[flag] ?? 0),
    ]),
  }),
  behind({ arms, kinds }, { seriesId, dataIndex }) {
    const arm = arms[dataIndex];
    if (arm === undefined) return null;
    const drawn =
      seriesId === usable.id ? shareUsable(arm) !== null : kinds.some(({ id }) => id === seriesId && shareIn(arm, id) > 0);
    return drawn ? behindArm(arm) : null;
  },
  behindRow: ({ arms }, place) => behindArm(arms[place]),
};
