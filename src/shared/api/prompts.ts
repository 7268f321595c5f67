import { z } from 'zod';
import type { VariantReport } from '../promptOutputs.ts';
import { entryIdSchema } from './dataFiles.ts';

const protocolSchema = z.string().max(60);
const nameSchema = z.string().max(200);

export const editedVariantSchema = z.strictObject({
  name: nameSchema,
  protocol: protocolSchema,
  about: z.string().max(500),
  parts: z
    .array(
      z.strictObject({
        prompt: z.string().max(100),
        /** Name of a text; null: the messages, under their markers. */
        text: z.string().max(100).nullable(),
        words: z.string().max(200_000),
      }),
    )
    .max(200),
});

/** The shipped words of a protocol, or a variant of the user's own. */
export const variantSourceSchema = z.strictObject({
  from: z.enum(['shipped', 'own']),
  name: nameSchema,
});
export type VariantSource = z.infer<typeof variantSourceSchema>;

/** A file of the user's own as it was read: another version on the disk is not overwritten. */
const keptFileSchema = z.strictObject({ name: nameSchema, /** SHA-256. */ file: z.string().length(64) });

export const openedVariantSchema = z.strictObject({
  edited: editedVariantSchema,
  /** Null: it is not kept yet. */
  kept: keptFileSchema.nullable(),
  /** Those with messages first. */
  prompts: z.array(
    z.strictObject({
      id: z.string(),
      step: z.string(),
      slots: z.array(z.strictObject({ name: z.string(), meaning: z.string(), needed: z.boolean() })),
      parts: z.array(
        z.strictObject({
          text: z.string().nullable(),
          shipped: z.string(),
          /** Slots that the shipped words have. */ slots: z.array(z.string()),
        }),
      ),
    }),
  ),
});
export type OpenedVariant = z.infer<typeof openedVariantSchema>;
export type EditablePrompt = OpenedVariant['prompts'][number];

export interface EditProblem {
  /** Null where it is about the name, or about the variant as a whole. */
  readonly place: { readonly prompt: string; readonly text: string | null; readonly line: number } | null;
  readonly message: string;
  /** Whether the variant cannot be used because of it; else it is a warning. */
  readonly refused: boolean;
}

export interface VariantCheck {
  /** Its version; null where it cannot be used. */
  readonly hash: string | null;
  readonly problems: readonly EditProblem[];
}

export type SavedVariant = Readonly<Pick<VariantReport, 'name' | 'protocol' | 'hash'>>;

export const saveVariantSchema = z.strictObject({
  edited: editedVariantSchema,
  /** The file that it takes the place of, under the same name or another; null: a new one. */
  replaces: keptFileSchema.nullable(),
});

export const variantContentSchema = z.strictObject({ content: z.string().max(4_000_000) });

export const variantPreviewQuerySchema = z.strictObject({
  edited: editedVariantSchema,
  entry: entryIdSchema,
  params: z.record(z.string(), z.unknown()),
});
