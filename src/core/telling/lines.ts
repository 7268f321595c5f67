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

type AwaitedBlock = Extract<Block, { kind: 'awaited' }>;

/** What blocks wait for, at any depth. */
export function awaitedIn(blocks: readonly Block[]): AwaitedBlock[] {
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case 'awaited':
        return [block];
      case 'fold':
      case 'row':
      case 'part':
        return awaitedIn(block.blocks);
      case 'list':
        return block.items.flatMap(awaitedIn);
      case 'columns':
        return block.columns.flatMap(awaitedIn);
      case 'cards':
        return block.cards.flatMap((card) => awaitedIn(card.blocks));
      default:
        return [];
    }
  });
}

/** The texts of the record in blocks of a row, in their order. */
export const speechesIn = (blocks: readonly Block[]): SpeechBlock[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'speech') return [block];
    return block.kind === 'fold' || block.kind === 'row' ? speechesIn(block.blocks) : [];
  });
