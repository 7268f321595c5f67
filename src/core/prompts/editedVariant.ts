import { isMarker, PromptFileError } from './promptFile.ts';
import { type Prompts, readVariant, type Variant, variantNameSchema } from './variant.ts';
import { changedParts, type PlaceInPart, partsAsFile, type VariantFront, type VariantPart } from './variantParts.ts';

/** A variant while somebody edits it; nothing of it need be right. */
export interface EditedVariant extends VariantFront {
  /** Those that it leaves out keep the shipped words. */
  readonly parts: readonly VariantPart[];
}

export interface EditProblem {
  /** Null where it is about the name, or about the variant as a whole. */
  readonly place: PlaceInPart | null;
  readonly message: string;
  /** Whether the variant cannot be used because of it; else it is a warning. */
  readonly refused: boolean;
}

export interface CheckedVariant {
  /** As its file. */
  readonly content: string;
  /** Null where it is refused. */
  readonly variant: Variant | null;
  readonly problems: readonly EditProblem[];
}

/** What a file would not say of a part: its words end it, or there are none. */
function problemOf({ prompt, text, words }: VariantPart): EditProblem | null {
  const lines = words.split('\n');
  const stray = lines.findIndex((line) => isMarker(line, text === null));
  const refused = (line: number, message: string) => ({ place: { prompt, text, line }, message, refused: true });
  if (stray >= 0)
    return refused(stray + 1, `${JSON.stringify(lines[stray])} would begin another part; write the line in another way`);
  if (text === null && words.trim() === '') return refused(1, 'there are no messages; write them, or restore the shipped words');
  return null;
}

/** Checks an edited variant, part by part. Of what makes it unusable, the first is named. */
export function checkEdited(edited: EditedVariant, shipped: Prompts): CheckedVariant {
  const parts = changedParts(edited.parts, shipped);
  const { content, placeOf } = partsAsFile(edited, parts);
  const name = variantNameSchema.safeParse(edited.name);
  const [problem] = [
    ...(name.success ? [] : [{ place: null, message: name.error.issues[0]?.message ?? '', refused: true }]),
    ...parts.map(problemOf).filter((found) => found !== null),
  ];
  if (problem !== undefined) return { content, variant: null, problems: [problem] };
  try {
    const variant = readVariant(content, (protocol) => (protocol === edited.protocol ? shipped : undefined));
    const problems = variant.warnings.map(({ line, message }) => ({ place: placeOf(line), message, refused: false }));
    return { content, variant, problems };
  } catch (error) {
    if (!(error instanceof PromptFileError)) throw error;
    return { content, variant: null, problems: [{ place: placeOf(error.line), message: error.message, refused: true }] };
  }
}
