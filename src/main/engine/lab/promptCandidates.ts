// Instructions that are tried as parts of an arm's prompts: each becomes a variant of them.
import type { Variant } from '../../../core/prompts/variant.ts';
import { partsOf } from '../../../core/prompts/variantParts.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { refuseForeignPath } from '../store/location.ts';
import { readTextFile } from './jsonFile.ts';
import type { PreparedArm } from './preparedArm.ts';
import { usableVariant } from './promptEditing.ts';
import { refuseLongParts } from './promptVariants.ts';

export interface Candidate {
  readonly instruction: string;
  readonly variant: Variant;
  /** The file of the variant. */
  readonly text: string;
}

const mostCandidates = 64;

/**
 * The instructions of a file, one a line, each put before the words of one text of the arm's prompts.
 * @param into `PROMPT/TEXT`, such as `answer/cot`
 * @param numCtx tokens of context
 * @throws bad input with file and line
 */
export function candidatesIn(path: string, into: string, { protocol, variant }: PreparedArm, numCtx: number): Candidate[] {
  refuseForeignPath(path, '--instructions');
  const lines = readTextFile(path, 'an instruction on each line').split(/\r?\n/);
  const given = lines.flatMap((line, index) => (line.trim() === '' ? [] : [{ instruction: line.trim(), line: index + 1 }]));
  if (given.length > mostCandidates) {
    throw badInput(`there are ${given.length} instructions; give at most ${mostCandidates}`, { file: path });
  }
  const parts = partsOf(variant?.prompts ?? protocol.prompts);
  const texts = parts.flatMap(({ prompt, text }) => (text === null ? [] : [`${prompt}/${text}`]));
  if (!texts.includes(into)) {
    throw badInput(`protocol ${protocol.id} has no text ${JSON.stringify(into)}; it has ${texts.join(', ')}`, {
      field: '--into',
    });
  }
  return given.map(({ instruction, line }, index) => {
    const twice = given.findIndex((other) => other.instruction === instruction);
    if (twice < index)
      throw badInput(`this is the instruction of line ${given[twice]?.line} again; remove one`, { file: path, line });
    const edited = {
      name: `instruction-${String(line).padStart(2, '0')}`,
      protocol: protocol.id,
      about: instruction.slice(0, 500).toWellFormed(),
      parts: parts.map((part) =>
        `${part.prompt}/${part.text}` === into ? { ...part, words: `${instruction}\n\n${part.words}` } : part,
      ),
    };
    try {
      const { variant: changed, content } = usableVariant(edited);
      refuseLongParts(changed, numCtx, path);
      return { instruction, variant: changed, text: content };
    } catch (error) {
      // Its line is one of the variant, which nobody has seen.
      throw error instanceof AssizeError ? badInput(error.message, { file: path, line }) : error;
    }
  });
}
