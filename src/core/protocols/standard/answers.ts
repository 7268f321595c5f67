import { z } from 'zod';
import type { Case } from '../../../shared/domain.ts';
import { type AnswerSpec, unlabelled } from '../../answers/answer.ts';
import { kept } from '../../answers/kept.ts';
import { type Knowledge, outsideShape } from '../knowledge.ts';
import { textOf } from '../texts.ts';
import { labelSetSpec, type VerdictCase, type VerdictTerms, verdictFields, verdictSpec } from '../verdict.ts';

/** About a dozen words. */
const fewWords = z.string().min(1).max(80);
const judged = { weight: z.enum(['low', 'medium', 'high']), reasoning: fewWords };

/** Most factors of a case whose facts are no list of features, where each is asked for. */
const mostOfText = 6;

const featuresOf = ({ kind, facts }: Case): string[] => (kind === 'tabular' ? facts.map(({ name }) => name) : []);

const eachOf = (features: readonly string[], factors: number): boolean => factors === 0 && features.length > 0;
const mostOf = (features: readonly string[], factors: number): number =>
  Math.min(factors === 0 ? mostOfText : factors, features.length || Number.POSITIVE_INFINITY);

export const asksForEach = (kase: Case, factors: number): boolean => eachOf(featuresOf(kase), factors);

export const mostFactors = (kase: Case, factors: number): number => mostOf(featuresOf(kase), factors);

function factorsSchema(features: readonly string[], factors: number): z.ZodType {
  if (eachOf(features, factors)) {
    return z.strictObject(Object.fromEntries(features.map((name) => [name, z.strictObject(judged)])));
  }
  const factor = features.length > 0 ? z.enum(features) : z.string().min(1).max(60);
  return z
    .array(z.strictObject({ factor, ...judged }))
    .min(1)
    .max(mostOf(features, factors));
}

const factorsIn = z.object({ factors: z.array(z.object({ factor: z.string() })) });

function repeatsFactor(answer: unknown): boolean {
  const { success, data } = factorsIn.safeParse(answer);
  return success && new Set(data.factors.map(({ factor }) => factor)).size < data.factors.length;
}

const step = textOf(20);

export type OneCallStyle = 'system1' | 'cot' | 'cot-nshot' | 'few-shot' | 'cot-4-step';

function before(style: OneCallStyle, features: readonly string[], factors: number): Readonly<Record<string, z.ZodType>> {
  if (style === 'cot' || style === 'cot-nshot') return { factors: factorsSchema(features, factors) };
  return style === 'cot-4-step' ? { demand: step, facts: step, weighing: step, outcome: step } : {};
}

const specOf = kept(
  (
    style: OneCallStyle,
    labels: readonly string[],
    multiLabel: boolean,
    topK: number,
    knowledge: Knowledge,
    features: readonly string[],
    factors: number,
  ): AnswerSpec<unknown> => {
    const { shape, flags, ...fields } = verdictFields({ labels, multiLabel }, { topK });
    const reasons = before(style, features, factors);
    const outside = Object.keys(reasons).length === 0 ? {} : outsideShape(knowledge);
    return {
      name: style,
      schema: z.object({ ...reasons, ...outside, ...shape }),
      ...fields,
      flags: (answer) => [...new Set([...(repeatsFactor(answer) ? (['repeated'] as const) : []), ...flags(answer)])],
    };
  },
);

/** One label, or a list of labels, after what the style asks for. @param factors most that are asked for; 0: each feature */
export const answerSpec = (
  style: OneCallStyle,
  kase: Case,
  factors: number,
  { knowledge = 'unsaid', topK = 0 }: VerdictTerms,
): AnswerSpec<unknown> => specOf(style, kase.labels, kase.multiLabel, topK, knowledge, featuresOf(kase), factors);

export const reasonedSpec = (
  name: string,
  { labels, multiLabel }: VerdictCase,
  terms: VerdictTerms,
): AnswerSpec<{ readonly reason: string }> => (multiLabel ? labelSetSpec(name, labels, terms) : verdictSpec(name, labels, terms));

export const critiqueSpec = unlabelled('critique', z.object({ critique: textOf(60) }));
