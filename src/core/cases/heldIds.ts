// Whether the id of a case is one that somebody types.

/** As it is said: `Berth-09` and `berth 9` are both `berth9`. */
const said = (id: string) =>
  id
    .toLowerCase()
    .replaceAll(/(?<!\d)0+(?=\d)/g, '')
    .replaceAll(/[\s-]+/g, '');

/** Whether an id holds what was typed, in upper or lower case, without regard to spaces, hyphens and zeros before a number. */
export function holdsId(id: string, typed: string): boolean {
  const sought = said(typed);
  return id.toLowerCase().includes(typed.toLowerCase()) || (sought !== '' && said(id).includes(sought));
}

/** For the order of a list: an id that is just what was typed comes first. */
export const exactFirst = (one: string, other: string, typed: string): number =>
  Number(other.toLowerCase() === typed.toLowerCase()) - Number(one.toLowerCase() === typed.toLowerCase());
