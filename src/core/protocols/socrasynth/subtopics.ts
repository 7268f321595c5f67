// The subtopics of a debate, and the moderator's part in it.
import type { Subtopic } from '../../../shared/moderation.ts';
import { orFailure, settled } from '../bench.ts';
import { TurnFailure } from '../court.ts';
import { balanceSpec, type Side, subtopicsIn, subtopicsSpec } from './answers.ts';
import { type Debate, promptOf, sides, speakerName, subtopicTexts, topicText } from './debate.ts';
import { subtopicsOf } from './params.ts';

/** Asks for a list of subtopics; a side that gives none gives up its turn. */
async function askForSubtopics(debate: Debate, key: string, side: Side, template: string, shown: readonly string[]) {
  const { court, kase, params } = debate;
  const count = subtopicsOf(kase, params);
  const fields = court.text('subtopicFields', { fields: topicText(court, 'subtopicField', count) });
  const prompt = promptOf('subtopics', debate, shown, [court.text(side), court.text(template, { count: String(count) }), fields]);
  const answer = await orFailure(court.ask(key, side, prompt, subtopicsSpec(count), params));
  if (!(answer instanceof TurnFailure)) return subtopicsIn(count, answer.value);
  court.forfeit(`${key}/forfeit`, side, answer);
  return answer;
}

const listOf = (proposed: Subtopic[] | TurnFailure) => (proposed instanceof TurnFailure ? null : proposed);

type Proposals = Readonly<Awaited<ReturnType<typeof propose>>>;

/** Both sides propose, neither knowing what the other does. Throws where neither proposes anything. */
async function propose(debate: Debate) {
  const [agentA, agentB] = await settled(
    sides.map((side) => askForSubtopics(debate, `subtopics/${side}`, side, 'proposeSubtopics', [])),
  );
  if (agentA instanceof TurnFailure && agentB instanceof TurnFailure) throw agentA;
  return { agentA: listOf(agentA ?? []), agentB: listOf(agentB ?? []) };
}

/** Agent A merges both lists, agent B settles. A step that fails leaves what the one before it gave. */
async function merge(debate: Debate, proposals: Proposals) {
  const { court } = debate;
  const proposed = sides.flatMap((side) => {
    const list = proposals[side];
    return list === null ? [] : [court.text('proposedBy', { speaker: speakerName[side] }), ...subtopicTexts(court, list)];
  });
  const merged = listOf(await askForSubtopics(debate, 'subtopics/merge', 'agentA', 'draftSubtopics', proposed));
  const draft = merged ?? proposals.agentA ?? proposals.agentB ?? [];
  const shown = [...proposed, court.text('subtopicHeading'), ...subtopicTexts(court, draft)];
  const final = listOf(await askForSubtopics(debate, 'subtopics/settle', 'agentB', 'settleSubtopics', shown));
  return { merged, final: final ?? draft };
}

/** The critic's judgement on the subject as it is divided; it changes nothing. */
async function checkBalance(debate: Debate, subtopics: readonly Subtopic[]) {
  const { court, params } = debate;
  const topics = [court.text('subtopicHeading'), ...subtopicTexts(court, subtopics)];
  const prompt = promptOf('balance', debate, topics, [court.text('balance')]);
  const answer = await orFailure(court.ask('subtopics/balance', 'critic', prompt, balanceSpec, params));
  if (!(answer instanceof TurnFailure)) return answer.value;
  court.forfeit('subtopics/balance/forfeit', 'critic', answer);
  return null;
}

const same = (one: readonly Subtopic[], other: readonly Subtopic[]) => JSON.stringify(one) === JSON.stringify(other);

/** Settles what is argued about; where the trial is moderated, as the moderator leaves it. Without subtopics it is the question. */
export async function settleSubtopics(debate: Debate): Promise<void> {
  const { court, kase, params } = debate;
  if (subtopicsOf(kase, params) === 0) return;
  const proposals = await propose(debate);
  const { merged, final } = await merge(debate, proposals);
  const balance = await checkBalance(debate, final);
  const found = { balanced: balance?.balanced ?? null, balance: balance?.justification ?? null };
  const about = { proposals: { ...proposals, merged }, ...found };
  court.record('subtopics-settle', 'subtopics/settled', { settledBy: 'agents', subtopics: final, ...about });
  debate.subtopics = final;
  if (!params.moderated) return;
  const moderation = await court.moderate('subtopics/moderation', { kind: 'subtopics', subtopics: final });
  if (moderation.action !== 'subtopics' || same(moderation.subtopics, final)) return;
  court.record('subtopics-settle', 'subtopics/moderated', {
    settledBy: 'moderator',
    subtopics: moderation.subtopics,
    ...about,
  });
  debate.subtopics = moderation.subtopics;
}

export async function hearRemark(debate: Debate): Promise<void> {
  const { court, params, subtopics, remarks } = debate;
  if (!params.moderated) return;
  const moderation = await court.moderate('remark/moderation', { kind: 'remark', subtopics });
  if (moderation.action !== 'remark') return;
  for (const side of sides) if (moderation.to === side || moderation.to === 'both') remarks[side] = moderation.text;
}
