/** What a data file may hold; beyond it is refused before memory fills up. */
export const limits = {
  /** Bytes of the file. */
  fileBytes: 1024 ** 3,
  /** Records. */
  rows: 1_000_000,
  /** Columns of a table, or distinct fields of a JSON Lines file. */
  columns: 2_000,
  /** Characters of one cell. */
  cellCharacters: 1024 ** 2,
  /** Characters of one table record, bytes of one line of JSON. */
  rowSize: 8 * 1024 ** 2,
  /** Distinct labels. */
  labels: 1_000,
} as const;
