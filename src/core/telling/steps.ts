// What was settled, looked up or measured between the speeches: as a text has it, and a screen.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import type { TrialChange } from '../../shared/changes.ts';
import type { Subtopic } from '../../shared/moderation.ts';
import { factTexts } from '../cases/columnNames.ts';
import {
  balanceText,
  betterText,
  draftText,
  remarkText,
  settledText,
  sideNames,
  stopLevelText,
  stopText,
  unaskedBalance,
  waitingText,
} from '../figures/debate.ts';
import { positionText, rounded, settlementText } from '../figures/debateRounds.ts';
import { ambiguityText, assignmentText } from '../figures/dispute.ts';
import { debateLines, measureText } from '../figures/exchangeMeasures.ts';
import { agents, endOf } from '../figures/exchanges.ts';
import { totalPoints } from '../figures/panel.ts';
import { caseOf, cosine, methodOf, precedentsOf, shortfallOf } from '../figures/precedents.ts';
import { percent } from '../figures/shares.ts';
import { speakerName } from '../figures/speakers.ts';
import { findStep } from '../protocols/index.ts';
import { joined, type LineBlock, labelName, type Span, speech, type Words, words } from './blocks.ts';

type Entry = TranscriptEntry;
type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

export interface Around {
  /** In order, of the last attempt. */
  readonly entries: readonly Entry[];
  /** The two sides have changed places against the usual trial. */
  readonly isCounterbalanced: boolean;
  /** Of a trial of a changed arm. */
  readonly change?: TrialChange | undefined;
}

export interface ToldStep {
  readonly seq: number;
  /** As a heading has it. */
  readonly title: string;
  /** What it is called in the transcript of the command line. */
  readonly kind: 'step' | 'proposal' | 'score' | 'utterance';
  readonly role: string;
  readonly turn: string | null;
  readonly blocks: readonly LineBlock[];
}

const erased = 'erased from the store';
const named = (text: string | null): Span => (text === null ? erased : { name: text });
const list = (items: readonly Words[]): LineBlock => ({ kind: 'list', items: items.map((item) => [words(item)]) });
const lines = (...all: readonly Words[]): LineBlock[] => all.map((line) => words(line));

function subtopicsAt(seq: number, { entries }: Around): readonly Subtopic[] {
  return entries.findLast((entry): entry is Of<'subtopics'> => entry.kind === 'subtopics' && entry.seq < seq)?.subtopics ?? [];
}

/** The subtopic of a speech, with its number; undefined where it is about none. */
export function subtopicOf({ seq, subtopic }: Of<'utterance'>, around: Around): string | undefined {
  if (subtopic === undefined) return undefined;
  return `${subtopic}. ${subtopicsAt(seq, around)[subtopic - 1]?.title ?? erased}`;
}

const listed = (subtopics: readonly Subtopic[] | null): Words[] =>
  subtopics === null
    ? [`Subtopics: ${erased}.`]
    : subtopics.map(({ title, scope }, index) => [`${index + 1}. `, { name: title }, ': ', { name: scope }]);

function balanceLine(entry: Of<'subtopics'>): Words {
  const found = balanceText(entry);
  return found === null ? unaskedBalance : [`The critic finds them ${found}: `, named(entry.balance)];
}

function moderatedLines({ moderation }: Of<'moderated'>): Words[] {
  switch (moderation?.action) {
    case undefined:
      return [`The moderator answered: ${erased}.`];
    case 'accept':
      return ['The moderator lets the trial continue as it is.'];
    case 'subtopics':
      return ['The moderator puts these in the place of the subtopics:', ...listed(moderation.subtopics)];
    case 'remark':
      return [remarkText(moderation), { name: moderation.text }];
  }
}

function comparisonLines({ seq, role, order, better, scores, justification }: Of<'comparison'>, around: Around): Words[] {
  const subtopics = order === undefined ? subtopicsAt(seq, around) : [];
  const read = order === undefined ? '' : `, ${order[0]} first`;
  return [
    `${speakerName(role)}${read}: ${betterText[better]}. Depth and quality from 1 to 10.`,
    ...scores.map(({ debate, answer }, index) => [
      ...(subtopics.length === 0 ? ['The whole'] : [`${index + 1}. `, named(subtopics[index]?.title ?? null)]),
      `: debate ${debate.depth} and ${debate.quality}, answer ${answer.depth} and ${answer.quality}`,
    ]),
    justification === null ? `Why: ${erased}.` : { name: justification },
  ];
}

function ratingLine({ role, key, value, version, failure }: Of<'rating'>): string {
  const number = /debater-(\d+)/.exec(key)?.[1];
  const of = number === undefined ? '' : ` of debater ${number}`;
  if (value === null) return `The answer${of} was not rated${failure === null ? '' : ` (${failure.replaceAll('_', ' ')})`}.`;
  const by = version === null ? speakerName(role) : `version ${version} of the trained assistant`;
  return `Reliability${of}: ${rounded(value)}, by ${by}`;
}

function roundLines(entry: Of<'round'>): Words[] {
  const { round, judge, tie } = entry;
  const sure = judge === null || judge.confidence === null ? '' : `, ${percent(judge.confidence)}`;
  return [
    `Round ${round}: ${settlementText(entry)}${tie ? '; tie, so that the label before stays' : ''}.`,
    [`Own answer of the judge in round ${round}: `, judge === null ? 'none' : labelName(judge.prediction), `${sure}.`],
  ];
}

/** Measures of an exchange that are shown here; the view of the protocol has all. */
const toldMeasures = ['contentiousness', 'crit', 'wd', 'jsd'];

function exchangeLines(entry: Of<'exchange'>): string[] {
  const measured = debateLines.filter(({ measure }) => toldMeasures.includes(measure.id));
  const withheld = agents.filter((role) => !entry.sides[role].admitted);
  return [
    `Round ${entry.round}`,
    ...measured.map(({ title, value }) => `${title}: ${measureText(value(entry, null))}`),
    ...withheld.map((role) => `${sideNames[role]}: held back: the other agent did not read these arguments`),
    ...[endOf({ exchanges: [entry] }) ?? []].flat(),
  ];
}

const sharedCalls = ({ entries }: Around, key: string, what: string): Span[] =>
  entries.flatMap((entry) => (entry.kind === 'share' && entry.key === key ? [' ', { callsOf: entry.seq, what }] : []));

function precedentBlocks(entry: Of<'precedents'>, around: Around): LineBlock[] {
  const shortfall = shortfallOf(entry);
  const by: readonly Span[] = entry.model === null ? [] : [': ', { name: entry.model }];
  return [
    words([methodOf(entry), ...by, '.']),
    ...(entry.failure === null ? [] : lines(`They could not be found (${entry.failure.replaceAll('_', ' ')}).`)),
    ...(shortfall === null ? [] : lines(shortfall)),
    ...(precedentsOf([entry])?.precedents ?? []).map((precedent): LineBlock => {
      const { number, label: decided, similarity, facts } = precedent;
      const near = similarity === null ? '' : `, similarity ${cosine(similarity)}`;
      const parts = factTexts(facts ?? []).map((fact) =>
        joined(
          fact.map((text) => ({ name: text })),
          ' ',
        ),
      );
      const said = facts === null ? [erased] : joined(parts, ' · ');
      const calls = sharedCalls(around, `${entry.key}/reason-${number}`, `the reason of precedent ${number}`);
      return {
        kind: 'fold',
        title: [`Precedent ${number}: `, ...caseOf(precedent), { name: decided }, near],
        blocks: [words([...said, ...calls])],
      };
    }),
  ];
}

function proposalLines({ proposal, stage }: Of<'proposal'>): Words[] {
  if (proposal === null) return [];
  const items = (title: string, all: readonly string[]): Words[] =>
    all.length === 0 ? [] : [title, ...all.map((item): Words => ['- ', { name: item }])];
  return [
    ...(stage === 'draft' ? [draftText] : []),
    { name: proposal.proposal },
    ...items('Open questions:', proposal.open_questions),
    ...items('Next steps:', proposal.next_steps),
  ];
}

const sideText = { agentA: 'agent A', agentB: 'agent B' } as const;

function panelLines({ scores, winner, declared, opinion }: Of<'panel'>): Words[] {
  const { agentA, agentB } = totalPoints(scores);
  const won = winner === null ? 'a tie' : `${sideText[winner]} leads`;
  const said = declared === null ? 'a tie' : sideText[declared];
  const sums = `agent A ${agentA}, agent B ${agentB}: ${won}; declared: ${said}`;
  return [sums, ...(opinion === null ? [] : [{ name: opinion.justification }])];
}

type Step = Pick<ToldStep, 'title' | 'blocks'> & Partial<ToldStep>;

/** A kind without its own step is a turn, or belongs to one. */
const tellers: { readonly [K in Entry['kind']]: ((entry: Of<K>, around: Around) => Step | null) | null } = {
  ...{ utterance: null, belief: null, forfeit: null, ruling: null, import: null, call: null, share: null, close: null },
  measure: null,
  sides: (entry) => ({
    title: 'Sides',
    blocks: [
      words([
        ...['In dispute: ', { name: entry.prediction }, ' (the clerk’s answer) and ', { name: entry.alternative }],
        `. ${assignmentText(entry)}`,
      ]),
      list(entry.order.map((role) => [`${speakerName(role)}: `, { name: entry.sides[role] ?? '' }])),
    ],
  }),
  ambiguity: (entry, around) => ({
    title: 'Fresh hearings',
    role: 'court',
    blocks: [
      words(ambiguityText(entry)),
      list(
        entry.labels.map((found, index) => [
          ...[`Fresh hearing ${index + 1}: `, found === null ? 'failed' : { name: found }],
          ...sharedCalls(around, `${entry.key}/hearing-${index + 1}`, `fresh hearing ${index + 1}`),
        ]),
      ),
    ],
  }),
  precedents: (entry, around) => ({ title: 'Precedents', role: 'court', blocks: precedentBlocks(entry, around) }),
  positions: (entry, { isCounterbalanced }) => ({
    title: 'Positions',
    blocks: [
      words(positionText(entry, isCounterbalanced)),
      list(Object.entries(entry.positions).map(([role, position]) => [`${speakerName(role)}: `, labelName(position)])),
    ],
  }),
  rating: (entry) => ({ title: 'Reliability', blocks: lines(ratingLine(entry)) }),
  round: (entry) => ({ title: 'Round', blocks: lines(...roundLines(entry)) }),
  exchange: (entry) => ({ title: 'Exchange', blocks: lines(...exchangeLines(entry)) }),
  recommendations: ({ recommendations }) => ({
    ...{ title: 'Recommendations', kind: 'utterance' },
    blocks: lines(
      ...recommendations.map(({ kind, text, reason }) => [
        ...[`${kind}: `, text === null ? 'erased' : { name: text }],
        ...[' (', reason === null ? 'erased' : { name: reason }, ')'],
      ]),
    ),
  }),
  subtopics: (entry) => ({
    title: 'Subtopics',
    blocks: lines(settledText(entry), ...listed(entry.subtopics), balanceLine(entry)),
  }),
  evaluation: (entry) => ({
    ...{ title: `CRIT of ${entry.subject}`, kind: 'score', turn: entry.key.split('/')[0] ?? '' },
    blocks: lines(`G = ${entry.score.toFixed(2)} of 10, for the claim of ${entry.subject}`),
  }),
  stop: (entry) => ({ title: 'End of the rounds', blocks: lines(`${stopText[entry.reason]} ${stopLevelText(entry)}`.trim()) }),
  proposal: (entry, { entries }) => {
    const isDraft = entry.stage === 'draft';
    if (isDraft && entries.some((other) => other.kind === 'proposal' && other.stage === 'joint')) return null;
    const blocks = lines(...proposalLines(entry));
    return { ...{ title: 'Joint proposal', kind: 'proposal', role: 'agents', turn: null }, blocks };
  },
  step: ({ step, said }) => {
    const own = findStep(step);
    return { title: own?.title ?? step, turn: step, blocks: own?.blocks(said) ?? [speech(said)] };
  },
  panel: (entry) => ({
    ...{ title: 'Panel', kind: 'score', turn: `${sideText[entry.first]} first` },
    blocks: lines(...panelLines(entry)),
  }),
  answer: ({ answer, from }) => ({
    title: from === undefined ? 'Plain answer' : 'Answer from the debate',
    blocks: [
      words(`By the model of agent A ${from === undefined ? 'without any debate' : 'from all that was said'}:`),
      speech(answer),
    ],
  }),
  comparison: (entry, around) => ({ title: 'Comparison', blocks: lines(...comparisonLines(entry, around)) }),
  moderation: ({ key, asks, subtopics }, { entries }) =>
    entries.some((other) => other.kind === 'moderated' && other.key === key)
      ? null
      : {
          ...{ title: 'Moderator', turn: 'moderator' },
          blocks: lines(`The trial is not finished: ${waitingText[asks]}.`, ...listed(subtopics)),
        },
  moderated: (entry) => ({ title: 'Moderator', turn: 'moderator', blocks: lines(...moderatedLines(entry)) }),
};

/** An entry as a separate step; null for a turn, and for entries that another step includes. */
export function stepOf<K extends Entry['kind']>(entry: Entry & { kind: K }, around: Around): ToldStep | null {
  const tell = tellers[entry.kind] as ((entry: Entry, around: Around) => Step | null) | null;
  const { kind, role, seq } = entry;
  const found = tell?.(entry, around) ?? null;
  return found === null ? null : { seq, kind: 'step', role: role === '' ? 'court' : role, turn: kind, ...found };
}
