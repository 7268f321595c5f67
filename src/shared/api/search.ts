import { z } from 'zod';

export const searchRequestSchema = z.strictObject({
  /** Words and phrases in double quotes, all of which must occur. */
  sought: z.string().trim().min(1).max(200),
  /** Of this experiment alone; null: of all. */
  experiment: z.string().nullable(),
  /** Matches before the first one that is given. */
  offset: z.int().min(0).max(1_000).optional(),
  /** Absent: 50. */
  limit: z.int().min(1).max(50).optional(),
});
export type SearchRequest = z.infer<typeof searchRequestSchema>;

const foundTrialSchema = z.strictObject({
  trial: z.string(),
  /** As lists call it. */
  arm: z.string(),
  protocol: z.string(),
  /** Its words are those of the demo model. */
  standin: z.boolean(),
  case: z.string(),
  /** The name of a case from Try a case; null for others, which have an id. */
  title: z.string().nullable(),
  replicate: z.int(),
  /** Trials of each case in each arm of the experiment. */
  replicates: z.int(),
});

export const searchHitSchema = z.strictObject({
  experiment: z.string(),
  /** Of the event in its chain: that of the trial, or of the reviews of the experiment. */
  seq: z.int(),
  kind: z.string(),
  /** Null of a sign-off, which is under a whole experiment. */
  of: foundTrialSchema.nullable(),
  /** Place in the trial where it is shown; null for the trial as a whole. */
  at: z.int().nullable(),
  /** A role of the trial; the name that a person gave, if `isPerson`. */
  by: z.string(),
  isPerson: z.boolean(),
  /** What the transcript calls the speech next to its speaker, such as `rebuttal 2`; null where it is no speech. */
  turn: z.string().nullable(),
  /** It was found in the private plan of a speech alone. */
  isPlan: z.boolean(),
  /** It is a speech that was withheld from the court, or that other words took the place of. */
  isUnheard: z.boolean(),
  /** Part of what was said, with what was looked for. */
  pieces: z.array(z.strictObject({ text: z.string(), isFound: z.boolean() })),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

export const searchResultSchema = z.strictObject({
  /** The newest first. */
  hits: z.array(searchHitSchema),
  /** Counted up to `mostCounted`. */
  count: z.int(),
  mostCounted: z.int(),
});
export type SearchResult = z.infer<typeof searchResultSchema>;

export const searchFrameSchema = z.discriminatedUnion('kind', [
  /** Trials that are being added to the index. */
  z.strictObject({ kind: z.literal('progress'), done: z.int(), of: z.int() }),
  z.strictObject({ kind: z.literal('done'), result: searchResultSchema }),
]);
export type SearchFrame = z.infer<typeof searchFrameSchema>;
