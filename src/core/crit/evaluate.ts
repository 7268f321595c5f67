import { z } from 'zod';
import type { CritReason, Evaluation } from '../../shared/crit.ts';
import { unlabelled } from '../answers/answer.ts';
import { kept } from '../answers/kept.ts';
import type { Prompt } from '../prompts/wording.ts';
import { orForfeit } from '../protocols/bench.ts';
import type { Court } from '../protocols/court.ts';
import { repeatFlags, withoutRepeats } from '../protocols/repeats.ts';
import { textOf } from '../protocols/texts.ts';
import { critScore } from './score.ts';

/** Reasons and rivals that one answer lists at most: an answer has to end within its limit of tokens. */
const mostReasons = 3;
const mostRivals = 2;

/** Credibility as it is asked for: of so many. */
const credibilityScale = 10;

const weighed = {
  validity: z.int().min(1).max(10),
  credibility: z.int().min(0).max(credibilityScale),
};
const text = textOf(20);

/** @param deep whether the answer has to say which reasons are themselves claims */
const schemaOf = (deep: boolean) =>
  z.object({
    claim: textOf(30),
    reasons: z
      .array(deep ? z.object({ text, is_claim: z.boolean(), ...weighed }) : z.object({ text, ...weighed }))
      .max(mostReasons),
    rivals: z.array(z.object({ text, ...weighed })).max(mostRivals),
    justification: textOf(40),
  });
type CritAnswer = z.infer<ReturnType<typeof schemaOf>>;

const critSpec = kept((deep: boolean) =>
  unlabelled('crit', schemaOf(deep), ({ reasons, rivals }) => repeatFlags([...reasons, ...rivals], ({ text: said }) => said)),
);

/** Levels of reasons that are themselves examined as claims. */
export type CritDepth = 0 | 1 | 2;

/** Reasons of one argument that are examined as claims, at most: those that the critic lists first. */
const mostExamined = 2;

export interface CritTerms {
  readonly depth: CritDepth;
  readonly temperature: number;
}

/** Calls of one evaluation, retries not counted. */
export function critCalls(depth: CritDepth): { readonly min: number; readonly max: number } {
  let max = 1;
  for (let level = 0; level < depth; level++) max = 1 + mostExamined * max;
  return { min: 1, max };
}

/** An argument to evaluate: whose it is, and the prompt that holds it. */
export interface CritDocument {
  /** As the prompt names it: `Agent A`. */
  readonly subject: string;
  /** Rules, facts and the record before the parts of the critic's own instruction. */
  readonly promptOf: (task: readonly string[]) => Prompt;
}

interface Inquiry {
  readonly court: Court;
  readonly role: string;
  readonly document: CritDocument;
  readonly temperature: number;
}

/** Reasons as they count: each once, and with the credibility of the record, 0-1. */
const listed = <T extends CritAnswer['reasons'][number]>(reasons: readonly T[]): T[] =>
  withoutRepeats(reasons, ({ text }) => text).map((reason) => ({
    ...reason,
    credibility: reason.credibility / credibilityScale,
  }));

/** @param claim the reason that is examined as a claim; null: the argument itself */
async function inquire(inquiry: Inquiry, key: string, claim: string | null, depth: number): Promise<Evaluation> {
  const { court, role, document, temperature } = inquiry;
  const isDeep = depth > 0;
  const slots = { subject: document.subject };
  const steps = court.text('critSteps', { reasons: String(mostReasons), rivals: String(mostRivals) });
  const prompt = document.promptOf([
    court.text('critic'),
    claim === null ? court.text('crit', slots) : court.text('critOfReason', { ...slots, claim }),
    isDeep ? `${steps}\n${court.text('critStepsDeep')}` : steps,
    court.text(isDeep ? 'critFieldsDeep' : 'critFields'),
  ]);
  const { value } = await court.ask(key, role, prompt, critSpec(isDeep), { temperature });
  const found = { ...value, reasons: listed(value.reasons), rivals: listed(value.rivals) };
  return evaluationOf(found, await examine(inquiry, key, found, depth));
}

/** Examines the reasons that are claims themselves. One that cannot be examined keeps the validity that was stated. */
async function examine(inquiry: Inquiry, key: string, { reasons }: CritAnswer, depth: number) {
  const examined = new Map<number, Evaluation>();
  if (depth === 0) return examined;
  const claims = [...reasons.entries()].filter(([, reason]) => 'is_claim' in reason && reason.is_claim).slice(0, mostExamined);
  for (const [index, { text }] of claims) {
    const inner = `${key}/reason-${index + 1}`;
    const result = await orForfeit(inquiry.court, inner, inquiry.role, inquire(inquiry, inner, text, depth - 1));
    if (result !== null) examined.set(index, result);
  }
  return examined;
}

function evaluationOf(
  { claim, reasons, rivals, justification }: CritAnswer,
  examined: ReadonlyMap<number, Evaluation>,
): Evaluation {
  const weighed = reasons.map(
    ({ text, validity, credibility }, index): CritReason => ({
      text,
      validity,
      credibility,
      examined: examined.get(index) ?? null,
    }),
  );
  const support = weighed.map((reason) => ({ ...reason, validity: reason.examined?.score ?? reason.validity }));
  return { claim, reasons: weighed, rivals, justification, score: critScore(support, rivals) };
}

/**
 * CRIT of an argument: its claim, the reasons for it, their rivals, and a score. A reason that is itself a claim is
 * examined in turn, down to `depth` levels; its own score then takes the place of its validity, and its credibility
 * stays as stated.
 *
 * Source: "SocraSynth: Adversarial Multi-LLM Reasoning", table 6.3 and section 6.2.2.2. Deviation: the paper looks for
 * the document that a reason was drawn from; here there is none but the case and what was said, so it is examined in
 * these. At most `mostExamined` reasons of an argument are.
 *
 * Puts on the record the whole evaluation under `<key>/evaluation` and its score as the measure `crit` under
 * `<key>/score`. Needs the templates of CRIT among those of the protocol. The role sees what the document's prompt
 * shows and, where it examines a reason, its own words. Throws `TurnFailure` where the argument itself cannot be
 * evaluated; a reason that cannot be examined is a forfeited turn.
 */
export async function evaluate(
  court: Court,
  key: string,
  role: string,
  document: CritDocument,
  { depth, temperature }: CritTerms,
): Promise<Evaluation> {
  const evaluation = await inquire({ court, role, document, temperature }, key, null, depth);
  court.record('argument-evaluate', `${key}/evaluation`, {
    role,
    subject: document.subject,
    score: evaluation.score,
    evaluation,
  });
  court.measure(`${key}/score`, 'crit', evaluation.score);
  return evaluation;
}
