import { sideNames, stopWords } from '../../../core/figures/debate.ts';
import { positionWords, rounded, settlementWords } from '../../../core/figures/debateRounds.ts';
import {
  balanceWords,
  betterWords,
  remarkWords,
  settledWords,
  stopLevelWords,
  unaskedBalance,
  waitingWords,
} from '../../../core/figures/debateWords.ts';
import { ambiguityWords, assignmentWords } from '../../../core/figures/dispute.ts';
import { debateLines, measureWords } from '../../../core/figures/exchangeMeasures.ts';
import { agents, endOf } from '../../../core/figures/exchanges.ts';
import { cosine, methodOf, shortfallOf } from '../../../core/figures/precedents.ts';
import { percent } from '../../../core/figures/shares.ts';
import { speakerName } from '../../../core/figures/speakers.ts';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import type { Prediction } from '../../../shared/domain.ts';
import type { Subtopic } from '../../../shared/moderation.ts';
import { predictionText } from '../../../shared/predictionText.ts';

type Of<K extends TranscriptEntry['kind']> = Extract<TranscriptEntry, { kind: K }>;

/** What has to be known of the trial around a step. */
export interface Told {
  /** In order, of the last attempt. */
  readonly entries: readonly TranscriptEntry[];
  /** The two sides have changed places against the usual trial. */
  readonly isExchanged: boolean;
}

export interface Step {
  readonly role: string;
  readonly turn: string;
  readonly lines: readonly string[];
}

const erased = 'erased from the store';
const label = (prediction: Prediction) => predictionText(prediction) ?? 'none';

/** What was argued about when an entry was made. */
function subtopicsAt(seq: number, { entries }: Told): readonly Subtopic[] {
  return entries.findLast((entry): entry is Of<'subtopics'> => entry.kind === 'subtopics' && entry.seq < seq)?.subtopics ?? [];
}

/** The subtopic of a speech, with its number; undefined where it is about none. */
export function subtopicOf({ seq, subtopic }: Of<'utterance'>, told: Told): string | undefined {
  if (subtopic === undefined) return undefined;
  const title = subtopicsAt(seq, told)[subtopic - 1]?.title;
  return `${subtopic}. ${title ?? erased}`;
}

const listed = (subtopics: readonly Subtopic[] | null): string[] =>
  subtopics === null ? [`Subtopics: ${erased}.`] : subtopics.map(({ title, scope }, index) => `${index + 1}. ${title}: ${scope}`);

function balanceLines(entry: Of<'subtopics'>): string[] {
  const found = balanceWords(entry);
  return found === null ? [unaskedBalance] : [`The critic finds them ${found}: ${entry.balance ?? erased}`];
}

function moderatedLines({ moderation }: Of<'moderated'>): string[] {
  switch (moderation?.action) {
    case undefined:
      return [`The moderator answered: ${erased}.`];
    case 'accept':
      return ['The moderator lets the trial go on as it is.'];
    case 'subtopics':
      return ['The moderator puts these in the place of the subtopics:', ...listed(moderation.subtopics)];
    case 'remark':
      return [remarkWords(moderation), moderation.text];
  }
}

function comparisonLines({ seq, role, better, scores, justification }: Of<'comparison'>, told: Told): string[] {
  const subtopics = subtopicsAt(seq, told);
  return [
    `${speakerName(role)}: ${betterWords[better]}. Depth and quality from 1 to 10.`,
    ...scores.map(({ debate, answer }, index) => {
      const title = subtopics[index]?.title ?? erased;
      return `${index + 1}. ${title}: debate ${debate.depth} and ${debate.quality}, answer ${answer.depth} and ${answer.quality}`;
    }),
    justification ?? `Why: ${erased}.`,
  ];
}

function ratingLine({ role, key, value, version, failure }: Of<'rating'>): string {
  const number = /debater-(\d+)/.exec(key)?.[1];
  const of = number === undefined ? '' : ` of debater ${number}`;
  if (value === null) return `The answer${of} was not rated${failure === null ? '' : ` (${failure.replaceAll('_', ' ')})`}.`;
  const by = version === null ? speakerName(role) : `version ${version} of the trained assistant`;
  return `Reliability${of}: ${rounded(value)}, by ${by}`;
}

function roundLines(entry: Of<'round'>): string[] {
  const { round, judge, tie } = entry;
  const sure = judge === null || judge.confidence === null ? '' : `, ${percent(judge.confidence)}`;
  return [
    `Round ${round}: ${settlementWords(entry)}${tie ? '; tie, so that the label before stays' : ''}.`,
    `Own answer of the judge: ${judge === null ? 'none' : `${label(judge.prediction)}${sure}`}.`,
  ];
}

/** Measures of an exchange that are told here; the HTML report has all. */
const toldMeasures = ['contentiousness', 'crit', 'wd', 'jsd'];

function exchangeLines(entry: Of<'exchange'>): string[] {
  const measured = debateLines.filter(({ measure }) => toldMeasures.includes(measure.id));
  const withheld = agents.filter((role) => !entry.sides[role].admitted);
  return [
    `Round ${entry.round}`,
    ...measured.map(({ title, value }) => `${title}: ${measureWords(value(entry))}`),
    ...withheld.map((role) => `${sideNames[role]}: held back: the other agent did not read these arguments`),
    ...[endOf({ exchanges: [entry] }) ?? []].flat(),
  ];
}

function precedentLines(entry: Of<'precedents'>): string[] {
  return [
    `${methodOf(entry)}${entry.model === null ? '' : ` (${entry.model})`}.`,
    ...(entry.failure === null ? [] : [`They could not be found (${entry.failure.replaceAll('_', ' ')}).`]),
    ...[shortfallOf(entry) ?? []].flat(),
    ...entry.precedents.map(({ label: decided, similarity, facts }, index) => {
      const near = similarity === null ? '' : `, similarity ${cosine(similarity)}`;
      const said = facts === null ? erased : facts.map(({ value }) => value).join(' · ');
      return `Precedent ${index + 1}: ${decided}${near}: ${said}`;
    }),
  ];
}

/** What was settled, looked up or measured between the speeches, in lines; null for an entry of another sort. */
export function stepOf(entry: TranscriptEntry, told: Told): Step | null {
  const { kind, role } = entry;
  const step = (lines: readonly string[], by = role === '' ? 'court' : role, turn: string = kind): Step => ({
    role: by,
    turn,
    lines,
  });
  switch (kind) {
    case 'sides':
      return step([
        `In dispute: ${entry.prediction} (most likely) and ${entry.alternative}. ${assignmentWords(entry)}`,
        ...entry.order.map((speaker) => `${speakerName(speaker)}: ${entry.sides[speaker] ?? ''}`),
      ]);
    case 'ambiguity': {
      const hearings = entry.labels.map((found, index) => `Fresh hearing ${index + 1}: ${found ?? 'failed'}`);
      return step([ambiguityWords(entry), ...hearings], 'court');
    }
    case 'precedents':
      return step(precedentLines(entry), 'court');
    case 'positions': {
      const held = Object.entries(entry.positions).map(([debater, position]) => `${speakerName(debater)}: ${label(position)}`);
      return step([positionWords(entry, told.isExchanged), ...held]);
    }
    case 'rating':
      return step([ratingLine(entry)]);
    case 'round':
      return step(roundLines(entry));
    case 'exchange':
      return step(exchangeLines(entry));
    case 'subtopics':
      return step([settledWords(entry), ...listed(entry.subtopics), ...balanceLines(entry)]);
    case 'moderation': {
      if (told.entries.some((other) => other.kind === 'moderated' && other.key === entry.key)) return null;
      return step([`The trial is not finished: ${waitingWords[entry.asks]}.`, ...listed(entry.subtopics)], role, 'moderator');
    }
    case 'moderated':
      return step(moderatedLines(entry), role, 'moderator');
    case 'stop':
      return step([stopWords[entry.reason], stopLevelWords(entry)]);
    case 'answer':
      return step(['By the model of agent A without any debate:', entry.answer ?? `${erased}.`]);
    case 'comparison':
      return step(comparisonLines(entry, told));
    default:
      return null;
  }
}
