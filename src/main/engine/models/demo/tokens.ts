// The demo model's tokens, and numbers that follow from a text.
import { createHash } from 'node:crypto';

const piece = /\s?\p{L}{1,7}|\s?\p{N}{1,3}|\s?[^\s\p{L}\p{N}]|\s+/gu;

/** Cuts a text into pieces about as long as a real tokenizer's; joined they give the text again. */
export const tokenize = (text: string): string[] => text.match(piece) ?? [];

export const countTokens = (text: string): number => tokenize(text).length;

/** A number in [0, 1) that only the text decides: for what goes wrong and for the directions of vectors, never for answers. */
export const unit = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
