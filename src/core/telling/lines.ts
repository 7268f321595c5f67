// Writes blocks as lines of text, and finds the texts of the record in them.
import { type Block, type LineBlock, plainAsText, type SpeechBlock } from './blocks.ts';

function linesIn(block: LineBlock): string[] {
  switch (block.kind) {
    case 'words':
      return [plainAsText(block.words).trimEnd()];
    case 'speech':
      return [block.text ?? 'erased from the store.'];
    case 'list':
      return block.items.flatMap(linesOf);
    case 'fold':
      return [`${plainAsText(block.title)}: ${linesOf(block.blocks).join(' ')}`];
  }
}

/** The blocks of a step as lines of text; what only a screen has is left out. */
export const linesOf = (blocks: readonly LineBlock[]): string[] => blocks.flatMap(linesIn);

/** The texts of the record in blocks of a row, in the order in which they stand. */
export const speechesIn = (blocks: readonly Block[]): SpeechBlock[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'speech') return [block];
    return block.kind === 'fold' || block.kind === 'row' ? speechesIn(block.blocks) : [];
  });
