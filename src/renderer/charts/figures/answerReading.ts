import { methodText, refusals } from '../../../core/figures/answerText.ts';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { failureOutcomes } from '../../../shared/domain.ts';
import type { AnswerCounts } from '../../../shared/statistics.ts';
import { countsAsText } from '../kit/counts.ts';
import type { TrialsBehind } from '../kit/figure.ts';
import { dot } from '../kit/marks.ts';
import { partRows, partText } from '../kit/partRows.ts';
import { count, figure, table, text } from '../kit/plot.ts';
import { plainArms } from '../kit/points.ts';

interface Arm {
  readonly arm: string;
  /** Ended trials. */
  readonly n: number;
  readonly answers: AnswerCounts;
  /** Requests by method or by why their answer was refused. */
  readonly kinds: Readonly<Record<string, number>>;
}

const usable = 'first answers usable';
const refusalOrder = [...failureOutcomes, 'looped'];
const refusalText = (kind: string) => `refused: ${kind === 'looped' ? 'answer repeated itself' : outcomeText(kind)}`;

const shareUsable = ({ answers }: Arm) => (answers.first === 0 ? null : answers.first_usable / answers.first);
const allKeys = (records: readonly object[]) => [...new Set(records.flatMap((each) => Object.keys(each)))];
const trialsOf = ({ arm, n }: Arm): TrialsBehind => ({ arm, status: 'done', counts: { n, of: 'trials' } });

export const answerReadingFigure = figure({
  id: 'answer-reading',
  title: 'How answers were read, and why others were refused',
  paper: 'AgenticSimLaw: counts of parsing methods',
  requires: 'an answer that was refused, that has a flag, or that was not read as one whole JSON object',
  plot({ report }) {
    const rows = plainArms(report).flatMap(({ arm, n, answers }): Arm[] =>
      answers === undefined ? [] : [{ arm, n, answers, kinds: { ...answers.methods, ...refusals(answers) } }],
    );
    if (rows.length === 0) return null;
    const methods = allKeys(rows.map(({ answers }) => answers.methods));
    const refused = allKeys(rows.map(({ answers }) => refusals(answers)));
    const flags = allKeys(rows.map(({ answers }) => answers.flags));
    if (refused.length + flags.length === 0 && methods.every((method) => method === 'json')) {
      return null;
    }
    const kinds = [
      ...methods.map((id) => ({ id, name: methodText(id) })),
      ...refusalOrder.filter((id) => refused.includes(id)).map((id) => ({ id, name: refusalText(id) })),
    ];
    const counts = countsAsText(rows, ({ answers }) => answers.requests, { noun: 'request', about: 'of ended trials' });
    return {
      caption: `${counts}, further attempts included. Bars: shares of the requests by how their answer was read, or why it was refused. Diamonds: share of the first attempts whose answer could be used. There are no intervals, since the answers of one trial depend on each other. A mark opens all ended trials of its arm.`,
      ...partRows({
        rows,
        name: ({ arm }) => arm,
        kinds,
        part: (arm, id) => arm.kinds[id] ?? 0,
        whole: ({ answers }) => answers.requests,
        behind: trialsOf,
        names: [usable],
        marks: [
          dot({
            id: 'first-usable',
            name: usable,
            rows,
            x: shareUsable,
            y: (_arm, at) => at,
            colour: 'ink',
            symbol: 'diamond',
            offset: [0, 12],
            tip: (arm) => partText(arm.arm, usable, arm.answers.first_usable, arm.answers.first),
            behind: (arm) => (shareUsable(arm) === null ? null : trialsOf(arm)),
          }),
        ],
      }),
      table: table(
        rows,
        [
          text('arm', ({ arm }: Arm) => arm),
          count('requests', ({ answers }) => answers.requests),
          count('first attempts', ({ answers }) => answers.first),
          count(usable, ({ answers }) => answers.first_usable),
          ...kinds.map(({ id, name }) => count(name, (arm: Arm) => arm.kinds[id] ?? 0)),
          ...flags.map((flag) => count(`flag ${flag}`, ({ answers }: Arm) => answers.flags[flag] ?? 0)),
        ],
        trialsOf,
      ),
    };
  },
});
