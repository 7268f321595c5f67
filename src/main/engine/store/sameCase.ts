// Cases of several data sets that are one and the same.
import type { DatasetCase } from '../../../shared/domain.ts';
import { caseText } from './datasets.ts';

/** So many facts, or a value of so many characters, distinguish cases; fewer are shared by chance where ids count rows. */
const telling = { facts: 4, characters: 30 };

const factTexts = ({ facts }: DatasetCase) => facts.map((fact) => JSON.stringify(fact));

/** Whether two cases have the same id and the same facts: one file, read with another seed, question or group column. */
export const haveSameFacts = (one: DatasetCase, other: DatasetCase): boolean =>
  one.id === other.id && factTexts(one).join() === factTexts(other).join();

/** Whether two cases are one, read with different questions or with fewer columns. */
export function isSameCase(one: DatasetCase, other: DatasetCase): boolean {
  if (caseText(one) === caseText(other)) return true;
  const [fewer = [], more = []] = [one.facts, other.facts].toSorted((a, b) => a.length - b.length);
  const tells = fewer.length >= telling.facts || fewer.some(({ value }) => value.length >= telling.characters);
  const spelled = new Set(more.map((fact) => JSON.stringify(fact)));
  return one.id === other.id && tells && fewer.every((fact) => spelled.has(JSON.stringify(fact)));
}
