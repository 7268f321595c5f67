// What an experiment file says in place of many arms: models, protocols and the values of parameters and prompts, all with all.
import { z } from 'zod';
import { armSchema, castMemberSchema, castSchema, experimentSchema, studySchema } from './experiment.ts';

const model = castMemberSchema.shape.model;
const variant = armSchema.shape.prompts.unwrap().nullable();

export const matrixSchema = z.strictObject({
  /** Each plays every role that `cast` does not name. */
  models: z.array(z.union([model, castMemberSchema])).min(1),
  /** Protocol -> what varies in it. */
  protocols: z
    .record(
      z.string().min(1),
      z.strictObject({
        /** Parameter -> its values; one that is not here keeps its default. */
        params: z
          .record(z.string(), z.array(z.unknown(), 'list the values of this parameter between brackets, such as [3]').min(1))
          .default({}),
        /** Variants of the prompts, null for the shipped words; absent: only these. */
        prompts: z.array(variant).min(1).optional(),
        /** Roles that the same model plays in all of these arms. */
        cast: castSchema
          .refine((cast) => !Object.hasOwn(cast, '*'), { message: '"*" is each of "models" here; name single roles' })
          .default({}),
      }),
    )
    .refine((protocols) => Object.keys(protocols).length > 0, { message: 'name at least one protocol' }),
  /** Arms to leave out: those that have all of what an entry says. */
  exclude: z
    .array(
      z.strictObject({
        model: model.optional(),
        protocol: z.string().optional(),
        params: z.record(z.string(), z.unknown()).optional(),
        prompts: variant.optional(),
      }),
    )
    .default([]),
});
export type Matrix = z.infer<typeof matrixSchema>;

const inFile = { arms: z.array(armSchema).default([]), matrix: matrixSchema.optional() };

/** The files as people write them: read, they have `arms` and no `matrix`. */
export const experimentFileSchema = experimentSchema.extend(inFile);
export const studyFileSchema = studySchema.extend(inFile);
