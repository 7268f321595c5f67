import type { Court } from '../court.ts';
import type { prompts } from './prompts.ts';

/** Least contentiousness, 0-1, of each band but the last: table 6.1 of the SocraSynth paper describes the levels between. */
const bands: readonly (readonly [least: number, name: keyof typeof prompts.contentiousness.texts])[] = [
  [0.8, 'contentiousMost'],
  [0.6, 'contentiousStill'],
  [0.4, 'contentiousBalanced'],
  [0.15, 'contentiousAgreeable'],
];

/** How contentious a level is, in words. Needs the templates of this folder among those of the protocol. */
export const contentiousnessAsText = (text: Court['text'], level: number): string =>
  text(bands.find(([least]) => level >= least)?.[1] ?? 'contentiousNone');

/** The number as prompts give it: two decimals are more than a model heeds. */
export const contentiousnessNumber = (level: number): string => String(Math.round(level * 100) / 100);
