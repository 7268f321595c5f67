// The result of changes to a trial or an experiment, before they are tried.
import { plainRole } from '../../../core/protocols/cast.ts';
import { mostExact } from '../../../core/statistics/shapley.ts';
import type { VarySize } from '../../../shared/api/experiments.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { advocates, debateLengths } from '../../../shared/changes.ts';
import type { ShownFact } from '../../../shared/domain.ts';
import { mostLeftOut, setsUpTo } from '../../../shared/leftOut.ts';
import type { Swap } from '../../../shared/swaps.ts';
import { quantity } from '../../ui/quantity.ts';

export interface TriedTrial {
  readonly view: TrialView;
  /** Its speeches by their keys in the record, as the transcript calls them. */
  readonly speeches: ReadonlyMap<string, string>;
  /** Keys of the speeches that somebody heard whose belief counts. */
  readonly heard: readonly string[];
}

export const noChange = {
  seeds: 0 as number | null,
  isSuite: false,
  isWithheld: false,
  /** A speech of one trial, and what the court hears in its place; no words: nothing. */
  speech: null as string | null,
  words: '',
  /** How often each debate of an experiment is cut at random; null or 0: not at all. */
  cuts: 0 as number | null,
  /** Sets of facts of one case that are left out, as `--change` takes them; null: none. */
  leftOut: null as string | null,
  /** Facts that every case of an experiment is tried without, one at a time. */
  without: [] as readonly string[],
  /** Of a trial the fact that gets `value`, of an experiment the attribute whose values are exchanged. */
  fact: null as string | null,
  value: '',
  model: '',
  /** What is exchanged: sides, order or labels. */
  swaps: [] as readonly Swap[],
  isExpected: false,
  /** How many cases of an experiment are tried again; null: all. */
  cases: null as number | null,
};
export type Wanted = Readonly<typeof noChange>;

export function leftOutChoices(facts: readonly ShownFact[]) {
  const n = new Set(facts.map(({ name }) => name)).size;
  // Of too many facts for all sets, as many orders are drawn as fit.
  const orders = Math.floor(mostLeftOut / n);
  const trials = (most: number) => `${most > 1 ? 'up to ' : ''}${quantity(most, 'trial')}`;
  const choices = [
    { id: 'leave-out=1', what: 'each fact', most: n },
    { id: 'leave-out=2', what: 'each fact and each pair', most: setsUpTo(n, 2) },
    n <= mostExact
      ? { id: 'shapley', what: 'all sets, for Shapley values', most: 2 ** n - 1 }
      : { id: `shapley=${orders}`, what: `${orders} random orders, for Shapley values`, most: orders * n },
  ];
  return choices.flatMap(({ id, what, most }) =>
    most > mostLeftOut || most === 0 ? [] : [{ id, label: `${what}: ${trials(most)}`, most }],
  );
}

const and = new Intl.ListFormat('en-GB');

export function suiteText(of: TriedTrial | null): string {
  const { facts, cast, params } = of?.view ?? {};
  const hasOrder = facts === undefined || facts.length > 1;
  const isDebate = cast?.some(({ role }) => advocates.includes(plainRole(role))) ?? true;
  const hasLength = params === undefined || debateLengths.some((length) => typeof params[length] === 'number');
  const changes = [
    'Typing errors in the facts',
    ...(hasOrder ? ['another order of the facts'] : []),
    ...['the question in other words', 'a planted instruction'],
    ...(isDebate ? ['an advocate who misleads'] : []),
    ...(hasLength ? ['a shorter and a longer debate'] : []),
  ];
  return `${and.format(changes)}. None should change the verdict.`;
}

/** What is about to run, exactly: `10 trials: this one unchanged, and 9 changes`. */
export function sizeText({ trials, arms, cases, replicates, unchanged }: Omit<VarySize, 'calls' | 'cold'>): string {
  const changes = arms - unchanged;
  const before =
    unchanged === 0 ? '' : `${cases === 1 && unchanged === 1 ? 'this one' : quantity(unchanged, 'arm')} unchanged, and `;
  const of = cases === 1 ? '' : `, each over ${quantity(cases, 'case')}`;
  const times = replicates === 1 ? '' : `, each ${replicates} times`;
  return `${quantity(trials, 'trial')}: ${before}${quantity(changes, 'change')}${of}${times}`;
}

/** Whether a fact has the value that it has already: the user has not said another one yet. */
export const isSame = (of: TriedTrial | null, fact: string, value: string): boolean =>
  of?.view.facts.some((each) => each.name === fact && each.value.trim() === value.trim()) ?? false;
