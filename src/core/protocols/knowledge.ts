// What a speaker may draw on in addition to the facts of the case, and the field in which it names what it took from there.
import { z } from 'zod';
import type { Wording } from '../prompts/wording.ts';
import type { PaperContractEntry } from './protocol.ts';
import { textOf } from './texts.ts';

/** What speakers may use in addition to the facts; with `general` they name it. */
export const knowledgeSchema = z.enum(['general', 'facts-only']).default('general');

/** `unsaid`: in versions from before it could be chosen, whose rules have other words for it, or none. */
export type Knowledge = z.infer<typeof knowledgeSchema> | 'unsaid';

/** Parameters of a protocol, with those of its versions from before. */
export type WithKnowledge<P> = Omit<P, 'knowledge'> & { readonly knowledge: Knowledge };

/** How a paper is read that lets its speakers use what they know. @param paper where it does, with the section */
export const knowledgeEntry = (paper: string): PaperContractEntry => ({
  subject: 'knowledge',
  paper,
  gap: 'does not say what may be used in addition to the facts, or how a reader can recognise it',
  decision:
    '`general`: what is generally known may be used, and speakers name it in a separate field, which is not checked; `facts-only` forbids it',
});

const ruleNames = { general: 'knowledgeGeneral', 'facts-only': 'knowledgeFactsOnly' } as const;

/** Whether a text of this name says what may be used. */
export const isKnowledgeRule = (name: string): boolean => Object.values<string>(ruleNames).includes(name);

export const knowledgeRule = (text: Wording['text'], knowledge: Knowledge): string =>
  knowledge === 'unsaid' ? '' : text(ruleNames[knowledge]);

/** The field for what is taken from outside the facts, as the shape of an answer shows it behind another field. */
export const outsideText = (text: Wording['text'], knowledge: Knowledge): string =>
  knowledge === 'general' ? `, ${text('outside')}` : '';

const outsideSchema = z.array(textOf(20)).max(3);

export const outsideShape = (knowledge: Knowledge): { outside?: typeof outsideSchema } =>
  knowledge === 'general' ? { outside: outsideSchema } : {};

const outsideIn = z.object({ outside: outsideSchema.optional() });

/** What an answer names as taken from outside the facts; absent where it was not asked. */
export function outsideOf(answer: unknown): { readonly outside?: readonly string[] } {
  const { outside } = outsideIn.parse(answer);
  return outside === undefined ? {} : { outside };
}
