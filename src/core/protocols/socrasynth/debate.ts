// What all steps of a SocraSynth debate share.

import type { Case } from '../../../shared/domain.ts';
import type { Subtopic } from '../../../shared/moderation.ts';
import type { Prompt } from '../../prompts/wording.ts';
import { casePrompt, quoted } from '../casePrompt.ts';
import { contentiousnessAsText, contentiousnessNumber } from '../contentiousness/words.ts';
import type { Court, StatedBelief, TurnFailure } from '../court.ts';
import { knowledgeRule } from '../knowledge.ts';
import { inTurn, usualOrder } from '../swaps.ts';
import { type Side, topicFields } from './answers.ts';
import type { SocrasynthParams } from './params.ts';

export const sides: readonly Side[] = ['agentA', 'agentB'];
export const speakers = ({ court }: Pick<Debate, 'court'>): readonly Side[] => inTurn(court, sides);
export const otherSide = (side: Side): Side => (side === 'agentA' ? 'agentB' : 'agentA');
export const speakerName: Record<Side, string> = { agentA: 'Agent A', agentB: 'Agent B' };

/** A turn in the record that all may read: headings and arguments, or that there was none. */
interface Turn {
  /** Null: feedback of the critic. */
  readonly side: Side | null;
  readonly closing: boolean;
  readonly texts: readonly string[];
}

export interface Debate {
  readonly court: Court;
  readonly kase: Case;
  readonly params: SocrasynthParams;
  /** Labels of the case in their usual order, in which beliefs are stored. */
  readonly labels: readonly string[];
  /** Labels that the agents predict, as prompts list them; none in open cases and where stances are assigned. */
  readonly predicted: readonly string[];
  readonly rules: readonly string[];
  subtopics: readonly Subtopic[];
  /** Public, in order. */
  readonly turns: Turn[];
  /** What each side believes now. */
  readonly stated: Partial<Record<Side, StatedBelief>>;
  /** Who was the last to change its prediction. */
  moved: Side | null;
  /** Why a side has not spoken when it last should have. */
  readonly silent: Partial<Record<Side, TurnFailure>>;
  lastSpeech: string | null;
  readonly remarks: Partial<Record<Side, string>>;
}

/** The label that each side defends where stances are assigned: A the positive one, or the last. @param labels in usual order */
export function assignedLabels(
  { labels, positive }: Pick<Case, 'labels' | 'positive'>,
  isCounterbalanced: boolean,
): Readonly<Record<Side, string>> {
  const own = labels.find((label) => label === positive) ?? labels.at(-1) ?? '';
  const other = labels.find((label) => label !== own) ?? '';
  return isCounterbalanced ? { agentA: other, agentB: own } : { agentA: own, agentB: other };
}

export const defendedLabels = ({ court, kase: { positive }, labels }: Pick<Debate, 'court' | 'kase' | 'labels'>) =>
  assignedLabels({ labels, positive }, court.swapped('sides'));

function rulesOf(court: Court, kase: Case, { stances }: SocrasynthParams): string {
  if (kase.labels.length === 0) return court.text('rulesOpen');
  if (stances === 'free') return court.text('rulesFree');
  const { agentA, agentB } = defendedLabels({ court, kase, labels: usualOrder(court, kase.labels) });
  return court.text('rulesAssigned', { labelA: quoted(agentA), labelB: quoted(agentB) });
}

export function openDebate(court: Court, kase: Case, params: SocrasynthParams): Debate {
  return {
    court,
    kase,
    params,
    labels: usualOrder(court, kase.labels),
    predicted: params.stances === 'free' ? kase.labels : [],
    rules: [rulesOf(court, kase, params), court.text('rules', { knowledge: knowledgeRule(court.text, params.knowledge) })],
    subtopics: [],
    turns: [],
    stated: {},
    moved: null,
    silent: {},
    lastSpeech: null,
    remarks: {},
  };
}

export const subtopicTexts = (court: Court, subtopics: readonly Subtopic[]): string[] =>
  subtopics.map(({ title, scope }, index) => court.text('subtopic', { number: String(index + 1), title, scope }));

const topicsAsTexts = ({ court, subtopics }: Debate): string[] =>
  subtopics.length === 0 ? [] : [court.text('subtopicHeading'), ...subtopicTexts(court, subtopics)];

/** One of these fields for each subtopic, as the shape of an answer shows them. */
export const topicText = (court: Court, template: string, topics: number, slots: Readonly<Record<string, string>> = {}): string =>
  topicFields(topics)
    .map((field, index) => court.text(template, { ...slots, field, number: String(index + 1) }))
    .join(', ');

/** Rules and facts first and alike for every role, then what is given, then what was said, the own instruction last. */
export const promptOf = (
  id: string,
  { court, kase, rules }: Debate,
  record: readonly string[],
  task: readonly string[],
): Prompt => casePrompt(court, id, kase, { rules, record, task });

/** The prompt of a role that knows all that was said. @param turns in order; absent: all of them */
export function promptWithRecord(id: string, debate: Debate, task: readonly string[], turns = debate.turns): Prompt {
  const said = turns.flatMap(({ texts }) => texts);
  const spoken = said.length === 0 ? [] : [debate.court.text('recordHeading'), ...said];
  return promptOf(id, debate, [...topicsAsTexts(debate), ...spoken], task);
}

export const speechesOf = ({ turns }: Debate): Turn[] => turns.filter(({ side }) => side !== null);

/** What a judge reads of the record, one side before the other in each pair of turns. */
export function panelTexts(debate: Debate, first: Side): string[] {
  const { court, params } = debate;
  const spoken = speechesOf(debate);
  const closings = spoken.filter(({ closing }) => closing);
  const read = params.panelReads === 'all' || closings.length === 0 ? spoken : closings;
  const pairs: Turn[][] = [];
  for (const turn of read) {
    const last = pairs.at(-1);
    if (last === undefined || last.some(({ side }) => side === turn.side)) pairs.push([turn]);
    else last.push(turn);
  }
  const ordered = pairs.flatMap((pair) => pair.toSorted((a, b) => Number(b.side === first) - Number(a.side === first)));
  return [
    ...topicsAsTexts(debate),
    court.text('closingHeading', { first: speakerName[first] }),
    ...ordered.flatMap(({ texts }) => texts),
  ];
}

/** How contentious a turn is to be, in the style of the parameters. */
export const contentiousText = ({ court, params }: Debate, level: number): string =>
  params.style === 'words'
    ? contentiousnessAsText(court.text, level)
    : court.text('contentiousNumber', { contentiousness: contentiousnessNumber(level) });
