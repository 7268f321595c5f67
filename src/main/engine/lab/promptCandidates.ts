// Instructions that are tried as parts of an arm's prompts: each becomes a variant of them.
import type { Variant } from '../../../core/prompts/variant.ts';
import { variantAsText } from '../../../core/prompts/variant.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { refuseForeignPath } from '../store/location.ts';
import { readTextFile } from './jsonFile.ts';
import type { PreparedArm } from './preparedArm.ts';
import { parseVariant } from './promptVariants.ts';

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
 * @throws bad input with file and line
 */
export function candidatesIn(path: string, into: string, { protocol, variant }: PreparedArm): Candidate[] {
  refuseForeignPath(path, '--instructions');
  const lines = readTextFile(path, 'an instruction on each line').split(/\r?\n/);
  const given = lines.flatMap((line, index) => (line.trim() === '' ? [] : [{ instruction: line.trim(), line: index + 1 }]));
  if (given.length > mostCandidates) {
    throw badInput(`there are ${given.length} instructions; give at most ${mostCandidates}`, { file: path });
  }
  const words = variant?.prompts ?? protocol.prompts;
  const [prompt = '', text = ''] = into.split('/');
  const before = Object.hasOwn(words, prompt) ? words[prompt]?.texts[text] : undefined;
  if (before === undefined) {
    const known = Object.entries(words).flatMap(([id, { texts }]) => Object.keys(texts).map((name) => `${id}/${name}`));
    throw badInput(`protocol ${protocol.id} has no text ${JSON.stringify(into)}; it has ${known.join(', ')}`, {
      field: '--into',
    });
  }
  return given.map(({ instruction, line }, index) => {
    const twice = given.findIndex((other) => other.instruction === instruction);
    if (twice < index)
      throw badInput(`this is the instruction of line ${given[twice]?.line} again; remove one`, { file: path, line });
    const own = words[prompt];
    const changed = {
      ...words,
      [prompt]: { messages: own?.messages ?? [], texts: { ...own?.texts, [text]: `${instruction}\n\n${before}` } },
    };
    const name = `instruction-${String(line).padStart(2, '0')}`;
    const whole = variantAsText(
      { name, protocol: protocol.id, about: instruction.slice(0, 500), prompts: changed },
      protocol.prompts,
    );
    try {
      return { instruction, variant: parseVariant(whole, path), text: whole };
    } catch (error) {
      // Its line is one of the variant, which nobody has seen.
      throw error instanceof AssizeError ? badInput(error.message, { file: path, line }) : error;
    }
  });
}
