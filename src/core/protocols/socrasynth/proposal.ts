import { orFailure } from '../bench.ts';
import { TurnFailure } from '../court.ts';
import { type Proposal, proposalSpec, type Side } from './answers.ts';
import { contentiousText, type Debate, promptWithRecord, together } from './debate.ts';
import { conciliation } from './params.ts';

async function write(debate: Debate, side: Side, task: string, ...shown: readonly string[]): Promise<Proposal | null> {
  const { court, params } = debate;
  const key = `proposal/${side}`;
  const own = together(court.text(side), contentiousText(debate, conciliation), court.text(task), court.text('proposalFields'));
  const answer = await orFailure(court.ask(key, side, promptWithRecord(debate, ...shown, own), proposalSpec, params));
  if (!(answer instanceof TurnFailure)) return answer.value;
  court.forfeit(`${key}/forfeit`, side, answer);
  return null;
}

/** A draft as texts of a prompt: each of its own, so that what it says stands apart from how it is laid out. */
const draftTexts = ({ proposal, open_questions, next_steps }: Proposal): string[] => [proposal, ...open_questions, ...next_steps];

/** Agent A drafts a joint proposal and agent B revises it. One that fails leaves it to the other. */
export async function proposeJointly(debate: Debate): Promise<void> {
  const { court } = debate;
  court.measure('proposal/contentiousness', 'contentiousness', conciliation);
  const draft = await write(debate, 'agentA', 'proposal');
  if (draft !== null) court.propose('proposal/draft', { role: 'agentA', stage: 'draft', proposal: draft });
  const shown = draft === null ? [] : [court.text('draftHeading'), ...draftTexts(draft)];
  const joint = await write(debate, 'agentB', draft === null ? 'proposal' : 'reviseProposal', ...shown);
  if (joint !== null) court.propose('proposal/joint', { role: 'agentB', stage: 'joint', proposal: joint });
}
