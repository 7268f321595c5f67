/** What was erased: the names of the texts, what stays of them, and whether the file was cleaned afterwards. */
export const erasures = {
  version: 5,
  sql: `
    -- ref: of a text that is no longer there. erasure: place of its event in the chain of erasures. stays: what is still known
    -- of it, in the place of the text: of a case its id and label, of a setup or a list of cases all; NULL: nothing.
    CREATE TABLE erased (
      ref     BLOB PRIMARY KEY,
      erasure INTEGER NOT NULL,
      stays   TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX erased_by_erasure ON erased (erasure);

    -- erasure: as above. A row says that files and caches still have to be cleaned.
    CREATE TABLE uncleaned (
      erasure INTEGER PRIMARY KEY
    ) STRICT;
  `,
} as const;
