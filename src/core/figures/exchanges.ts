// An EVINCE debate: the exchanges of both agents and why they ended.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import type { Belief, Truth } from '../../shared/domain.ts';

type Of<Kind extends TranscriptEntry['kind']> = Extract<TranscriptEntry, { kind: Kind }>;
export type ExchangeEntry = Of<'exchange'>;

export const agents = ['agentA', 'agentB'] as const;
export type Agent = (typeof agents)[number];

/** What one agent did in a round, as far as it is on the record. */
export interface DebateTurn {
  readonly role: Agent;
  readonly speech: Of<'utterance'> | null;
  readonly belief: Of<'belief'> | null;
  readonly forfeit: Of<'forfeit'> | null;
  /** CRIT, 1-10; null where there is none, or not yet. */
  readonly crit: number | null;
}

export interface DebateRound {
  /** From 1. */
  readonly number: number;
  readonly turns: Readonly<Record<Agent, DebateTurn>>;
  /** Null until both have spoken. */
  readonly exchange: ExchangeEntry | null;
}

const roundOf = (key: string): number | null => {
  const number = /^round-(\d+)\//.exec(key)?.[1];
  return number === undefined ? null : Number(number);
};

export type Debate = Readonly<ReturnType<typeof debateOf>>;

/**
 * A debate of two agents round by round, also while it is held.
 * @param writing answers that are being written
 */
export function debateOf(entries: readonly TranscriptEntry[], writing: readonly { readonly key: string }[] = []) {
  const numbers = [...entries, ...writing].flatMap(({ key }) => roundOf(key) ?? []);
  const at = <K extends TranscriptEntry['kind']>(kind: K, key: string): Of<K> | null =>
    entries.findLast((entry): entry is Of<K> => entry.kind === kind && entry.key === key) ?? null;
  const turnOf = (round: number, role: Agent): DebateTurn => {
    const key = `round-${round}/${role}`;
    return {
      role,
      speech: at('utterance', `${key}/utterance`),
      belief: at('belief', `${key}/belief`),
      forfeit: at('forfeit', `${key}/forfeit`),
      crit: at('measure', `round-${round}/critic-${role.slice(-1).toLowerCase()}/score`)?.value ?? null,
    };
  };
  const rounds = [...new Set(numbers)]
    .toSorted((a, b) => a - b)
    .map((number) => ({
      number,
      turns: { agentA: turnOf(number, 'agentA'), agentB: turnOf(number, 'agentB') },
      exchange: at('exchange', `round-${number}/exchange`),
    }));
  return {
    rounds,
    exchanges: rounds.flatMap(({ exchange }) => exchange ?? []),
    proposal: at('utterance', 'recommendation/agentA/utterance'),
    recommendations: at('recommendations', 'recommendation'),
  };
}

/** What an agent stated, with any source of beliefs; null where nothing is on the record. */
export const statedIn = ({ belief }: DebateTurn): Belief | null =>
  belief === null ? null : belief.grounds === undefined ? belief.belief : belief.grounds.verbal;

/** A label's probabilities over the rounds; null where an agent has stated nothing. */
export interface LabelCourse {
  readonly label: string;
  readonly shares: readonly Readonly<Record<Agent, number | null>>[];
}

/** @param most labels that are listed at most */
export function coursesOf(labels: readonly string[], rounds: readonly DebateRound[], most: number) {
  const shareOf = (round: DebateRound, label: string, role: Agent): number | null => {
    const stated = statedIn(round.turns[role]);
    return stated === null ? null : (stated[label] ?? 0);
  };
  const courses = labels.map((label) => ({
    label,
    shares: rounds.map((round) => ({
      agentA: shareOf(round, label, 'agentA'),
      agentB: shareOf(round, label, 'agentB'),
    })),
  }));
  const highest = ({ shares }: LabelCourse) => Math.max(0, ...shares.flatMap(({ agentA, agentB }) => [agentA ?? 0, agentB ?? 0]));
  const latest = ({ shares }: LabelCourse) =>
    agents.reduce((sum, role) => sum + (shares.findLast((at) => at[role] !== null)?.[role] ?? 0), 0);
  const named = courses
    .filter((course) => highest(course) > 0)
    .toSorted((a, b) => latest(b) - latest(a) || highest(b) - highest(a));
  return {
    listed: named.slice(0, most),
    /** Labels beyond those listed that had some mass at any time. */
    rest: Math.max(0, named.length - most),
    /** Labels that no agent ever named, or gave 0. */
    never: labels.length - named.length,
  };
}

const stopText: Readonly<Record<NonNullable<ExchangeEntry['stop']>, (round: number) => string>> = {
  tolerance: (round) => `The debate ended after round ${round}: no measure had moved by more than the tolerance.`,
  rounds: (round) =>
    round === 1
      ? 'One round was held, as many as were allowed.'
      : `The debate ended after round ${round}, the last that was allowed: something still moved.`,
  mixture: () => 'There was no debate: both stated where they stand, neither knowing what the other says.',
};

/** Where the debate ended and why; null while it continues. */
export function endOf({ exchanges }: Pick<Debate, 'exchanges'>): string | null {
  const last = exchanges.at(-1);
  return last?.stop == null ? null : stopText[last.stop](last.round);
}

/** Mass below which a true label is one that both agents as good as rule out. */
const littleMass = 0.05;

/**
 * The share of the true label in a verdict's distribution, where that is so little that the label itself may be wrong;
 * null where it is not, and where there is no truth, no distribution or no single label.
 */
export function labelDoubt(belief: Belief | null, truth: Truth): number | null {
  if (belief === null || typeof truth !== 'string') return null;
  const share = belief[truth] ?? 0;
  return share < littleMass ? share : null;
}
