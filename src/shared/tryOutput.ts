import { z } from 'zod';
import { beliefSourceSchema, shownFactSchema } from './domain.ts';
import { promptsVersionSchema } from './promptOutputs.ts';

/** What `assize show --json` and `assize try --json` print. Fields are added, never renamed. */
export const tryReportSchema = z.strictObject({
  experiment: z.string(),
  trial: z.string(),
  case: z.string(),
  /** The question and the facts as the court read them; no facts where they were erased. */
  question: z.string().nullable(),
  facts: z.array(shownFactSchema),
  store: z.string(),
  /** What of the record of the trial fails its check; absent where nothing does. */
  damage: z.string().optional(),
  /** What its arm changes, and in which arm; absent if it changes nothing, or if `unheard` says it. */
  changed: z.string().optional(),
  /** What the court did not hear, and because of which change; absent if it heard everything. */
  unheard: z.string().optional(),
  outcome: z.string(),
  prediction: z.union([z.string(), z.array(z.string()), z.null()]),
  confidence: z.number().nullable(),
  /** What the confidence is: stated by a model, a share of votes, or a mixture; null where there is none. */
  belief_source: beliefSourceSchema.nullable(),
  incomplete: z.boolean(),
  standin: z.boolean(),
  calls: z.int(),
  head_hash: z.string().nullable(),
  /** The variant of the prompts; absent where the words are the shipped ones. */
  prompts: promptsVersionSchema.optional(),
  /** What was said and believed, in order. */
  transcript: z.array(
    z.strictObject({
      /**
       * `step`: what was settled, looked up or measured between the speeches, described in `text`; `turn` is
       * `sides`, `precedents`, `ambiguity`, `positions`, `rating`, `round`, `exchange`, `subtopics`,
       * `moderator`, `stop`, `answer` or `comparison`.
       */
      kind: z.enum(['utterance', 'belief', 'forfeit', 'ruling', 'step', 'proposal', 'score']),
      role: z.string(),
      turn: z.string().nullable(),
      /** What a speech is about, where it is about one of several subtopics: `1. Costs`. */
      subtopic: z.string().optional(),
      /** True of a speech that the court did not hear; absent of any other entry. */
      unheard: z.boolean().optional(),
      /** The words that the court heard in place of such a speech; absent where it heard nothing there. */
      heard_instead: z.string().optional(),
      text: z.string().nullable(),
      /** What a speaker names as taken from outside the facts; null where it was erased; absent where it was not asked. */
      outside: z.array(z.string().nullable()).optional(),
      /** What no one else in the trial saw: the plan behind a speech, the notes behind a belief. */
      private: z.string().nullable(),
      prediction: z.string().nullable(),
      confidence: z.number().nullable(),
    }),
  ),
});
export type TryReport = z.infer<typeof tryReportSchema>;
