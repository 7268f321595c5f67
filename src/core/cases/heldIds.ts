// Whether the id of a case is one that somebody types.

/** As it is said: `Berth-09` and `berth 9` are both `berth9`. Two numbers stay two: `2021-05` and `2021 5` are both `2021-5`. */
const said = (id: string) =>
  id
    .toLowerCase()
    .replaceAll(/(?<![\d.])0+(?=\d)/g, '')
    .replaceAll(/[\s-]+/g, '-')
    .replaceAll(/(?<!\d)-|-(?!\d)/g, '');

/** Whether an id holds what was typed, in upper or lower case, without regard to spaces, hyphens and zeros before a number. */
export function holdsId(id: string, typed: string): boolean {
  const sought = said(typed);
  return id.toLowerCase().includes(typed.toLowerCase()) || (sought !== '' && said(id).includes(sought));
}

/** Whether an id is just what was typed, in upper or lower case. */
export const isId = (id: string, typed: string): boolean => id.toLowerCase() === typed.toLowerCase();

/** For the order of a list: an id that is just what was typed comes first. */
export const exactFirst = (one: string, other: string, typed: string): number =>
  Number(isId(other, typed)) - Number(isId(one, typed));
