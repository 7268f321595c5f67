/** The projection of trajectories: what figures and statistics read of an ended trial. */
export const trajectories = {
  version: 3,
  sql: `
    -- Of the last attempt, as JSON. head_hash: of the chain that it was made from. computation: of the program that made it;
    -- a row of another one, or of another head, counts as none.
    CREATE TABLE trajectories (
      trial       TEXT PRIMARY KEY,
      head_hash   TEXT NOT NULL,
      computation INTEGER NOT NULL,
      trajectory  TEXT NOT NULL
    ) STRICT;
  `,
} as const;
