// Tells a SocraSynth debate from its events.

import type { CritReason, Evaluation, Weighed } from '../../../shared/crit.ts';
import { quantity } from '../../../shared/sizes.ts';
import {
  balanceText,
  betterText,
  critOfText,
  type DebateFigure,
  type DebateRound,
  debateOf,
  draftText,
  type PanelRow,
  preferencesOf,
  preferenceText,
  type RoundSide,
  remarkText,
  sideNames,
  stopLevelText,
  stopText,
  unaskedBalance,
  winnerText,
} from '../../figures/debate.ts';
import { type PanelSide, panelSides as sides } from '../../figures/panel.ts';
import { percent } from '../../figures/shares.ts';
import { sideOf, speakerName } from '../../figures/speakers.ts';
import {
  type Block,
  type Cell,
  cell,
  labelName,
  type Section,
  type Span,
  speech,
  type Telling,
  type ToldTrial,
  type Words,
  words,
} from '../../telling/blocks.ts';
import { awaited, heardSpeech, lostBlock, verdictSection } from '../../telling/sections.ts';
import { type SocrasynthParams, subtopicsOf } from './params.ts';

/** What the rows of a table are about: subtopics, or the whole question where none were settled. */
const topicCells = ({ settled, subtopics }: DebateFigure): Cell[] =>
  settled === null ? [cell('The whole question')] : subtopics.map(({ title }) => cell({ name: title }));

const topicHead = ({ settled }: DebateFigure): string => (settled === null ? 'About' : 'Subtopic');

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
  const own = `Examined as a claim by itself: ${examined.score.toFixed(2)} of 10 takes the place of its validity.`;
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

function scoreBlocks({ evaluations, feedback, unscored, title }: DebateRound): Block[] {
  const missing = 'The critic gave no valid score. The debate continued without one.';
  const scores = evaluations.map((evaluation): Block => {
    const { seq, score, subject, evaluation: found } = evaluation;
    const calls = words({ callsOf: seq, what: `the score of ${title.toLowerCase()}, ${subject}` });
    const text = found === null ? [speech(null)] : evaluationBlocks(found);
    return { kind: 'fold', title: `CRIT score G = ${score.toFixed(2)}`, aside: critOfText(evaluation), blocks: [calls, ...text] };
  });
  return [
    ...(unscored ? [words(missing, 'bad')] : []),
    ...scores,
    ...(feedback === null ? [] : [words('The critic to both agents', 'title'), speech(feedback.text)]),
  ];
}

function sideHead(side: PanelSide, { belief, speeches, forfeit }: RoundSide, title: string): Cell {
  const entry = speeches.find((said) => said !== null) ?? forfeit;
  const sure = belief === null || belief.confidence === null ? '' : `, ${percent(belief.confidence)}`;
  const calls = entry === null ? [] : [' ', { callsOf: entry.seq, what: `${title.toLowerCase()} of ${sideNames[side]}` }];
  const predicts = belief === null ? [] : [words({ quiet: ['predicts ', labelName(belief.prediction), sure] })];
  return { blocks: [words([sideNames[side], ...calls]), ...predicts], side: sideOf(side) };
}

function roundPart(round: DebateRound, debate: DebateFigure, trial: ToldTrial): Block {
  const { name, title, contentiousness } = round;
  const fieldOf = (index: number) => (debate.settled === null ? 'argument' : `topic_${index + 1}`);
  const argument = (side: PanelSide, index: number): Block[] => {
    const { speeches, forfeit } = round.sides[side];
    const said = speeches[index] ?? null;
    if (said !== null) return heardSpeech(said);
    if (forfeit !== null) return [lostBlock(forfeit, '')];
    return [awaited(trial, `${name}/${side}`, [fieldOf(index)])];
  };
  return {
    ...{ kind: 'part', title },
    ...(contentiousness === null ? {} : { aside: `contentiousness ${contentiousness.toFixed(2)} of 1` }),
    blocks: [
      {
        kind: 'table',
        name: `Arguments, ${title}`,
        isWide: true,
        head: [[cell(topicHead(debate)), ...sides.map((side) => sideHead(side, round.sides[side], title))]],
        rows: topicCells(debate).map((topic, index) => [
          topic,
          ...sides.map((side) => ({ blocks: argument(side, index), side: sideOf(side) })),
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
  const blocks =
    opinion === null
      ? [speech(null)]
      : [
          ...sides.map((side) => words([{ strong: `Claim of ${sideNames[side]}:` }, ' ', { name: opinion.claims[side] }])),
          words({ name: opinion.justification }),
        ];
  return { kind: 'fold', title: `Why: ${nameOf(row)}`, blocks };
}

function panelSection(debate: DebateFigure): Section[] {
  const { panel, agreement } = debate;
  const { same, judges } = agreement;
  if (panel.length === 0) return [];
  const number = (side: PanelSide, value: Words): Cell => cell(value, { side: sideOf(side), isNumber: true });
  const points = (title: Cell, value: (row: PanelRow, side: PanelSide) => Words): Cell[] => [
    title,
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
  const agree = `both orders agree for ${same} of ${quantity(judges, 'judge')}`;
  return [
    {
      ...{ id: 'panel', title: 'The panel', ...(judges === 0 ? {} : { aside: agree }) },
      blocks: [
        {
          kind: 'table',
          name: 'Points of the panel',
          caption: 'Points of agent A and of agent B, from 1 to 10 on every subtopic; equal totals are a tie.',
          head: [
            [cell(topicHead(debate), { rows: 2 }), ...heads],
            panel.flatMap(() => sides.map((side) => number(side, side === 'agentA' ? 'A' : 'B'))),
          ],
          rows: topicCells(debate).map((topic, index) =>
            points(topic, ({ sheet }, side) => String(sheet.scores[index]?.[side] ?? '')),
          ),
          foot: [
            points(cell('Total'), ({ totals }, side) => ({ strong: String(totals[side]) })),
            whole('Winner by points', ({ sheet }) => ({ strong: winnerText(sheet.winner) })),
            whole('Declared by the judge', declared),
          ],
        },
        ...panel.map(opinionFold),
      ],
    },
  ];
}

type Compared = DebateFigure['comparisons'][number];

const comparedHeads = ['Debate: depth', 'quality', 'Answer: depth', 'quality'].map((text) => cell(text, { isNumber: true }));

const comparedScores = (scores: Compared['scores'][number] | undefined): Cell[] =>
  [scores?.debate.depth, scores?.debate.quality, scores?.answer.depth, scores?.answer.quality].map((value) =>
    cell(String(value ?? ''), { isNumber: true }),
  );

function namedBlocks(debate: DebateFigure, { seq, role, scores, better, justification }: Compared): Block[] {
  const name = speakerName(role);
  return [
    {
      kind: 'table',
      name: `Comparison of ${name}`,
      caption: [`${name}: `, { strong: betterText[better] }, ' ', { callsOf: seq, what: `the comparison of ${name}` }],
      head: [[cell(topicHead(debate)), ...comparedHeads]],
      rows: topicCells(debate).map((topic, index) => [topic, ...comparedScores(scores[index])]),
    },
    speech(justification),
  ];
}

const blindedBlocks = (comparisons: readonly Compared[]): Block[] =>
  preferencesOf(comparisons).flatMap((preference): Block[] => {
    const name = speakerName(preference.role);
    const orderOf = ({ order }: Compared) => (order?.[0] === 'debate' ? 'Debate first' : 'Answer first');
    const rows = preference.sheets.map((sheet) => {
      const { seq, scores, better } = sheet;
      return [
        cell([orderOf(sheet), ' ', { callsOf: seq, what: `the comparison of ${name}` }]),
        ...comparedScores(scores[0]),
        cell(betterText[better]),
      ];
    });
    return [
      {
        kind: 'table',
        name: `Comparison of ${name}`,
        caption: [`${name}: `, { strong: preferenceText(preference) }],
        head: [[cell('Order'), ...comparedHeads, cell('Finds')]],
        rows,
      },
      ...preference.sheets.flatMap((sheet) => [
        words(`Why: ${name}, ${orderOf(sheet).toLowerCase()}`, 'title'),
        speech(sheet.justification),
      ]),
    ];
  });

function comparisonSection(debate: DebateFigure): Section[] {
  const { answer, debated, comparisons } = debate;
  if (answer === null) return [];
  const shown = comparisons[0]?.words;
  const long = (words: number | undefined) => (words === undefined ? '' : `; judges read ${words} words of it`);
  const fold = (title: string, aside: string, text: string | null): Block => ({
    kind: 'fold',
    title,
    aside,
    blocks: [speech(text)],
  });
  return [
    {
      ...{ id: 'comparison', title: 'Debate and plain answer', aside: 'depth and quality, from 1 to 10' },
      blocks: [
        ...(debated === null ? comparisons.flatMap((sheet) => namedBlocks(debate, sheet)) : blindedBlocks(comparisons)),
        fold('The plain answer', `by the model of agent A, without any debate${long(shown?.answer)}`, answer.answer),
        ...(debated === null
          ? []
          : [
              fold(
                'The answer from the debate',
                `by the same model, from all that was said${long(shown?.debate)}`,
                debated.answer,
              ),
            ]),
      ],
    },
  ];
}

/** A debate of SocraSynth: subtopics, rounds with contentiousness and scores, proposal, panel, comparison, verdict. */
export const socrasynthTelling: Telling<SocrasynthParams> = {
  title: 'Debate',
  tell: (trial, params) => {
    const debate = debateOf(trial.entries);
    return [
      ...(subtopicsOf(trial, params) === 0 ? [] : [subtopicsSection(debate)]),
      ...debateSection(debate, trial),
      ...proposalSection(debate),
      ...panelSection(debate),
      ...comparisonSection(debate),
      verdictSection(trial),
    ];
  },
};
