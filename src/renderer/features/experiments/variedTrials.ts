// What changes to a trial or an experiment come to, before they are tried.
import { plainRole } from '../../../core/protocols/cast.ts';
import { mostExact } from '../../../core/statistics/shapley.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { advocates, debateLengths } from '../../../shared/changes.ts';
import type { ShownFact } from '../../../shared/domain.ts';
import { mostLeftOut, setsUpTo } from '../../../shared/leftOut.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { quantity } from '../../ui/quantity.ts';

export interface TriedTrial {
  readonly view: TrialView;
  readonly line: TrialLine;
  /** Its speeches by their keys in the record, as the transcript calls them. */
  readonly speeches: ReadonlyMap<string, string>;
}

export interface Wanted {
  readonly seeds: number | null;
  readonly isSuite: boolean;
  /** Each speech is withheld in turn. */
  readonly isWithheld: boolean;
  /** A speech of one trial, and what the court hears in its place; no words: nothing. */
  readonly speech: string | null;
  readonly words: string;
  /** How often each debate of an experiment is cut at random; null or 0: not at all. */
  readonly cuts: number | null;
  /** Sets of facts of one case that are left out, as `--change` takes them; null: none. */
  readonly leftOut: string | null;
  /** Of a trial the fact that gets `value`, of an experiment the attribute whose values are exchanged. */
  readonly fact: string | null;
  readonly value: string;
  readonly model: string;
  readonly isExpected: boolean;
}
export const usual: Wanted = {
  seeds: 3,
  isSuite: true,
  isWithheld: false,
  speech: null,
  words: '',
  cuts: 0,
  leftOut: null,
  fact: null,
  value: '',
  model: '',
  isExpected: false,
};

/** Changes of the robustness suite without its other seed. */
const inSuite = 7;

/** As many arms as the chosen changes make at most, where an attribute has two values. */
export const mostChanges = ({ seeds, isSuite, cuts, fact, model }: Wanted): number =>
  Math.max(seeds ?? 0, isSuite ? 1 : 0) +
  (cuts ?? 0) +
  (isSuite ? inSuite : 0) +
  (fact === null ? 0 : 1) +
  (model.trim() === '' ? 0 : 1);

/** Which sets of facts can be left out, each with its number of trials. */
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

/** Changes of the robustness suite that are none for this trial, and how many trials each would make. */
export function unfitInSuite({
  view: { facts, cast, params },
}: TriedTrial): { readonly what: string; readonly trials: number }[] {
  const isDebate = cast.some(({ role }) => advocates.includes(plainRole(role)));
  const hasLength = debateLengths.some((length) => typeof params[length] === 'number');
  return [
    ...(facts.length > 1 ? [] : [{ what: 'another order of the facts', trials: 1 }]),
    ...(isDebate ? [] : [{ what: 'an advocate who misleads', trials: 1 }]),
    ...(hasLength ? [] : [{ what: 'a shorter and a longer debate', trials: 2 }]),
  ];
}

/** As many trials as the chosen changes of one trial make at most, the unchanged one among them. */
export function mostTrials(tried: TriedTrial, wanted: Wanted): number {
  const { seeds, isSuite, isWithheld, speech, words, leftOut } = wanted;
  const ofSpeech = 1 + Math.max(seeds ?? 0, isSuite ? 1 : 0);
  const unfit = isSuite ? unfitInSuite(tried).reduce((sum, { trials }) => sum + trials, 0) : 0;
  const ofOne = speech === null ? 0 : words.trim() === '' ? ofSpeech : 1;
  const ofFacts = leftOutChoices(tried.view.facts).find(({ id }) => id === leftOut)?.most ?? 0;
  return 1 + mostChanges({ ...wanted, cuts: 0 }) - unfit + (isWithheld ? tried.speeches.size * ofSpeech : ofOne) + ofFacts;
}
