const piece = /\s?\p{L}{1,7}|\s?\p{N}{1,3}|\s?[^\s\p{L}\p{N}]|\s+/gu;

/** Cuts a text into pieces about as long as a real tokenizer's; joined they give the text again. */
export function tokenize(text: string): string[] {
  return text.match(piece) ?? [];
}

/** Number of tokens of a text. */
export function countTokens(text: string): number {
  let count = 0;
  piece.lastIndex = 0;
  while (piece.test(text)) count += 1;
  return count;
}
