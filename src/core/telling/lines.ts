import { type Block, plainWords } from './blocks.ts';

/** The blocks of a step as lines of text; what only a screen has is left out. */
export function linesOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case 'words':
        return plainWords(block.words).trimEnd();
      case 'speech':
        return block.text ?? 'erased from the store.';
      case 'list':
        return block.items.flatMap(linesOf);
      case 'fold':
        return `${plainWords(block.title)}: ${linesOf(block.blocks).join(' ')}`;
      default:
        throw new Error(`a step is told without ${block.kind}`);
    }
  });
}
