import { partsOf } from '../../../core/prompts/variantParts.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { refuseForeignPath } from '../store/location.ts';
import { readTextFile } from './jsonFile.ts';
import type { PreparedArm } from './preparedArm.ts';
import { usableVariant } from './promptEditing.ts';
import { refuseLongParts } from './promptVariants.ts';

/** A text of an arm's prompts that instructions are put before. */
export interface PromptPlace {
  readonly arm: PreparedArm;
  /** `PROMPT/TEXT`, such as `answer/cot`. */
  readonly into: string;
  /** Tokens of context. */
  readonly numCtx: number;
}

const mostCandidates = 64;

const partsOfArm = ({ protocol, variant }: PreparedArm) => partsOf(variant?.prompts ?? protocol.prompts);

/** The words of the text as the arm has them. Throws bad input where its prompts have no such text. */
export function wordsAt({ arm, into }: PromptPlace): string {
  const texts = partsOfArm(arm).flatMap(({ prompt, text, words }) =>
    text === null ? [] : [{ name: `${prompt}/${text}`, words }],
  );
  const found = texts.find(({ name }) => name === into);
  if (found !== undefined) return found.words;
  const known = texts.map(({ name }) => name).join(', ');
  throw badInput(`protocol ${arm.protocol.id} has no text ${JSON.stringify(into)}; it has ${known}`, { field: '--into' });
}

/** What distinguishes instructions: neither capitals nor spaces nor marks. */
export const instructionKey = (instruction: string): string =>
  instruction
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim();

export type Candidate = Readonly<ReturnType<typeof candidateOf>>;

/** An instruction before the words of a text of the arm's prompts. Throws bad input where no prompt can have it. */
export function candidateOf(instruction: string, name: string, { arm, into, numCtx }: PromptPlace) {
  const parts = partsOfArm(arm).map((part) =>
    `${part.prompt}/${part.text}` === into ? { ...part, words: `${instruction}\n\n${part.words}` } : part,
  );
  const about = instruction.slice(0, 500).toWellFormed();
  const { variant, content } = usableVariant({ name, protocol: arm.protocol.id, about, parts });
  refuseLongParts(variant, numCtx, name);
  return {
    instruction,
    variant,
    /** The file of the variant. */
    text: content,
  };
}

/** The instructions of a file, one a line. Throws bad input with file and line. */
export function candidatesIn(path: string, place: PromptPlace): Candidate[] {
  refuseForeignPath(path, '--instructions');
  const lines = readTextFile(path, 'an instruction on each line').split(/\r?\n/);
  const given = lines.flatMap((line, index) => (line.trim() === '' ? [] : [{ instruction: line.trim(), line: index + 1 }]));
  if (given.length > mostCandidates) {
    throw badInput(`there are ${given.length} instructions; give at most ${mostCandidates}`, { file: path });
  }
  return given.map(({ instruction, line }, index) => {
    const twice = given.findIndex((other) => other.instruction === instruction);
    if (twice < index)
      throw badInput(`this is the instruction of line ${given[twice]?.line} again; remove one`, { file: path, line });
    try {
      return candidateOf(instruction, `instruction-${String(line).padStart(2, '0')}`, place);
    } catch (error) {
      // Its line is one of the variant, which no one has seen.
      throw error instanceof AssizeError ? badInput(error.message, { file: path, line }) : error;
    }
  });
}
