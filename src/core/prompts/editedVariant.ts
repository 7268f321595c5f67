import type { EditProblem } from '../../shared/api/prompts.ts';
import { isMarker, PromptFileError } from './promptFile.ts';
import { type Prompts, readVariant, type Variant, variantNameSchema } from './variant.ts';
import { changedParts, partsAsFile, type VariantFront, type VariantPart } from './variantParts.ts';

/** A variant while it is edited; any part may be invalid. */
export interface EditedVariant extends VariantFront {
  /** Those that it leaves out keep the shipped words. */
  readonly parts: readonly VariantPart[];
}

export interface CheckedVariant {
  /** Its file. */
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

/** Checks an edited variant: its name, then its parts. Of what a file would refuse in them, the first is named. */
export function checkEdited(edited: EditedVariant, shipped: Prompts): CheckedVariant {
  const parts = changedParts(edited.parts, shipped);
  const named = variantNameSchema.safeParse(edited.name);
  // Under a wrong name the parts are still checked.
  const { content, placeOf } = partsAsFile(named.success ? edited : { ...edited, name: 'unnamed' }, parts);
  const problems: EditProblem[] = parts.map(problemOf).filter((found) => found !== null);
  if (!named.success) problems.unshift({ place: null, message: named.error.issues[0]?.message ?? '', refused: true });
  if (problems.some(({ place }) => place !== null)) return { content, variant: null, problems };
  try {
    const variant = readVariant(content, (protocol) => (protocol === edited.protocol ? shipped : undefined));
    problems.push(...variant.warnings.map(({ line, message }) => ({ place: placeOf(line), message, refused: false })));
    return { content, variant: named.success ? variant : null, problems };
  } catch (error) {
    if (!(error instanceof PromptFileError)) throw error;
    problems.push({ place: placeOf(error.line), message: error.message, refused: true });
    return { content, variant: null, problems };
  }
}
