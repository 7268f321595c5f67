import { z } from 'zod';
import { outcomeSchema } from './domain.ts';
import { comparisonSchema } from './statistics.ts';

/** A variant of a protocol's prompts, and its version: SHA-256, hexadecimal. */
export const promptsVersionSchema = z.strictObject({ name: z.string(), hash: z.string().length(64) });

/** The user's variants as screens choose among them. */
export const variantChoicesSchema = z.strictObject({
  variants: z.array(z.strictObject({ name: z.string(), protocol: z.string(), about: z.string(), hash: z.string() })),
  /** Files of the folder that cannot be used, each with the reason in a sentence. */
  broken: z.array(z.string()),
});
export type VariantChoices = z.infer<typeof variantChoicesSchema>;

/** What `assize prompts --json` prints. Fields are added, never renamed. */
export const promptsReportSchema = z.strictObject({
  /** Folder of the user's variants. */
  folder: z.string(),
  protocols: z.array(
    z.strictObject({
      protocol: z.string(),
      /** Version of the shipped words: SHA-256, hexadecimal. */
      hash: z.string(),
      prompts: z.array(z.string()),
    }),
  ),
  variants: z.array(
    z.strictObject({
      path: z.string(),
      name: z.string().nullable(),
      protocol: z.string().nullable(),
      about: z.string(),
      hash: z.string().nullable(),
      /** Why it cannot be used; null where it can. */
      problem: z.string().nullable(),
    }),
  ),
});
export type PromptsReport = z.infer<typeof promptsReportSchema>;

/** What `assize prompts check --json` prints. */
export const variantReportSchema = z.strictObject({
  name: z.string(),
  protocol: z.string(),
  about: z.string(),
  hash: z.string(),
  warnings: z.array(z.strictObject({ line: z.int(), message: z.string() })),
});
export type VariantReport = z.infer<typeof variantReportSchema>;

/** What `assize vary --json` prints. */
export const varyReportSchema = z.strictObject({
  experiment: z.string(),
  file: z.string(),
  added: z.array(z.string()).min(1),
});
export type VaryReport = z.infer<typeof varyReportSchema>;

/** What `assize optimise --json` prints. */
export const optimiseReportSchema = z.strictObject({
  experiment: z.string(),
  arm: z.string(),
  /** Where the instructions were put: `PROMPT/TEXT`. */
  into: z.string(),
  store: z.string(),
  standin: z.boolean(),
  cases: z.strictObject({
    /** Of the validation split: those that the winner was chosen on, and those that had no say in it. */
    selection: z.int(),
    confirmation: z.int(),
    /** Left out since a case of the test split has the same content. */
    like_test_cases: z.int(),
  }),
  /** What a model was asked to suggest; null where the file asks for nothing. */
  suggestions: z
    .strictObject({
      model: z.string(),
      at_most: z.int(),
      mistakes: z.strictObject({
        /** Cases to choose on that the arm as it is was tried on, its wrong verdicts, and those that the model read. */
        cases: z.int(),
        wrong: z.int(),
        shown: z.int(),
      }),
      /** What became of the call: `decided` for an answer that could be read. */
      outcome: outcomeSchema,
      /** Instructions in the answer. */
      suggested: z.int(),
      /** Left out since they say the same as one before them, or as one of the list. */
      repeated: z.int(),
      /** Left out since they repeat a case or a placeholder, or since no prompt can have them. */
      refused: z.array(z.strictObject({ instruction: z.string(), problem: z.string() })),
    })
    .nullable(),
  /** The winner first, then by how far each came. None where a model alone was asked and suggested nothing that can be used. */
  candidates: z.array(
    z.strictObject({
      name: z.string(),
      instruction: z.string(),
      /** Stages that it took part in. */
      stages: z.int(),
      cases: z.int(),
      /** Share right of these, a failure as not right: of the winner too high, as it was chosen by it. Null where there was nothing to choose. */
      accuracy: z.number().nullable(),
    }),
  ),
  /** Null where there was no candidate. */
  winner: z
    .strictObject({
      name: z.string(),
      hash: z.string().length(64),
      /** The arm with the winner against the arm as it was, over the confirmation cases. */
      comparison: comparisonSchema,
    })
    .nullable(),
  /** Names of the experiments that hold all of it: mistakes and suggestions first, then the stages, and the confirmation last. */
  experiments: z.array(z.string()).min(1),
});
export type OptimiseReport = z.infer<typeof optimiseReportSchema>;
