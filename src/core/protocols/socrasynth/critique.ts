// The critic of a debate: CRIT of what was said, and its message to the agents.
import type { CritReason, Evaluation, Weighed } from '../../../shared/crit.ts';
import { critCalls, evaluate } from '../../crit/evaluate.ts';
import { orForfeit } from '../bench.ts';
import type { Side } from './answers.ts';
import { type Debate, otherSide, promptWithRecord, sides, speakerName, speechesOf } from './debate.ts';
import type { SocrasynthParams } from './params.ts';

type Evaluations = Readonly<Partial<Record<Side, Evaluation>>>;

const criticKeys: Record<Side, string> = { agentA: 'critic', agentB: 'critic-b' };

/** Sides whose claim is examined. In table 6.2 it is that of the proponent alone; the other side is the arguments against it. */
const examinedSides = ({ critSides }: SocrasynthParams): readonly Side[] => (critSides === 'both' ? sides : ['agentA']);

export function critiqueCalls(params: SocrasynthParams): { readonly min: number; readonly max: number } {
  const { min, max } = critCalls(params.critDepth);
  const times = examinedSides(params).length;
  return { min: times * min, max: times * max };
}

const worth = ({ validity, credibility, examined = null }: Weighed & Partial<CritReason>): number =>
  (examined?.score ?? validity) * credibility;
const strongest = (reasons: readonly Weighed[] = []) => reasons.toSorted((one, other) => worth(other) - worth(one))[0];
const weakest = (reasons: readonly CritReason[] = []) => reasons.toSorted((one, other) => worth(one) - worth(other))[0];

/**
 * The result of CRIT for each side: its weakest reason, where its own claim was examined, and the strongest reason against it:
 * of the other side where that one was examined, else a rival.
 *
 * Source: sections 6.1.3 and 6.2.2, which name no rule. Strength is validity times credibility, the product that table 6.3 sums.
 */
export function feedbackOf(found: Evaluations): Partial<Record<Side, { weak?: string; answer?: string }>> {
  return Object.fromEntries(
    sides.map((side) => {
      const weak = weakest(found[side]?.reasons);
      const answer = strongest(found[otherSide(side)]?.reasons ?? found[side]?.rivals);
      return [side, { ...(weak && { weak: weak.text }), ...(answer && { answer: answer.text }) }];
    }),
  );
}

/** Addresses both agents, in public: nothing that only one of them knows may steer a debate. */
function advise({ court, turns }: Debate, name: string, found: Evaluations): void {
  const feedback = feedbackOf(found);
  const texts = sides.flatMap((side) => {
    const { weak, answer } = feedback[side] ?? {};
    const speaker = speakerName[side];
    return [
      ...(weak === undefined ? [] : [court.text('feedbackWeak', { speaker, reason: weak })]),
      ...(answer === undefined ? [] : [court.text('feedbackAnswer', { speaker, reason: answer })]),
    ];
  });
  if (texts.length === 0) return;
  const text = texts.join('\n\n');
  court.utter(`${name}/critic/feedback`, { role: 'critic', turn: 'feedback', text });
  turns.push({ side: null, closing: false, texts: [court.text('feedbackHeading'), text] });
}

/**
 * CRIT of all that both sides have said, as the claim of agent A or as the claims of both, and feedback where the parameters
 * ask for it.
 *
 * @returns G, the mean over the claims, or null if one of them failed
 */
export async function critique(debate: Debate, name: string, isLast: boolean): Promise<number | null> {
  const { court, params } = debate;
  const found: Partial<Record<Side, Evaluation>> = {};
  const examined = examinedSides(params);
  for (const side of examined) {
    const key = `${name}/${criticKeys[side]}`;
    const document = {
      subject: speakerName[side],
      promptOf: (task: readonly string[]) => promptWithRecord('crit', debate, task, speechesOf(debate)),
    };
    const terms = { depth: params.critDepth, temperature: params.temperature };
    const evaluation = await orForfeit(court, key, 'critic', evaluate(court, key, 'critic', document, terms));
    if (evaluation !== null) found[side] = evaluation;
  }
  if (params.feedback && !isLast) advise(debate, name, found);
  const scores = examined.flatMap((side) => found[side]?.score ?? []);
  return scores.length < examined.length ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
