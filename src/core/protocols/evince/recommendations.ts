import { orFailure } from '../bench.ts';
import { TurnFailure } from '../court.ts';
import { withoutRepeats } from '../repeats.ts';
import { mostRecommendations, proposalSpec, recommendationsSpec } from './answers.ts';
import { closingContentiousness } from './contentiousness.ts';
import { contentiousnessText, type Debate, letters, promptOf } from './debate.ts';
import type { Side } from './exchange.ts';

/**
 * Both agents recommend what would make the result surer: A proposes, B takes up what helps and writes the list of
 * both. The debate does without a failed proposal; without the list there are no recommendations.
 */
export async function recommend(debate: Debate, probabilities: string): Promise<void> {
  const { court, terms, entries } = debate;
  const outcome = court.text('outcome', { probabilities });
  const manner = contentiousnessText(court, closingContentiousness);
  const promptFor = (id: string, side: Side, ...task: readonly string[]) =>
    promptOf(id, debate, side, [outcome, court.text('agent', { agent: letters[side] }), manner, ...task]);

  const proposed = await orFailure(
    court.ask('recommendation/agentA', 'agentA', promptFor('proposal', 'agentA', court.text('propose')), proposalSpec, terms),
  );
  if (proposed instanceof TurnFailure) court.forfeit('recommendation/agentA/forfeit', 'agentA', proposed);
  else {
    const { proposal } = proposed.value;
    court.utter('recommendation/agentA/utterance', { role: 'agentA', turn: 'proposal', text: proposal });
    const parts = [court.text('proposalOf', { agent: 'A' }), proposal];
    entries.push({ partsFor: () => parts });
  }

  const listing = court.text('agree', { most: String(mostRecommendations) });
  const taking = proposed instanceof TurnFailure ? [] : [court.text('agreeWith', { other: 'A' })];
  const agree = promptFor('recommendations', 'agentB', listing, ...taking, court.text('agreeFields'));
  const agreed = await orFailure(court.ask('recommendation/agentB', 'agentB', agree, recommendationsSpec, terms));
  if (agreed instanceof TurnFailure) court.forfeit('recommendation/agentB/forfeit', 'agentB', agreed);
  else {
    court.record('recommendation-make', 'recommendation', {
      role: 'agentB',
      contentiousness: closingContentiousness,
      recommendations: withoutRepeats(agreed.value.recommendations, ({ text }) => text),
    });
  }
}
