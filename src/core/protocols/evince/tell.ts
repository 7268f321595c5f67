// What a trial of EVINCE shows in addition to its transcript: positions of both agents, and the measures of their exchanges.

import { labelNoun } from '../../../shared/decidedBy.ts';
import { quantity } from '../../../shared/sizes.ts';
import { leadingLabels } from '../../figures/beliefChanges.ts';
import {
  briefly,
  type DebateMeasure,
  debateCsv,
  debateLines,
  debateMeasures,
  measureText,
  totalChange,
  valuesOf,
} from '../../figures/exchangeMeasures.ts';
import {
  agents,
  coursesOf,
  type Debate,
  type DebateRound,
  type DebateTurn,
  debateOf,
  type ExchangeEntry,
  endOf,
  type LabelCourse,
  labelDoubt,
} from '../../figures/exchanges.ts';
import { percent } from '../../figures/shares.ts';
import { sideOf, speakerName } from '../../figures/speakers.ts';
import {
  type Block,
  type Card,
  type Cell,
  type ChartBlock,
  cell,
  labelName,
  type Section,
  type Span,
  speech,
  type Telling,
  type ToldTrial,
  withCalls,
  words,
} from '../../telling/blocks.ts';
import { awaited, precedentsSection, spokenBlocks, verdictSection } from '../../telling/sections.ts';
import type { Weighting } from './exchange.ts';

interface Weighed {
  readonly weights: Weighting;
}

function foundSection({ entries, line }: ToldTrial, { weights: by }: Weighed): Section[] {
  const ruling = entries.findLast((entry) => entry.kind === 'ruling');
  const weights = ruling?.grounds?.mixture?.weights;
  if (ruling === undefined || weights === undefined) return [];
  const doubt = labelDoubt(ruling.grounds?.verbal ?? null, line.truth);
  const parts = Object.entries(weights).map(([role, weight]) => `${speakerName(role)} ${briefly(weight)}`);
  const weighed =
    new Set(Object.values(weights)).size === 1
      ? 'both weighing the same'
      : `weighed by ${by === 'crit' ? 'CRIT' : 'how sure each is'}`;
  const tied =
    leadingLabels(ruling.grounds?.verbal ?? {}).length > 1 ? ' It is a tie: the first in the order of the labels decides.' : '';
  const doubted: readonly Span[] = [
    { pill: 'label in doubt', tone: 'warn' },
    line.decided_by === undefined ? ' The true label of the data, ' : ` The ${labelNoun(line)}, `,
    labelName(line.truth),
    `, has ${percent(doubt ?? 0)} of the mixture. Either both agents are wrong, or ${line.decided_by === undefined ? 'the label is' : 'that decision is'}: no agent knew it.`,
  ];
  return [
    {
      ...{ id: 'found', title: 'How it was found' },
      blocks: [
        words(`The likeliest label of the mixture of what both agents stated last, ${weighed}: ${parts.join(', ')}.${tied}`),
        ...(doubt === null ? [] : [words(doubted)]),
      ],
    },
  ];
}

const number = (text: string): Cell => cell(text, { isNumber: true });

/** Labels that have their own chart, and those that are listed with their numbers. */
const mostCharts = 12;
const mostListed = 40;

const inWords = (values: readonly (number | null)[]) =>
  values.map((value) => (value === null ? 'nothing' : percent(value))).join(', ');

const roundNames = (count: number) => Array.from({ length: count }, (_none, index) => String(index + 1));

function courseTable(listed: readonly LabelCourse[], rounds: readonly DebateRound[]): Block {
  const heads = rounds.map(({ number: round }) => cell(`Round ${round}`, { columns: 2 }));
  return {
    kind: 'table',
    name: 'All probabilities by round',
    caption: 'Probabilities as stated, divided by their sum. A dash: nothing was stated.',
    head: [[cell('Label', { rows: 2 }), ...heads], rounds.flatMap(() => [number('A'), number('B')])],
    rows: listed.map(({ label, shares }) => [
      cell({ name: label }),
      ...shares.flatMap((share) =>
        agents.map((role) => {
          const value = share[role];
          return number(value === null ? '–' : percent(value));
        }),
      ),
    ]),
  };
}

function coursesSection({ rounds }: Debate, { labels }: ToldTrial): Section[] {
  const { listed, rest, never } = coursesOf(labels, rounds, mostListed);
  if (listed.length === 0) return [];
  const charts = listed.slice(0, mostCharts).map(({ label, shares }): ChartBlock => {
    const [first, second] = [shares.map(({ agentA }) => agentA), shares.map(({ agentB }) => agentB)];
    return {
      ...{ kind: 'chart', title: { name: label }, range: [0, 1], unit: 'percent', at: roundNames(rounds.length) },
      label: `Probability by round. Agent A: ${inWords(first)}. Agent B: ${inWords(second)}.`,
      lines: [
        { of: 'first', letter: 'A', values: first },
        { of: 'second', letter: 'B', values: second },
      ],
    };
  });
  const others = [
    rest === 0 ? '' : `${quantity(rest, 'label')} more had a smaller share at some time. `,
    never === 0 ? '' : `${quantity(never, 'label')} nobody found likely in any round.`,
  ].join('');
  return [
    {
      ...{ id: 'courses', title: 'Where both stand', aside: 'as stated, round by round' },
      blocks: [
        { kind: 'charts', hasLegend: true, charts },
        ...(others === '' ? [] : [words(others, 'quiet')]),
        { kind: 'fold', title: 'All numbers', aside: 'label by label', blocks: [courseTable(listed, rounds)] },
      ],
    },
  ];
}

/** Measures that are drawn; the table has all. */
const drawn: ReadonlySet<string> = new Set([
  'contentiousness',
  'crit',
  'wd',
  'jsd',
  'nmi',
  'entropy',
  'mixtureEntropy',
  'informationGain',
]);

const linesOf: Readonly<Record<string, 'first' | 'second'>> = { A: 'first', B: 'second' };

function measureChart(measure: DebateMeasure, exchanges: readonly ExchangeEntry[], labels: number): ChartBlock[] {
  const lines = measure.lines.map(({ of, value }) => {
    return { of: linesOf[of] ?? ('both' as const), letter: of, values: valuesOf({ value }, exchanges) };
  });
  const values = lines.flatMap((line) => line.values.filter((value) => value !== null));
  if (values.length === 0) return [];
  const rows = lines.map(({ letter, values: all }) => `${letter === '' ? '' : `${letter}: `}${all.map(measureText).join(', ')}`);
  return [
    {
      ...{ kind: 'chart', title: measure.name, aside: measure.range, unit: 'number', at: roundNames(exchanges.length) },
      ...{ lines, label: `${measure.name} by round. ${rows.join('; ')}. ${measure.meaning}` },
      range: [Math.min(0, ...values), measure.most ?? Math.max(Math.log(Math.max(2, labels)), ...values)],
    },
  ];
}

/** `−0.8 (−47%)`. */
function changeText(values: readonly (number | null)[]): string {
  const change = totalChange(values);
  if (change === null) return '–';
  return `${measureText(change.by)}${change.share === null ? '' : ` (${percent(change.share).replace('-', '−')})`}`;
}

function measureTable(exchanges: readonly ExchangeEntry[]): Block {
  return {
    kind: 'table',
    name: 'All measures by round',
    caption: 'Natural logarithms throughout. A dash: there is no such value in that round.',
    head: [
      [
        cell('Measure'),
        ...exchanges.map(({ round }) => number(`Round ${round}`)),
        number('Total change'),
        cell('Range'),
        cell('What it tells'),
      ],
    ],
    rows: debateLines.map(({ measure, title, value }) => [
      cell(title),
      ...valuesOf({ value }, exchanges).map((found) => number(measureText(found))),
      number(changeText(valuesOf({ value }, exchanges))),
      { blocks: [words(measure.range, 'quiet')] },
      { blocks: [words(measure.meaning, 'quiet')] },
    ]),
  };
}

function measuresSection(debate: Debate, { labels }: ToldTrial): Section[] {
  const { exchanges } = debate;
  if (exchanges.length === 0) return [];
  const charts = debateMeasures
    .filter(({ id }) => drawn.has(id))
    .flatMap((measure) => measureChart(measure, exchanges, labels.length));
  return [
    {
      ...{ id: 'measures', title: 'How far apart', aside: endOf(debate) ?? 'the debate continues' },
      blocks: [
        { kind: 'charts', hasLegend: false, charts },
        {
          kind: 'fold',
          title: 'All measures',
          aside: 'with range and meaning',
          blocks: [{ kind: 'copy', title: 'Copy as CSV', text: debateCsv(exchanges) }, measureTable(exchanges)],
        },
      ],
    },
  ];
}

function standBlocks({ belief, crit, role }: DebateTurn, { exchange }: DebateRound): Block[] {
  if (belief === null) return [];
  const isHeldBack = exchange?.sides[role].admitted === false;
  const pills: Span[] = [
    ...(isHeldBack ? [{ pill: 'held back', tone: 'warn' } as const] : []),
    ...(belief.inconsistent ? [{ pill: 'belief and label disagree', tone: 'warn' } as const] : []),
  ];
  const sure = belief.confidence === null ? 'no probability stated' : percent(belief.confidence);
  return [
    words([
      { strong: labelName(belief.prediction) },
      ' ',
      { quiet: `${sure}${crit === null ? '' : ` · CRIT ${briefly(crit / 10)} of 1`}` },
    ]),
    ...(pills.length === 0 ? [] : [words(pills)]),
    ...(isHeldBack ? [words('The other agent did not read these arguments.', 'quiet')] : []),
  ];
}

function turnCard(turn: DebateTurn, round: DebateRound, trial: ToldTrial): Card {
  const { role, speech: said, forfeit } = turn;
  const name = speakerName(role);
  return {
    name: `${name}, round ${round.number}`,
    title: withCalls(name, said ?? forfeit, `the answer of ${name} in round ${round.number}`),
    side: sideOf(role),
    lost: forfeit !== null,
    blocks: [
      ...(forfeit === null && said !== null ? standBlocks(turn, round) : []),
      ...spokenBlocks(
        turn,
        'What this agent stated last still counts.',
        awaited(trial, `round-${round.number}/${role}`, ['arguments']),
      ),
    ],
  };
}

function roundsSection({ rounds }: Debate, trial: ToldTrial): Section[] {
  if (rounds.length === 0) return [];
  const parts = rounds.map((round): Block => {
    const { exchange, number, turns } = round;
    const k = exchange?.contentiousness ?? null;
    const details = [
      ...(k === null ? [] : [`contentiousness ${briefly(k)} of 1`]),
      ...(exchange === null ? [] : [`WD ${briefly(exchange.wd)}`]),
    ];
    const cards = agents.map((role) => turnCard(turns[role], round, trial));
    return { kind: 'part', title: `Round ${number}`, aside: details.join(' · '), blocks: [{ kind: 'cards', as: 'pair', cards }] };
  });
  const aside = 'in each round Agent B has read what Agent A has just said';
  return [{ id: 'debate', title: 'The debate', aside, blocks: parts }];
}

const kindText = { inquiry: 'ask', test: 'test', fact: 'look up' } as const;

function recommendationsSection({ proposal, recommendations }: Debate): Section[] {
  if (recommendations === null && proposal === null) return [];
  const level = recommendations === null ? '' : measureText(recommendations.contentiousness);
  const aside = recommendations === null ? 'the list of both is not made' : `of both agents, at contentiousness ${level}`;
  const items = recommendations?.recommendations.map(({ kind, text, reason }) => [
    words([{ pill: kindText[kind], tone: 'judge' }, ' ', { name: text ?? erased }]),
    words({ name: reason ?? erased }, 'quiet'),
  ]);
  return [
    {
      ...{ id: 'recommendations', title: 'Recommendations', aside },
      blocks: [
        ...(items === undefined ? [] : [{ kind: 'list', items } as const]),
        ...(proposal === null
          ? []
          : [{ kind: 'fold', title: 'What Agent A proposed', blocks: [speech(proposal.text)] } as const]),
      ],
    },
  ];
}

const erased = 'This text was erased from the record.';

/** A trial of EVINCE: both distributions, the measures, the debate, what both recommend, the verdict. */
export const evinceTelling: Telling<Weighed> = {
  title: 'Debate',
  tell: (trial, params) => {
    const debate = debateOf(trial.entries, trial.writing);
    return [
      verdictSection(trial),
      ...foundSection(trial, params),
      ...coursesSection(debate, trial),
      ...measuresSection(debate, trial),
      ...roundsSection(debate, trial),
      ...precedentsSection(trial, 'Known cases'),
      ...recommendationsSection(debate),
    ];
  },
};
