import type { Case } from '../../../shared/domain.ts';
import { casePrompt, verdictAsText } from '../casePrompt.ts';
import type { Court } from '../court.ts';
import { type Knowledge, knowledgeRule, outsideText } from '../knowledge.ts';
import { usualOrder } from '../swaps.ts';
import { critiqueSpec, reasonedSpec } from './answers.ts';

/**
 * Reflexion: an answer, a critique of it by the model that gave it, and an answer that has read both; three calls.
 *
 * Source: table 3 of "Debate-Feedback", which names it as a baseline and gives neither prompts nor steps; Shinn et al.
 * 2023, arXiv 2303.11366. Deviation: theirs reflects on failures that an environment reports and tries again; here the
 * model may not learn whether it was right, so it reflects on its own answer, once. A call that fails is the failure of
 * the trial: neither is the first answer put in the place of the last, nor is it revised without a critique.
 */
export async function reflect(
  court: Court,
  kase: Case,
  terms: { readonly knowledge: Knowledge; readonly topK: number; readonly temperature: number },
): Promise<void> {
  const { text } = court;
  const role = 'predictor';
  const rules = [knowledgeRule(text, terms.knowledge)];
  const task = text('reasoned', { verdict: verdictAsText(text, kase, terms.topK), outside: outsideText(text, terms.knowledge) });

  const first = await court.ask(
    'answer',
    role,
    casePrompt(court, 'first-answer', kase, { rules, task: [task] }),
    reasonedSpec('answer', kase, terms),
    terms,
  );
  const labels = usualOrder(court, kase.labels);
  const held = await court.belief(first, labels);
  const { reason } = first.value;
  court.believe('first-answer', { role, moment: 'live', after: null, ...held, notes: reason });

  const answered = text('firstAnswer', { answer: JSON.stringify(held.prediction), reason });
  const reviewed = casePrompt(court, 'critique', kase, { rules, record: [answered], task: [text('critique')] });
  const { critique } = (await court.ask('critique', role, reviewed, critiqueSpec, terms)).value;
  court.utter('critique-heard', { role, turn: 'critique', text: critique });

  const record = [answered, text('ownCritique', { critique })];
  const revised = casePrompt(court, 'revision', kase, { rules, record, task: [text('revision'), task] });
  const last = await court.ask('revision', role, revised, reasonedSpec('revision', kase, terms), terms);
  court.rule('ruling', { role, ...(await court.belief(last, labels)), opinion: last.text });
}
