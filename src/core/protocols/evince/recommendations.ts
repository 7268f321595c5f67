import { orFailure } from '../bench.ts';
import { TurnFailure } from '../court.ts';
import { mostRecommendations, proposalSpec, recommendationsSpec } from './answers.ts';
import { closingContentiousness, contentiousnessWords } from './contentiousness.ts';
import { type Debate, letters, promptOf } from './debate.ts';

/**
 * Both agents recommend what would make the result surer: A proposes, B takes up what helps and writes the list of
 * both. A proposal that cannot be had is done without; without the list there are no recommendations.
 */
export async function recommend(debate: Debate, probabilities: string): Promise<void> {
  const { court, terms, entries } = debate;
  const outcome = court.text('outcome', { probabilities });
  const contentiousness = contentiousnessWords(closingContentiousness);
  const ownOf = (side: 'agentA' | 'agentB', task: string) =>
    `${outcome}\n\n${court.text('agent', { agent: letters[side] })}\n\n${task}`;

  const propose = ownOf('agentA', court.text('propose', { contentiousness }));
  const proposed = await orFailure(
    court.ask('recommendation/agentA', 'agentA', promptOf(debate, 'agentA', propose), proposalSpec, terms),
  );
  if (proposed instanceof TurnFailure) court.forfeit('recommendation/agentA/forfeit', 'agentA', proposed);
  else {
    const { proposal } = proposed.value;
    court.utter('recommendation/agentA/utterance', { role: 'agentA', turn: 'proposal', text: proposal });
    const parts = [court.text('proposalOf', { agent: 'A' }), proposal];
    entries.push({ partsFor: () => parts });
  }

  const agree = ownOf('agentB', court.text('agree', { contentiousness, other: 'A', most: String(mostRecommendations) }));
  const agreed = await orFailure(
    court.ask('recommendation/agentB', 'agentB', promptOf(debate, 'agentB', agree), recommendationsSpec, terms),
  );
  if (agreed instanceof TurnFailure) court.forfeit('recommendation/agentB/forfeit', 'agentB', agreed);
  else {
    court.recommend('recommendation', {
      role: 'agentB',
      contentiousness: closingContentiousness,
      recommendations: agreed.value.recommendations,
    });
  }
}
