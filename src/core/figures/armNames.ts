import { baseArm, swapInName } from '../../shared/swaps.ts';
import { protocols } from '../protocols/index.ts';
import { speechName } from './speakers.ts';
import { swapTitles } from './swapText.ts';

/** Between the parts of a name that the program makes. Names that it made earlier have a comma there. */
export const armNameSeparator = ' · ';
const separators = [armNameSeparator, ', '];

/** Title of the protocol, model, variant of prompts; none for an arm named by a person. */
function partsOf(name: string): string[] | null {
  for (const { title } of protocols) {
    for (const separator of separators) {
      if (name.startsWith(`${title}${separator}`))
        return [title, ...name.slice(title.length + separator.length).split(separator)];
    }
  }
  return null;
}

const [titlePlace, modelPlace] = [0, 1];

/** What is left of a name that the program made without its model; null for one that somebody chose. */
export const nameWithoutModel = (name: string): string | null =>
  partsOf(name)?.toSpliced(modelPlace, 1).join(armNameSeparator) ?? null;

const familyOf = (model: string): string => model.replace(/:[^:/]+$/, '');

const distinct = (values: readonly string[]): boolean => new Set(values).size === values.length;

/** How long the folder is that all names begin with, as those of imported predictions do: `scholarship/` of `scholarship/tree`. */
function sharedFolder([first = '', ...others]: readonly string[]): number {
  if (others.length === 0) return 0;
  let length = 0;
  for (let end = first.indexOf('/') + 1; end > 0; end = first.indexOf('/', end) + 1)
    if (others.every((other) => other.startsWith(first.slice(0, end)))) length = end;
  return length;
}

/** The arm of which another is a variant with one thing changed, by the name that the program made for it: `court` of `court (sex exchanged)`. */
const changedFrom = (name: string, names: readonly string[]): string | undefined =>
  names
    .filter((each) => name.startsWith(`${each} (`) && name.endsWith(')') && !/^ \(\d+\)$/.test(name.slice(each.length)))
    .toSorted((one, other) => other.length - one.length)[0];

/** The end of a name that the program made for an arm whose court does not hear a speech, or hears other words in its place. */
const unheardEnd = / \((without|other words in) the speech ([^\s,()]+)((?:, seeds \d+)?)\)$/;

/**
 * What each arm is called where arms are listed, by its name in the record: `AgenticSimLLM · llama3.1`. Of the names that the
 * program made, the parts that all arms share are left out, and tags of models that do not distinguish two arms. A name that
 * somebody chose stays, without a folder that all names begin with. An arm with something exchanged is called after the arm that it is paired with, and so is one without
 * a speech: `court · without Prosecution, rebuttal`, and one with a change: `court (sex exchanged)`. No two arms of an experiment are called the same; where that would be,
 * both keep their names.
 * @param called what a speech of an arm is called, by its key
 */
export function shownArmNames(
  given: readonly string[],
  called: (speech: string, arm: string) => string = speechName,
): Map<string, string> {
  const names = [...new Set(given)];
  const base = (name: string) => baseArm(name, swapInName(name)) ?? changedFrom(name, names) ?? name.replace(unheardEnd, '');
  const bases = [...new Set(names.map(base))];
  const made = new Map(
    bases.flatMap((name) => {
      const parts = partsOf(name);
      return parts === null ? [] : [[name, parts] as const];
    }),
  );
  const tags = Map.groupBy(new Set([...made.values()].map((parts) => parts[modelPlace] ?? '')), familyOf);
  const short = (parts: readonly string[]) =>
    parts.map((part, place) => (place === modelPlace && tags.get(familyOf(part))?.length === 1 ? familyOf(part) : part));
  const isShared = (place: number) =>
    made.size > 1 && made.size === bases.length && new Set([...made.values()].map((parts) => parts[place])).size === 1;
  const left = [titlePlace, modelPlace].filter(isShared);
  const without = (drop: readonly number[]) =>
    bases.map((name) => {
      const parts = made.get(name);
      return parts === undefined
        ? name
        : short(parts)
            .filter((_part, place) => !drop.includes(place))
            .join(armNameSeparator);
    });
  const folder = sharedFolder(bases);
  const choices = [folder > 0 ? bases.map((name) => name.slice(folder)) : without(left), without([]), bases];
  const chosen = choices.find((each) => distinct(each) && !each.includes('')) ?? bases;
  const shown = new Map(bases.map((name, place) => [name, chosen[place] ?? name]));
  const all = names.map((name) => {
    const swap = swapInName(name);
    const own = shown.get(base(name)) ?? name;
    if (swap !== null) return `${own}, ${swapTitles[swap]}`;
    const [, how, speech, seeds] = unheardEnd.exec(name) ?? [];
    if (speech === undefined) return base(name) === name ? own : `${own}${name.slice(base(name).length)}`;
    return `${own} · ${how === 'without' ? how : 'other words in place of'} ${called(speech, base(name))}${seeds}`;
  });
  return new Map(names.map((name, place) => [name, distinct(all) ? (all[place] ?? name) : name]));
}

/** A sentence with the arms in it called as they are shown. Names that a person chose may be words of the sentence, and stay; so does a name that is a part of a longer word. */
export function withShownArmNames(text: string, shown: ReadonlyMap<string, string>): string {
  const changed = [...shown.keys()]
    .filter((name) => shown.get(name) !== name && text.includes(name))
    .toSorted((one, other) => other.length - one.length);
  if (changed.length === 0) return text;
  const names = changed.map((name) => RegExp.escape(name)).join('|');
  const whole = new RegExp(`(?<![\\p{L}\\p{N}_/-])(?:${names})(?![\\p{L}\\p{N}_/-]|\\.[\\p{L}\\p{N}])`, 'gu');
  return text.replace(whole, (name) => shown.get(name) ?? name);
}

/** Fields of a report that hold words of the data, or of people who judged: in these no arm is named. */
const quoted: ReadonlySet<string> = new Set([
  ...['experiment', 'store', 'decided_by', 'labels', 'label', 'positive', 'truth', 'prediction', 'instead_of', 'from', 'to'],
  ...['column_titles', 'column', 'columns', 'attribute', 'value', 'groups', 'left_out', 'fact', 'smallest', 'data_set'],
  ...['case', 'ids', 'missing', 'first', 'reviewer', 'judgement', 'reason', 'text', 'quote'],
]);

/** The same of every text in a report but what it quotes, names of fields included. */
export function calledAsShown<Value>(value: Value, shown: ReadonlyMap<string, string>): Value;
export function calledAsShown(value: unknown, shown: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return withShownArmNames(value, shown);
  if (Array.isArray(value)) return value.map((each) => calledAsShown(each, shown));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, held]) => [
      withShownArmNames(field, shown),
      quoted.has(field) ? held : calledAsShown(held, shown),
    ]),
  );
}
