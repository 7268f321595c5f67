import type { AnswerFlag } from '../answers/answer.ts';

/** What distinguishes the items of a list: two with the same name are one item twice. */
type NameOf<T> = (item: T) => string;

const namesOf = <T>(items: readonly T[], nameOf: NameOf<T>): string[] => items.map((item) => nameOf(item).trim().toLowerCase());

export function withoutRepeats<T>(items: readonly T[], nameOf: NameOf<T>): T[] {
  const names = namesOf(items, nameOf);
  return items.filter((_item, index) => names.indexOf(names[index] ?? '') === index);
}

export function repeatFlags<T>(items: readonly T[], nameOf: NameOf<T>): AnswerFlag[] {
  return new Set(namesOf(items, nameOf)).size < items.length ? ['repeated'] : [];
}
