/**
 * The content of a text, to find doubles: two texts have the same content if this is equal. Compatibility forms are made one
 * (NFKC), case is folded, and each run of white space is one space, none at the ends.
 *
 * Case is folded by way of capitals, so that `ß` and `ss`, and both forms of a small sigma, are one.
 */
export const tellingOf = (text: string): string =>
  text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim();
