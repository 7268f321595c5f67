// What is odd about the cases of a data set, before they are decided.
import type { DatasetCase } from '../../shared/domain.ts';
import type { DatasetDefinition } from '../../shared/experiment.ts';
import { numberIn } from '../imported/prediction.ts';
import { comparedFacts } from './comparedFacts.ts';
import { tellingOf } from './sample.ts';

type LabelledCase = Pick<DatasetCase, 'facts' | 'truth'>;

/** With fewer cases a column can give away the label by chance. */
const fewestCases = 20;
/** A column with more different values is judged by their order alone: an id fits every label and says nothing. */
const mostValues = 1_000;
/** Least share of the labels that a column has to predict to give them away. */
const givenAway = 0.99;
/** Where one label is this frequent, any column seems to predict it. */
const oneSided = 0.97;

interface Tally {
  /** Value -> label -> cases; null once there are too many values. */
  values: Map<string, Map<string, number>> | null;
  /** Label -> least and greatest number; null once a value is no number. */
  ranges: Map<string, [number, number]> | null;
  filled: number;
}

function count(tally: Tally, value: string, label: string): void {
  if (tally.values !== null) {
    const labels = tally.values.get(value) ?? new Map<string, number>();
    tally.values.set(value, labels);
    labels.set(label, (labels.get(label) ?? 0) + 1);
    if (tally.values.size > mostValues) tally.values = null;
  }
  if (value === '') return;
  tally.filled += 1;
  const number = numberIn(value);
  if (number === null || tally.ranges === null) {
    tally.ranges = null;
    return;
  }
  const [least, greatest] = tally.ranges.get(label) ?? [number, number];
  tally.ranges.set(label, [Math.min(least, number), Math.max(greatest, number)]);
}

/** How many cases have the label that is the commonest for their value; 0 where values come too seldom to show it. */
function toldByValue({ values }: Tally, cases: number): number {
  if (values === null || values.size < 2 || values.size > cases / 2) return 0;
  return [...values.values()].reduce((sum, labels) => sum + Math.max(...labels.values()), 0);
}

/** Whether the numbers of no two labels overlap. */
function tellsByOrder({ ranges, filled }: Tally, cases: number): boolean {
  if (ranges === null || ranges.size < 2 || filled < cases) return false;
  const sorted = [...ranges.values()].toSorted(([a], [b]) => a - b);
  return sorted.every(([least], index) => index === 0 || least > (sorted[index - 1]?.[1] ?? least));
}

/**
 * Columns that give away the label alone: nearly every value goes with one label, or the numbers of the labels do not overlap.
 * Such a column was often filled in after the decision. None of fewer than 20 labelled cases, or where one label is over 97%.
 * @param columns facts, in the order in which they are named
 * @returns how many cases are without an exception, by column: `every`, or `nearly every`
 */
export function tellingColumns(columns: readonly string[], cases: readonly LabelledCase[]): Map<string, string> {
  const tallies = new Map(columns.map((name): [string, Tally] => [name, { values: new Map(), ranges: new Map(), filled: 0 }]));
  const perLabel = new Map<string, number>();
  let labelled = 0;
  for (const { facts, truth } of cases) {
    if (typeof truth !== 'string') continue;
    labelled += 1;
    perLabel.set(truth, (perLabel.get(truth) ?? 0) + 1);
    const filled = new Map(facts.map(({ name, value }) => [name, value]));
    for (const [name, tally] of tallies) count(tally, filled.get(name) ?? '', truth);
  }
  if (labelled < fewestCases || Math.max(...perLabel.values()) > oneSided * labelled) return new Map();
  return new Map(
    columns.flatMap((name) => {
      const tally = tallies.get(name);
      if (tally === undefined) return [];
      const told = tellsByOrder(tally, labelled) ? labelled : toldByValue(tally, labelled);
      return told < givenAway * labelled ? [] : [[name, told === labelled ? 'every' : 'nearly every'] as const];
    }),
  );
}

/** Whether values are possible labels and nothing else, at least two of them: perhaps answers that somebody gave before. */
export function areLabels(values: Iterable<string>, labels: readonly string[]): boolean {
  const plain = (word: string) => word.trim().toLowerCase();
  const [held, possible] = [new Set([...values].map(plain)), new Set(labels.map(plain))];
  held.delete('');
  return held.size > 1 && held.isSubsetOf(possible);
}

/** A case with the same content as an earlier one, dates apart. */
interface RepeatedCase {
  readonly id: string;
  /** The first with this content. */
  readonly of: string;
  readonly contradicts: boolean;
  /** Facts that differ although the content is the same: dates. */
  readonly apart: readonly string[];
}

const isDate = (value: string) => /^(?:\d{4}-\d\d?-\d\d?(?:[T ].*)?|\d\d?[./]\d\d?[./]\d{4})$/.test(value.trim());

/** Cases with the same content as an earlier one, dates apart, in their order. */
export function repeatedCases(cases: readonly DatasetCase[], kind: DatasetDefinition['kind']): RepeatedCase[] {
  const [whole, undated] = [new Map<string, DatasetCase>(), new Map<string, DatasetCase>()];
  return cases.flatMap((kase) => {
    const key = tellingOf(kase, kind);
    const facts = kase.facts.filter(({ value }) => !isDate(value));
    // Of nothing but dates only the very same is a repetition.
    const others = facts.length === 0 ? null : facts.length === kase.facts.length ? key : tellingOf({ ...kase, facts }, kind);
    const same = whole.get(key);
    const before = same ?? (others === null ? undefined : undated.get(others));
    if (same === undefined) whole.set(key, kase);
    if (others !== null && !undated.has(others)) undated.set(others, kase);
    if (before === undefined) return [];
    const apart = (same === undefined ? comparedFacts(before.facts, kase.facts) : []).flatMap(({ title, one, other, isSame }) =>
      isSame || !(isDate(one ?? '') || isDate(other ?? '')) ? [] : [title],
    );
    const contradicts = JSON.stringify(before.truth) !== JSON.stringify(kase.truth);
    return [{ id: kase.id, of: before.id, contradicts, apart }];
  });
}

const word = String.raw`\p{Lu}[\p{L}\p{M}'’.]*(?:-\p{Lu}[\p{L}\p{M}'’.]*)*`;
const particles = '(?:(?:van|von|de|der|den|da|di|du|la|le|bin|al|el|ter|zu|dos|del) )*';
const person = new RegExp(`^${word}(?:,? ${particles}${word}){1,2}$`, 'u');
const place = /^The |[- ](street|road|lane|avenue|square|town|park|station|hill|school|stra(ss|ß)e|weg|platz)$/i;
const hasOtherNames =
  /\b(title|book|film|song|city|town|place|district|country|station|school|company|firm|product|brand|model|species)s?\b/;
/** So many of the values have to be names of people, each of another one. */
const leastNames = 0.8;
const fewestNames = 5;

/** Whether a column names people: two or three words that begin with a capital, and others in each case. @param column its name as words in small letters */
export function namesPeople(values: readonly string[], column: string): boolean {
  if (values.length < fewestNames || hasOtherNames.test(column)) return false;
  const people = new Set(values.filter((value) => person.test(value) && !place.test(value)));
  return people.size >= leastNames * values.length;
}
