// Tells a Debate-Feedback trial from its events.
import {
  changeText,
  courseLabel,
  courseOf,
  type Debate,
  type DebateRound,
  type Debater,
  type DebateTurn,
  debateOf,
  decidingRating,
  mixText,
  positionText,
  settlementText,
} from '../../figures/debateRounds.ts';
import { percent } from '../../figures/shares.ts';
import { speakerName } from '../../figures/speakers.ts';
import { changeOf } from '../../statistics/answerChanges.ts';
import {
  type Block,
  type Card,
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
import { awaited, lostBlock, sideNamed, spokenBlocks, thoughtFold, verdictSection } from '../../telling/sections.ts';

function positionsBlocks({ positions }: Debate, isCounterbalanced: boolean): Block[] {
  if (positions === null) return [];
  const rows = Object.entries(positions.positions).map(([role, position], index) => ({
    ...{ side: sideNamed(index), name: speakerName(role), words: { strong: labelName(position) } },
  }));
  return [{ kind: 'pairs', rows }, words(positionText(positions, isCounterbalanced), 'quiet')];
}

/** O_0: what the judge answers from the facts alone, and what the debaters have to hold after it. */
function firstOpinionSection(debate: Debate, trial: ToldTrial): Section {
  const { initial } = debate;
  const section = { id: 'first-opinion', title: 'First opinion' };
  if (initial === null) {
    const lost = words('The judge gave no valid answer, so there was nothing to debate.');
    return { ...section, blocks: [trial.line.status === 'running' ? awaited(trial, 'initial/judge', []) : lost] };
  }
  const { seq, prediction, confidence } = initial;
  const sure = confidence === null ? '' : `, ${percent(confidence)} sure`;
  return {
    ...section,
    aside: { callsOf: seq, what: 'the first opinion' },
    blocks: [
      words(['From the facts alone the judge answers ', { strong: labelName(prediction) }, `${sure}.`]),
      ...positionsBlocks(debate, trial.line.swap === 'sides'),
      words('After a round the judge reads only a summary of the speeches, by its own model, and not the speeches.', 'quiet'),
      thoughtFold('judge', 'First belief of the judge', initial),
    ],
  };
}

const turnBlocks = (turn: DebateTurn, title: string, what: string, none: Block): Block[] => [
  words(withCalls(title, turn.speech ?? turn.forfeit, what), 'title'),
  ...spokenBlocks(turn, 'The others read that nothing was said.', none),
];

function reliabilityBlocks({ rating, unrated, number }: Debater): Block[] {
  if (unrated !== null) return [lostBlock(unrated, 'The answer was not rated.')];
  if (rating?.value == null) return [];
  const by = rating.version === null ? 'rated by a model' : `rated by version ${rating.version} of the trained assistant`;
  return [
    { kind: 'measure', name: 'Reliability', value: rating.value },
    words([{ quiet: by }, ' ', { callsOf: rating.seq, what: `the rating of debater ${number}` }]),
  ];
}

function debaterCard(debater: Debater, round: number, trial: ToldTrial): Card {
  const { number, position, assigned, opinion, answer } = debater;
  const place = `debater-${number}`;
  const none = (turn: string, field: string) => awaited(trial, `round-${round}/${turn}/${place}`, [field]);
  const stance: readonly Span[] = position === null ? [', free to take a position'] : [', for ', labelName(position)];
  return {
    name: `Debater ${number}, round ${round}`,
    title: [
      `Debater ${number}`,
      ...stance,
      ...(assigned || position === null ? [] : [' ', { pill: 'free', tone: 'plain' } as const]),
    ],
    side: assigned ? sideNamed(number - 1) : 'neutral',
    blocks: [
      ...turnBlocks(opinion, 'Opinion', `the opinion of debater ${number}`, none('opinion', 'opinion')),
      ...turnBlocks(answer, 'Answer to the others', `the reply of debater ${number}`, none('answer', 'reply')),
      ...(answer.speech?.concedes === true
        ? [words('It argues for its position to the end. The others and the judge do not learn of this.', 'quiet')]
        : []),
      ...reliabilityBlocks(debater),
    ],
  };
}

function summaryBlocks({ summary: { speech: said, forfeit }, number }: DebateRound): Block[] {
  if (forfeit !== null) return [lostBlock(forfeit, 'There is no summary.')];
  if (said === null) return [];
  const calls = words({ callsOf: said.seq, what: `the summary of round ${number}` });
  const title = 'The summary that the judge read';
  return [{ kind: 'fold', title, aside: 'by the judge’s model', blocks: [speech(said.text), calls] }];
}

const resultPills = {
  passed: { pill: 'passed', tone: 'good' },
  unreliable: { pill: 'did not pass', tone: 'warn' },
  unheard: { pill: 'not heard', tone: 'warn' },
} as const;

function outcomeBlocks({ settled, opinion, lost, number }: DebateRound): Block[] {
  const without = lost === null ? [] : [lostBlock(lost, 'The judge gave no answer in this round.')];
  if (settled === null || opinion === null) return without;
  const { judge, threshold, result, tie, weight, kept } = settled;
  const deciding = decidingRating(settled);
  const held = (title: string, found: Pick<NonNullable<typeof judge>, 'prediction' | 'confidence'> | null, after: string) => {
    const sure = found === null || found.confidence === null ? '' : ` ${percent(found.confidence)}${after}`;
    return {
      ...{ side: 'neutral' as const, name: { quiet: title } },
      words: found === null ? 'none' : [{ strong: labelName(found.prediction) }, { quiet: sure }],
    };
  };
  const card: Card = {
    name: `The judge after round ${number}`,
    title: withCalls(`The judge after round ${number}`, opinion, `the opinion after round ${number}`),
    side: 'judge',
    blocks: [
      ...(deciding.value === null
        ? []
        : [
            {
              kind: 'measure',
              name: `${deciding.name === 'mean' ? 'Mean' : 'Best'} reliability`,
              value: deciding.value,
              threshold,
            } as const,
          ]),
      words([
        resultPills[result],
        ' ',
        ...(tie ? [{ pill: 'tie: the label before stays', tone: 'plain' } as const, ' '] : []),
        settlementText(settled),
      ]),
      ...without,
      {
        kind: 'pairs',
        rows: [
          held('Own answer, with the summary', judge, ' sure'),
          held(`Opinion after the round${kept === 'smoothed' ? `: ${mixText(weight)}` : ''}`, opinion, ''),
        ],
      },
    ],
  };
  return [{ kind: 'cards', as: 'chain', cards: [card] }];
}

const shareOf = (value: number | null) => (value === null ? 'unknown' : percent(value));

function courseSection(debate: Debate, { labels, positive, line }: ToldTrial): Section[] {
  const label = courseLabel(debate, labels, positive);
  if (debate.initial === null || label === null) return [];
  const steps = courseOf(debate, label);
  const did = changeText(changeOf(line, debate.initial.prediction), line.decided_by);
  const number = (text: string) => cell(text, { isNumber: true });
  return [
    {
      ...{ id: 'course', title: 'Course of the opinion' },
      blocks: [
        words(
          ['How likely ', { name: label }, ' is: filled points for the opinion, hollow ones for the judge’s own answers.'],
          'quiet',
        ),
        {
          kind: 'columns',
          columns: [
            [
              {
                kind: 'charts',
                hasLegend: false,
                charts: [
                  {
                    ...{
                      kind: 'chart',
                      title: '',
                      label: 'Opinion by round; the table next to it has the same numbers.',
                      range: [0, 1],
                      unit: 'percent',
                    },
                    at: steps.map(({ round }) => (round === 0 ? 'first' : String(round))),
                    lines: [
                      { of: 'other', letter: '', values: steps.map(({ judge }) => judge) },
                      { of: 'both', letter: '', values: steps.map(({ opinion }) => opinion) },
                    ],
                  },
                ],
              },
            ],
            [
              {
                kind: 'table',
                name: 'Opinion by round',
                head: [[cell('After'), number('Own answer'), number('Opinion')]],
                rows: steps.map(({ round, judge, opinion }) => [
                  cell(round === 0 ? 'the facts' : `round ${round}`),
                  number(shareOf(judge)),
                  number(shareOf(opinion)),
                ]),
              },
            ],
          ],
        },
        ...(did === null ? [] : [words(did)]),
      ],
    },
  ];
}

/** A trial of Debate-Feedback: the first opinion, each round, the course of the opinion, the verdict. */
export const debateFeedbackTelling: Telling<{ readonly debaters: number; readonly rounds: number }> = {
  title: 'Debate',
  tell: (trial, { debaters, rounds }) => {
    const debate = debateOf(trial.entries, debaters);
    const parts = debate.rounds.map(
      (round): Block => ({
        ...{ kind: 'part', title: `Round ${round.number} of ${rounds}` },
        blocks: [
          { kind: 'cards', as: 'pair', cards: round.debaters.map((debater) => debaterCard(debater, round.number, trial)) },
          ...summaryBlocks(round),
          ...outcomeBlocks(round),
        ],
      }),
    );
    const aside = 'opinions first, none knowing the others; then the answers to them';
    return [
      firstOpinionSection(debate, trial),
      ...(parts.length === 0 ? [] : [{ id: 'rounds', title: 'Debate', aside, blocks: parts }]),
      ...courseSection(debate, trial),
      verdictSection(trial),
    ];
  },
};
