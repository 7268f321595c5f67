// The joint proposal: agent A drafts it, agent B revises it.
import { orFailure } from '../bench.ts';
import { TurnFailure } from '../court.ts';
import { withoutRepeats } from '../repeats.ts';
import { mostItems, type Proposal, proposalSpec, type Side } from './answers.ts';
import { contentiousText, type Debate, promptWithRecord } from './debate.ts';
import { conciliationOf } from './schedule.ts';

const asIs = (text: string): string => text;

async function write(debate: Debate, side: Side, task: string, shown: readonly string[]): Promise<Proposal | null> {
  const { court, params } = debate;
  const key = `proposal/${side}`;
  const manner = contentiousText(debate, conciliationOf(params));
  const prompt = promptWithRecord('proposal', debate, [...shown, court.text(side), manner, task, court.text('proposalFields')]);
  const answer = await orFailure(court.ask(key, side, prompt, proposalSpec, params));
  if (!(answer instanceof TurnFailure)) {
    const { proposal, open_questions, next_steps } = answer.value;
    return { proposal, open_questions: withoutRepeats(open_questions, asIs), next_steps: withoutRepeats(next_steps, asIs) };
  }
  court.forfeit(`${key}/forfeit`, side, answer);
  return null;
}

/** A draft as separate texts of a prompt, so that its content is kept apart from its layout. */
const draftTexts = ({ proposal, open_questions, next_steps }: Proposal): string[] => [proposal, ...open_questions, ...next_steps];

/** Agent A drafts a joint proposal and agent B revises it. One that fails leaves it to the other. */
export async function proposeJointly(debate: Debate): Promise<void> {
  const { court, kase, params, subtopics } = debate;
  court.measure('proposal/contentiousness', 'contentiousness', conciliationOf(params));
  const isRecommending = kase.labels.length > 0 && subtopics.length === 0;
  const proposing = court.text(isRecommending ? 'recommendation' : 'proposal', { most: String(mostItems) });
  const draft = await write(debate, 'agentA', proposing, []);
  if (draft !== null) court.record('proposal-make', 'proposal/draft', { role: 'agentA', stage: 'draft', proposal: draft });
  const shown = draft === null ? [] : [court.text('draftHeading'), ...draftTexts(draft)];
  const joint = await write(debate, 'agentB', draft === null ? proposing : court.text('reviseProposal'), shown);
  if (joint !== null) court.record('proposal-make', 'proposal/joint', { role: 'agentB', stage: 'joint', proposal: joint });
}
