/** What a data file may hold; beyond it is refused before memory fills up. */
export const limits = {
  fileBytes: 1024 ** 3,
  /** Bytes of an Excel workbook, which is read as a whole. */
  workbookBytes: 100 * 1024 ** 2,
  /** Bytes of an Excel workbook's tables and texts once they are unpacked. */
  unpackedBytes: 400 * 1024 ** 2,
  /** Rows of an Excel sheet, empty ones too: as many as Excel has. */
  sheetRows: 1_048_576,
  /** Cells of all sheets of an Excel workbook, each from its first cell to its last row and column with a value, gaps too. */
  sheetCells: 20_000_000,
  /** Of these cells, so many may be gaps in a workbook with few values, and 20 more for each value. */
  sheetGaps: 2_000_000,
  /** Bytes of one part of a Parquet file once it is unpacked: a page, and the rows that are read at a time. */
  groupBytes: 512 * 1024 ** 2,
  rows: 1_000_000,
  /** Columns of a table, or distinct fields of a JSON Lines file. */
  columns: 2_000,
  cellCharacters: 1024 ** 2,
  /** Characters of one table record, bytes of one line of JSON. */
  rowSize: 8 * 1024 ** 2,
  labels: 1_000,
} as const;
