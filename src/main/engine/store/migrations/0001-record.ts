/** The first schema: the record, its texts, and the projections made from them. */
export const record = {
  version: 1,
  sql: `
    CREATE TABLE events (
      trial     TEXT NOT NULL,
      seq       INTEGER NOT NULL,
      kind      TEXT NOT NULL,
      payload   TEXT NOT NULL,
      prev_hash BLOB NOT NULL,
      hash      BLOB NOT NULL,
      UNIQUE (trial, seq)
    ) STRICT;

    -- open 1: a writer has the store, or died with it; then the newest events may be in the -wal file alone.
    -- inode: of the main file when it was opened for writing, which tells it from a copy.
    CREATE TABLE state (
      id    INTEGER PRIMARY KEY CHECK (id = 1),
      open  INTEGER NOT NULL,
      inode TEXT NOT NULL
    ) STRICT;
    INSERT INTO state (id, open, inode) VALUES (1, 0, '');

    -- dataset 0 holds texts without case data: their salt is empty.
    CREATE TABLE datasets (
      id       INTEGER PRIMARY KEY,
      salt     BLOB NOT NULL,
      manifest BLOB
    ) STRICT;
    INSERT INTO datasets (id, salt) VALUES (0, x'');

    -- encoding 0: UTF-8; 1: the same, zlib-deflated.
    CREATE TABLE blobs (
      ref      BLOB PRIMARY KEY,
      dataset  INTEGER NOT NULL REFERENCES datasets (id),
      encoding INTEGER NOT NULL,
      bytes    BLOB NOT NULL
    ) STRICT;

    -- Projections: made from events and texts alone, rebuilt and compared by verify.
    CREATE TABLE cases (
      dataset  INTEGER NOT NULL REFERENCES datasets (id),
      id       TEXT NOT NULL,
      position INTEGER NOT NULL,
      split    TEXT NOT NULL,
      ref      BLOB NOT NULL,
      PRIMARY KEY (dataset, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX cases_by_ref ON cases (ref);

    CREATE TABLE experiments (
      name       TEXT PRIMARY KEY,
      dataset    INTEGER NOT NULL REFERENCES datasets (id),
      definition BLOB NOT NULL,
      head_hash  TEXT NOT NULL
    ) STRICT;

    CREATE TABLE trials (
      trial             TEXT PRIMARY KEY,
      experiment        TEXT NOT NULL REFERENCES experiments (name),
      arm               TEXT NOT NULL,
      case_id           TEXT NOT NULL,
      replicate         INTEGER NOT NULL,
      attempt           INTEGER NOT NULL,
      seed              INTEGER NOT NULL,
      protocol          TEXT NOT NULL,
      protocol_version  INTEGER NOT NULL,
      status            TEXT NOT NULL,
      outcome           TEXT,
      incomplete        INTEGER NOT NULL,
      inconsistent      INTEGER NOT NULL,
      prediction        TEXT,
      confidence        REAL,
      belief            TEXT,
      belief_source     TEXT,
      calls             INTEGER NOT NULL,
      attempts          INTEGER NOT NULL,
      prompt_tokens     INTEGER NOT NULL,
      completion_tokens INTEGER NOT NULL,
      model_ms          REAL NOT NULL,
      wall_ms           REAL NOT NULL,
      models            TEXT NOT NULL,
      backends          TEXT NOT NULL,
      standin           INTEGER NOT NULL,
      head_hash         TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX trials_by_experiment ON trials (experiment, arm, case_id, replicate);

    -- Pauses, resumes and warnings of runs: no part of any trial.
    CREATE TABLE run_log (
      id         INTEGER PRIMARY KEY,
      at         TEXT NOT NULL,
      experiment TEXT NOT NULL,
      event      TEXT NOT NULL,
      detail     TEXT NOT NULL
    ) STRICT;
  `,
} as const;
