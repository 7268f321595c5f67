// An EVINCE debate: the exchanges of both agents and why they ended.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import type { Belief, Truth } from '../../shared/domain.ts';
import { type EntryOf, entryAt } from './entries.ts';

export type ExchangeEntry = EntryOf<'exchange'>;

export const agents = ['agentA', 'agentB'] as const;
type Agent = (typeof agents)[number];

const roundOf = (key: string): number | null => {
  const number = /^round-(\d+)\//.exec(key)?.[1];
  return number === undefined ? null : Number(number);
};

export type Debate = Readonly<ReturnType<typeof debateOf>>;
export type DebateRound = Debate['rounds'][number];
export type DebateTurn = DebateRound['turns'][Agent];

/** A debate of two agents round by round, also while it is held. @param writing answers that are being written */
export function debateOf(entries: readonly TranscriptEntry[], writing: readonly { readonly key: string }[] = []) {
  const numbers = [...entries, ...writing].flatMap(({ key }) => roundOf(key) ?? []);
  const turnOf = (round: number, role: Agent) => {
    const key = `round-${round}/${role}`;
    return {
      role,
      speech: entryAt(entries, 'utterance', `${key}/utterance`),
      belief: entryAt(entries, 'belief', `${key}/belief`),
      forfeit: entryAt(entries, 'forfeit', `${key}/forfeit`),
      /** CRIT, 1-10; null where there is none, or not yet. */
      crit: entryAt(entries, 'measure', `round-${round}/critic-${role.slice(-1).toLowerCase()}/score`)?.value ?? null,
    };
  };
  const rounds = [...new Set(numbers)]
    .toSorted((a, b) => a - b)
    .map((number) => ({
      number,
      turns: { agentA: turnOf(number, 'agentA'), agentB: turnOf(number, 'agentB') },
      /** Null until both have spoken. */
      exchange: entryAt(entries, 'exchange', `round-${number}/exchange`),
    }));
  return {
    rounds,
    exchanges: rounds.flatMap(({ exchange }) => exchange ?? []),
    proposal: entryAt(entries, 'utterance', 'recommendation/agentA/utterance'),
    recommendations: entryAt(entries, 'recommendations', 'recommendation'),
  };
}

/** A label's probabilities over the rounds; null where an agent has stated nothing. */
export type LabelCourse = ReturnType<typeof coursesOf>['listed'][number];

/** @param most labels that are listed at most */
export function coursesOf(labels: readonly string[], rounds: readonly DebateRound[], most: number) {
  /** As stated, with any source of beliefs. */
  const shareOf = ({ belief }: DebateTurn, label: string): number | null => {
    const stated = belief === null || belief.grounds === undefined ? belief?.belief : belief.grounds.verbal;
    return stated == null ? null : (stated[label] ?? 0);
  };
  const courses = labels.map((label) => ({
    label,
    shares: rounds.map(({ turns }) => ({ agentA: shareOf(turns.agentA, label), agentB: shareOf(turns.agentB, label) })),
  }));
  type Course = (typeof courses)[number];
  const highest = ({ shares }: Course) => Math.max(0, ...shares.flatMap(({ agentA, agentB }) => [agentA ?? 0, agentB ?? 0]));
  const latest = ({ shares }: Course) =>
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

/** P(true label) in a verdict, where so small that the label itself may be wrong; null elsewhere, and without a single truth. */
export function labelDoubt(belief: Belief | null, truth: Truth): number | null {
  if (belief === null || typeof truth !== 'string') return null;
  const share = belief[truth] ?? 0;
  return share < littleMass ? share : null;
}
