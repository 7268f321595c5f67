/** One leaf for every end of an attempt at a trial, in the order in which they ended. */
export const addLeaves = `
    INSERT INTO leaves (position, chain, head)
      SELECT row_number() OVER (ORDER BY rowid) - 1, trial, hash FROM events NOT INDEXED WHERE kind = 'trial-close';`;

/** The log of heads, which only grows, and the checkpoints that were signed over it. */
export const log = {
  version: 4,
  sql: `
    -- origin: the name of this log in its checkpoints.
    CREATE TABLE log (
      id     INTEGER PRIMARY KEY CHECK (id = 1),
      origin TEXT NOT NULL
    ) STRICT;
    INSERT INTO log (id, origin) VALUES (1, 'assize.invalid/log/' || lower(hex(randomblob(16))));

    -- position: from 0, without a gap. hashes: of the full subtrees that end with this leaf, 32 bytes each, the smallest
    -- first; null until a checkpoint covers it.
    CREATE TABLE leaves (
      position INTEGER PRIMARY KEY,
      chain    TEXT NOT NULL,
      head     BLOB NOT NULL,
      hashes   BLOB
    ) STRICT;
    CREATE INDEX leaves_by_chain ON leaves (chain);
    ${addLeaves}

    -- note: as it was signed. cosignatures: lines of witnesses that were attached to it. key: the one that signed, 32 bytes.
    -- time_stamp: a file of a time stamping service (RFC 3161), as it was attached.
    CREATE TABLE checkpoints (
      id           INTEGER PRIMARY KEY,
      size         INTEGER NOT NULL,
      made_at      TEXT NOT NULL,
      note         TEXT NOT NULL,
      cosignatures TEXT NOT NULL,
      key          BLOB NOT NULL,
      time_stamp   BLOB
    ) STRICT;
  `,
} as const;
