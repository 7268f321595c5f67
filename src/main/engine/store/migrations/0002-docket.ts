/** Data sets that were added to the program, and what its runs need to continue: no part of the record. Also a column of the trials' projection. */
export const docket = {
  version: 2,
  sql: `
    -- file: name in the data folder beside the store. definition, labels: JSON.
    CREATE TABLE docket (
      id         TEXT PRIMARY KEY,
      name       TEXT NOT NULL,
      added_at   TEXT NOT NULL,
      file       TEXT NOT NULL,
      file_hash  TEXT NOT NULL,
      bytes      INTEGER NOT NULL,
      format     TEXT NOT NULL,
      definition TEXT NOT NULL,
      cases      INTEGER NOT NULL,
      labels     TEXT NOT NULL,
      positive   TEXT,
      removed_at TEXT
    ) STRICT;

    -- session: start of the program whose run has not ended. retry: JSON, outcome -> row of the last event before the
    -- further attempts were asked for. entry: of the docket, bundled ones included.
    CREATE TABLE runs (
      experiment  TEXT PRIMARY KEY,
      backend     TEXT NOT NULL,
      concurrency INTEGER NOT NULL,
      session     TEXT,
      retry       TEXT NOT NULL,
      entry       TEXT
    ) STRICT;
    CREATE INDEX runs_by_entry ON runs (entry);

    -- 1: fresh hearings of the case disagree; 0: they agree; NULL: not asked, or not to be told.
    ALTER TABLE trials ADD COLUMN ambiguous INTEGER;
  `,
} as const;
