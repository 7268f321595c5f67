import { z } from 'zod';
import { beliefSchema } from '../domain.ts';
import { keyed, ofRole, text } from './parts.ts';

/** 0 to ln n, in nats. */
const nats = z.number().min(0);
const share = z.number().min(0).max(1);

const sideSchema = z.strictObject({
  /** Sum of the percentages as stated, before they were divided by it; null where one number was stated for two labels. */
  rawSum: z.number().min(0).nullable(),
  entropy: nats,
  /** CRIT / 10, 0.1-1; null where there is none. */
  crit: share.nullable(),
  /** Whether the other agent gets to read the arguments; the probabilities it always does. */
  admitted: z.boolean(),
  /** Whether the agent answered in this round; if not, its last answer is used. */
  answered: z.boolean(),
});

/** Two distributions after an exchange, and how far they agree. Natural logarithms throughout. */
export const exchangeSchema = z.strictObject({
  /** From 1. */
  round: z.int().min(1),
  /** 0-1; null where the agents did not debate. */
  contentiousness: share.nullable(),
  sides: z.strictObject({ agentA: sideSchema, agentB: sideSchema }),
  /** Weights of both in the mixture. */
  weights: z.strictObject({ agentA: z.number().min(0), agentB: z.number().min(0) }),
  mixture: beliefSchema,
  mixtureEntropy: nats,
  /** 0-1. */
  normalisedEntropy: share,
  /** Fall of the mixture's entropy since the round before; null in the first. */
  informationGain: z.number().nullable(),
  /** Wasserstein distance 0-1: `nominal`, the total variation; `labels`, on the line of the labels. */
  wd: share,
  wdOrder: z.enum(['nominal', 'labels']),
  /** 0 to ln 2. */
  jsd: nats,
  mi: nats,
  nmi: share,
  /** D(A || B) and D(B || A). */
  kl: z.strictObject({ aToB: nats, bToA: nats }),
  /** H(A, B) and H(B, A). */
  crossEntropy: z.strictObject({ aToB: nats, bToA: nats }),
  /** Mean of both CRIT / 10; null where one is missing. */
  crit: share.nullable(),
  /** Differences from the round before, unrounded; null in the first. */
  change: z.strictObject({ wd: z.number(), mi: z.number(), jsd: z.number(), crit: z.number().nullable() }).nullable(),
  /** Why there is no further round; null where there is one. */
  stop: z.enum(['tolerance', 'rounds', 'mixture']).nullable(),
});

const exchangeMeasureSchema = z.strictObject({ ...keyed, ...exchangeSchema.shape });

/** A question to ask, a test to make, a fact to look up. */
const recommendationKindSchema = z.enum(['inquiry', 'test', 'fact']);

const recommendationMakeSchema = z.strictObject({
  /** The agent that wrote the list both agreed on. */
  ...ofRole,
  contentiousness: share,
  /** What would make the verdict surer. */
  recommendations: z.array(z.strictObject({ kind: recommendationKindSchema, text, reason: text })),
});

export const evinceEvents = {
  'exchange-measure': exchangeMeasureSchema,
  'recommendation-make': recommendationMakeSchema,
} as const;
