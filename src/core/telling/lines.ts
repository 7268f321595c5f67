// Writes blocks as lines of text.
import { type LineBlock, plainAsText } from './blocks.ts';

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
