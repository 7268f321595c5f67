// Tells a SocraSynth debate from its events.
import type { CritReason, Evaluation, Weighed } from '../../../shared/crit.ts';
import {
  type DebateFigure,
  type DebateRound,
  debateOf,
  type PanelRow,
  type RoundSide,
  sideNames,
  stopText,
  winnerText,
} from '../../figures/debate.ts';
import { balanceText, betterText, draftText, remarkText, stopLevelText, unaskedBalance } from '../../figures/debateText.ts';
import type { PanelSide } from '../../figures/panel.ts';
import { percent } from '../../figures/shares.ts';
import { sideOf, speakerName } from '../../figures/speakers.ts';
import {
  type Block,
  type Cell,
  labelName,
  type Section,
  type Span,
  speech,
  type Telling,
  type ToldTrial,
  type Words,
  words,
} from '../../telling/blocks.ts';
import { awaited, verdictSection } from '../../telling/sections.ts';

const sides: readonly PanelSide[] = ['agentA', 'agentB'];
const cell = (text: Words, about: Omit<Cell, 'blocks'> = {}): Cell => ({ blocks: [words(text)], ...about });

/** What is argued about, and what the critic says of it. */
function subtopicsSection({ settled, subtopics, remark }: DebateFigure): Section {
  const section = { id: 'subtopics', title: 'Subtopics' };
  if (settled === null) return { ...section, blocks: [words('The agents have not settled on any yet.', 'quiet')] };
  const found = balanceText(settled);
  return {
    ...section,
    aside: [
      `as ${settled.settledBy === 'moderator' ? 'the moderator left' : 'both agents settled'} them `,
      { callsOf: settled.seq, what: 'the subtopics' },
    ],
    blocks: [
      {
        kind: 'list',
        isNumbered: true,
        items: subtopics.map(({ title, scope }) => [words([{ strong: { name: title } }, ' ', { quiet: { name: scope } }])]),
      },
      ...(found === null
        ? [words(unaskedBalance, 'quiet')]
        : [
            words(['The critic finds them ', { pill: found, tone: settled.balanced === true ? 'good' : 'warn' }]),
            speech(settled.balance, { isPrivate: true }),
          ]),
      ...(remark === null ? [] : [words([`${remarkText(remark)} `, { name: remark.text }], 'quiet')]),
    ],
  };
}

const weight = ({ validity, credibility }: Weighed): Span => ({
  quiet: `validity ${validity.toFixed(1)} of 10, credibility ${credibility.toFixed(2)}`,
});

function reasonBlocks(reason: CritReason): Block[] {
  const { text, examined } = reason;
  if (examined === null) return [words([{ name: text }, ' ', weight(reason)])];
  const own = `Examined as a claim of its own: ${examined.score.toFixed(2)} of 10 takes the place of its validity.`;
  return [
    words([{ name: text }, ' ', weight(reason)]),
    { kind: 'list', items: [[words(own, 'quiet'), ...evaluationBlocks(examined)]] },
  ];
}

function evaluationBlocks({ claim, reasons, rivals, justification }: Evaluation): Block[] {
  const list = (items: readonly (readonly Block[])[]): Block =>
    items.length === 0 ? words('None was found.', 'quiet') : { kind: 'list', items };
  return [
    words([{ strong: 'Claim:' }, ' ', { name: claim }]),
    words('Reasons for it', 'title'),
    list(reasons.map(reasonBlocks)),
    words('Rivals, reasons against it', 'title'),
    list(rivals.map((rival) => [words([{ name: rival.text }, ' ', weight(rival)])])),
    words({ name: justification }),
  ];
}

/** The critic's score of a round, with the reasons and rivals behind it. */
function scoreBlocks({ evaluation, unscored, title }: DebateRound): Block[] {
  if (unscored) return [words('The critic gave no valid score. The debate went on without one.', 'bad')];
  if (evaluation === null) return [];
  const { seq, score, evaluation: found } = evaluation;
  const calls = words({ callsOf: seq, what: `the score of ${title.toLowerCase()}` });
  const text = found === null ? [speech(null)] : evaluationBlocks(found);
  const aside = `of 10, of all that was said up to ${title.toLowerCase()}`;
  return [{ kind: 'fold', title: `CRIT score G = ${score.toFixed(2)}`, aside, blocks: [calls, ...text] }];
}

function sideHead(side: PanelSide, { belief, speeches, forfeit }: RoundSide, title: string): Cell {
  const entry = speeches.find((said) => said !== null) ?? forfeit;
  const sure = belief === null || belief.confidence === null ? '' : `, ${percent(belief.confidence)}`;
  const calls = entry === null ? [] : [' ', { callsOf: entry.seq, what: `${title.toLowerCase()} of ${sideNames[side]}` }];
  const predicts = belief === null ? [] : [words({ quiet: ['predicts ', labelName(belief.prediction), sure] })];
  return { blocks: [words([sideNames[side], ...calls]), ...predicts], side: sideOf(side) };
}

/** One round: subtopics as rows, what each side argues on them, how contentious it was to be, and the critic's score. */
function roundPart(round: DebateRound, { subtopics }: DebateFigure, trial: ToldTrial): Block {
  const { name, title, contentiousness } = round;
  const argument = (side: PanelSide, index: number): Block => {
    const { speeches, forfeit } = round.sides[side];
    const said = speeches[index] ?? null;
    if (said !== null) return speech(said.text, { ofCase: true });
    if (forfeit !== null) return { kind: 'failure', failure: forfeit.failure, result: '' };
    return awaited(trial, `${name}/${side}`, [`topic_${index + 1}`]);
  };
  return {
    ...{ kind: 'part', title },
    ...(contentiousness === null ? {} : { aside: `contentiousness ${contentiousness.toFixed(2)} of 1` }),
    blocks: [
      {
        kind: 'table',
        name: `Arguments, ${title}`,
        isWide: true,
        head: [[cell('Subtopic'), ...sides.map((side) => sideHead(side, round.sides[side], title))]],
        rows: subtopics.map((subtopic, index) => [
          cell({ name: subtopic.title }),
          ...sides.map((side) => ({ blocks: [argument(side, index)], side: sideOf(side) })),
        ]),
      },
      ...scoreBlocks(round),
    ],
  };
}

function debateSection(debate: DebateFigure, trial: ToldTrial): Section[] {
  const { rounds, stop } = debate;
  if (rounds.length === 0) return [];
  const isClosing = ({ name }: DebateRound) => name === 'closing';
  const end = stop === null ? [] : [words(`${stopText[stop.reason]} ${stopLevelText(stop)}`, 'quiet')];
  const part = (round: DebateRound) => roundPart(round, debate, trial);
  const blocks = [...rounds.filter((round) => !isClosing(round)).map(part), ...end, ...rounds.filter(isClosing).map(part)];
  return [{ id: 'debate', title: 'Debate', blocks }];
}

/** What both agents propose together after the debate. */
function proposalSection({ proposal }: DebateFigure): Section[] {
  if (proposal === null) return [];
  const { seq, stage, proposal: text } = proposal;
  const lists = [
    ['Open questions', text?.open_questions ?? []],
    ['Next steps', text?.next_steps ?? []],
  ] as const;
  const columns = lists
    .filter(([, items]) => items.length > 0)
    .map(([title, items]): Block[] => [
      words(title, 'title'),
      { kind: 'list', items: items.map((item) => [words({ name: item })]) },
    ]);
  return [
    {
      ...{ id: 'proposal', title: 'Joint proposal', aside: { callsOf: seq, what: 'the joint proposal' } },
      blocks: [
        ...(stage === 'draft' ? [words(draftText, 'bad')] : []),
        speech(text?.proposal ?? null),
        ...(columns.length === 0 ? [] : [{ kind: 'columns', columns } as const]),
      ],
    },
  ];
}

const nameOf = ({ sheet }: PanelRow) => `${speakerName(sheet.role)}, ${sideNames[sheet.first]} first`;

function opinionFold(row: PanelRow): Block {
  const { opinion } = row.sheet;
  const told =
    opinion === null
      ? [speech(null)]
      : [
          ...sides.map((side) => words([{ strong: `Claim of ${sideNames[side]}:` }, ' ', { name: opinion.claims[side] }])),
          words({ name: opinion.justification }),
        ];
  return { kind: 'fold', title: `Why: ${nameOf(row)}`, blocks: told };
}

/** Scores of every judge in both orders, with totals, winners, and whom the judges themselves declare. */
function panelSection({ panel, subtopics, agreement: { same, judges } }: DebateFigure): Section[] {
  if (panel.length === 0) return [];
  const number = (side: PanelSide, value: Words): Cell => cell(value, { side: sideOf(side), isNumber: true });
  const points = (title: Words, value: (row: PanelRow, side: PanelSide) => Words): Cell[] => [
    cell(title),
    ...panel.flatMap((row) => sides.map((side) => number(side, value(row, side)))),
  ];
  const whole = (title: string, value: (row: PanelRow) => Words): Cell[] => [
    cell(title),
    ...panel.map((row) => cell(value(row), { columns: 2 })),
  ];
  const heads = panel.map((row) =>
    cell([nameOf(row), ' ', { callsOf: row.sheet.seq, what: `the scores of ${nameOf(row)}` }], { columns: 2 }),
  );
  const declared = ({ sheet }: PanelRow): Words => {
    const who = winnerText(sheet.declared);
    return sheet.declared === sheet.winner ? who : { pill: who, tone: 'warn' };
  };
  const agree = `both orders agree for ${same} of ${judges} ${judges === 1 ? 'judge' : 'judges'}`;
  return [
    {
      ...{ id: 'panel', title: 'The panel', ...(judges === 0 ? {} : { aside: agree }) },
      blocks: [
        {
          kind: 'table',
          name: 'Points of the panel',
          caption: 'Points of agent A and of agent B, from 1 to 10 on every subtopic; equal totals are a tie.',
          head: [
            [cell('Subtopic', { rows: 2 }), ...heads],
            panel.flatMap(() => sides.map((side) => number(side, side === 'agentA' ? 'A' : 'B'))),
          ],
          rows: subtopics.map(({ title }, index) =>
            points({ name: title }, ({ sheet }, side) => String(sheet.scores[index]?.[side] ?? '')),
          ),
          foot: [
            points('Total', ({ totals }, side) => ({ strong: String(totals[side]) })),
            whole('Winner by points', ({ sheet }) => ({ strong: winnerText(sheet.winner) })),
            whole('Declared by the judge', declared),
          ],
        },
        ...panel.map(opinionFold),
      ],
    },
  ];
}

/** The debate beside an answer to the same question by a single model. */
function comparisonSection({ answer, comparisons, subtopics }: DebateFigure): Section[] {
  if (answer === null) return [];
  const heads = ['Debate: depth', 'quality', 'Answer: depth', 'quality'];
  const tables = comparisons.flatMap(({ seq, role, scores, better, justification }): Block[] => {
    const name = speakerName(role);
    const calls = { callsOf: seq, what: `the comparison of ${name}` };
    const rows = subtopics.map(({ title }, index) => {
      const found = scores[index];
      const numbers = [found?.debate.depth, found?.debate.quality, found?.answer.depth, found?.answer.quality];
      return [cell({ name: title }), ...numbers.map((value) => cell(String(value ?? ''), { isNumber: true }))];
    });
    const head = [[cell('Subtopic'), ...heads.map((text) => cell(text, { isNumber: true }))]];
    return [
      {
        kind: 'table',
        name: `Comparison of ${name}`,
        caption: [`${name}: `, { strong: betterText[better] }, ' ', calls],
        head,
        rows,
      },
      speech(justification),
    ];
  });
  const plain: Block = {
    kind: 'fold',
    title: 'The plain answer',
    aside: 'by the model of agent A, without any debate',
    blocks: [speech(answer.answer)],
  };
  const aside = 'depth and quality, from 1 to 10';
  return [{ id: 'comparison', title: 'Debate and plain answer', aside, blocks: [...tables, plain] }];
}

/** A debate of SocraSynth: subtopics, rounds with contentiousness and scores, proposal, panel, comparison, verdict. */
export const socrasynthTelling: Telling<unknown> = {
  title: 'Debate',
  tell: (trial) => {
    const debate = debateOf(trial.entries);
    return [
      subtopicsSection(debate),
      ...debateSection(debate, trial),
      ...proposalSection(debate),
      ...panelSection(debate),
      ...comparisonSection(debate),
      verdictSection(trial),
    ];
  },
};
