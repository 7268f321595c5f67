import { z } from 'zod';
import type { AnswerFlag } from '../answers/answer.ts';
import { charactersPerWord } from '../text/shorten.ts';

/** A text of an answer, with room for as many words as the prompt asks for. @param least fewest characters */
export const textOf = (words: number, least = 1): z.ZodString =>
  z
    .string()
    .min(least)
    .max(words * charactersPerWord);

/** Characters of the shortest text that passes for a speech; base models say "None" where they have nothing to say. */
const shortestSpeech = 20;

/** A text that others are going to hear. */
export const speechOf = (words: number): z.ZodString => textOf(words, shortestSpeech);

/** Flags a speech of under 40 characters: it is content, and worth counting. */
export const speechFlags = (speech: string): AnswerFlag[] => (speech.length < 40 ? ['short'] : []);
