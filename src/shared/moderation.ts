import { z } from 'zod';

export const subtopicSchema = z.strictObject({
  title: z.string().trim().min(1).max(120),
  scope: z.string().trim().min(1).max(300),
});
export type Subtopic = z.infer<typeof subtopicSchema>;

export const subtopicsSchema = z.array(subtopicSchema);

export const mostSubtopics = 12;

export const moderationKinds = ['subtopics', 'remark'] as const;
export type ModerationKind = (typeof moderationKinds)[number];

export const remarkAddressees = ['agentA', 'agentB', 'both'] as const;

/** `accept` continues unchanged; subtopics, in order, replace those shown; a remark goes to one side or both. */
export const moderationSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('accept') }),
  z.strictObject({ action: z.literal('subtopics'), subtopics: z.array(subtopicSchema).min(1).max(mostSubtopics) }),
  z.strictObject({
    action: z.literal('remark'),
    to: z.enum(remarkAddressees),
    text: z.string().trim().min(1).max(2000),
  }),
]);
export type Moderation = z.infer<typeof moderationSchema>;

export const waitingTrialSchema = z.strictObject({
  trial: z.string(),
  arm: z.string(),
  case: z.string(),
  replicate: z.int(),
  /** What it waits for. */
  kind: z.enum(moderationKinds),
  /** The current ones. */
  subtopics: subtopicsSchema,
});
export type WaitingTrial = z.infer<typeof waitingTrialSchema>;

export const moderationReportSchema = z.strictObject({
  experiment: z.string(),
  store: z.string(),
  /** Trial that has just been answered; null where none was. */
  answered: z.string().nullable(),
  waiting: z.array(waitingTrialSchema),
});
export type ModerationReport = z.infer<typeof moderationReportSchema>;

export interface ModerationRequest {
  readonly kind: ModerationKind;
  /** The current ones. */
  readonly subtopics: readonly Subtopic[];
}

/** Why an answer does not fit what was asked, or null. */
export function moderationProblem({ kind }: Pick<ModerationRequest, 'kind'>, { action }: Moderation): string | null {
  if (action === 'accept' || action === kind) return null;
  return kind === 'subtopics'
    ? 'the trial waits for its subtopics to be accepted or edited; answer with "action": "accept" or "subtopics"'
    : 'the trial waits for a remark, which may be left out; answer with "action": "accept" or "remark"';
}
