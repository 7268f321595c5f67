import { critTemplates } from '../../crit/prompts.ts';

/** Prompt templates of `socrasynth`. A change here is a new version of the protocol. */
export const templates = {
  ...critTemplates,

  rulesOpen: `This is a debate between two agents about a question to which there is no settled answer.

The question:
{{question}}

Agent A argues for what the question suggests or proposes. Agent B argues against it, or for the view most opposed to it.`,

  rulesFree: `This is a debate between two agents who look for the right answer to a question.

The question:
{{question}}

The only possible answers: {{labels}}.

Agent A and agent B each predict the answer freely and argue for it. An agent that is convinced by the other concedes and changes its prediction; when both predict the same, the rounds are over.`,

  rulesAssigned: `This is a debate between two agents about the right answer to a question.

The question:
{{question}}

The only possible answers: {{labels}}.

Agent A defends the answer {{labelA}}. Agent B defends the answer {{labelB}}.`,

  rules: `How the debate goes:
1. Both agents settle together on subtopics that can be argued from either side.
2. They argue on every subtopic: openings, then rounds in which each refutes the other, then closing statements. A critic examines the arguments between the rounds.
3. How contentious an argument is to be is told each time: 0 means complete agreement, 1 a devil's advocate who contests everything. It falls from round to round.
4. In the end both make one proposal together, and a panel scores their arguments.
5. An argument may rest on the facts that are given and on common knowledge. What is not known is not made up.
6. Every contribution is one JSON object with exactly the fields asked for, and nothing before or after it.`,

  facts: `Facts of the case:
{{facts}}`,

  noFacts: `There are no facts beside the question.`,

  subtopicHeading: `Subtopics of the debate:`,

  subtopic: `Subtopic {{number}}: {{title}}
Its scope: {{scope}}`,

  proposedBy: `Subtopics proposed by {{speaker}}:`,

  recordHeading: `What has been said, in order:`,

  closingHeading: `What both sides have said, {{first}} first:`,

  speech: `{{speaker}}, {{turn}}, on subtopic {{number}}:`,

  noSpeech: `{{speaker}} has made no {{turn}}.`,

  agentA: `You are agent A.`,

  agentB: `You are agent B.`,

  contentiousNumber: `The contentiousness of your argument is set at {{contentiousness}} on a scale from 0 to 1, where 0 means complete agreement and 1 a devil's advocate.`,

  contentiousMost: `Be most confrontational: raise strong objections, highlight risks and unintended consequences, use definitive language.`,

  contentiousStill: `Be confrontational and yet open to some merits of the other side, though they are outweighed; use less polarizing language.`,

  contentiousBalanced: `Be balanced: give equal weight to what speaks for and against your side, look for middle ground, use neutral language.`,

  contentiousAgreeable: `Be more agreeable than confrontational: supportive of the other side with reservations, positive and careful in language.`,

  contentiousNone: `Be agreeable and supportive throughout: look for what both sides have in common and what can be gained together.`,

  proposeSubtopics: `Propose {{count}} subtopics that cover the question, matter to its answer, and leave substantial arguments to either side. Give each a short title and its scope in one sentence.`,

  draftSubtopics: `Merge both lists of proposals into one of {{count}} subtopics that you both can argue on. Keep what matters to either side, and word it so that it favours neither. Give each a short title and its scope in one sentence.`,

  settleSubtopics: `Agent A has merged both lists into the subtopics above. Settle them: keep those that are fair, reword or replace those that favour one side, and return {{count}} subtopics. Give each a short title and its scope in one sentence.`,

  subtopicFields: `Fields:
{"subtopics": [{"title": text, "scope": text}], {{count}} in all}`,

  balance: `You are the critic. Before the debate begins, judge whether its question, divided into these subtopics, is balanced: whether either side has substantial arguments on them. Say why in at most 60 words, then answer.

Fields:
{"justification": text, "balanced": true or false}`,

  remark: `The moderator says to you:
{{remark}}`,

  openingTask: `It is your turn: the opening. Set out your strongest arguments on every subtopic, at most 60 words on each.`,

  refutationTask: `It is your turn: refute what the other agent has said, subtopic by subtopic, and defend your own arguments where they were attacked. At most 60 words on each, without repeating what has been said.`,

  closingTask: `It is your turn: the closing statement. On every subtopic sum up your position as it stands after the debate, with what you concede and what you maintain, at most 60 words on each.`,

  ownRemaining: `Before closing you noted for yourself what you had not yet said:`,

  argumentFields: `Fields:
{ {{fields}} }`,

  predictingFields: `Then predict the answer as you see it now. If the other agent has convinced you, concede by predicting what it predicts.

Fields:
{ {{fields}}, "prediction": one of the possible answers, exactly as written above, {{certainty}}}`,

  exhausted: `The rounds are over and closing statements follow. Have you presented all of your arguments? Note for yourself what is left to say, at most 60 words, or leave it empty; nobody else reads it.

Fields:
{"remaining": text or "", "exhausted": true or false}`,

  proposal: `The debate is over. Work together now: write the proposal that both sides can carry, which takes up the best of what was said. Then list the questions that stay open and the next steps to be taken.`,

  reviseProposal: `Agent A has drafted the joint proposal above. Revise it so that you can carry it too, and return it whole.`,

  draftHeading: `Draft of the joint proposal by agent A:`,

  proposalFields: `At most 150 words for the proposal, 30 for each question and step.

Fields:
{"proposal": text, "open_questions": [text, at most five], "next_steps": [text, at most five]}`,

  judge: `You are a judge of the panel. You take no side, and you score how well each side has argued, not whether you like where it leads.`,

  panelTask: `State the claim of each side in one sentence. Then score the arguments of both sides on every subtopic, from 1 (weak) to 10 (strong), for how valid and how credible they are. Then declare the side that has argued better on the whole, or a tie, and justify it in at most 80 words.

Fields:
{"{{firstName}}_claim": text, "{{secondName}}_claim": text, {{fields}}, "winner": "agent_a", "agent_b" or "tie", "justification": text}`,

  plainRules: `You answer a question as well as you can. You give one JSON object with exactly the fields asked for, and nothing before or after it.

The question:
{{question}}`,

  plainTask: `Answer the question. Give reasons, cover what matters from every side, and say what is uncertain, in at most 350 words.

Fields:
{"answer": text}`,

  plainHeading: `An answer to the same question by a single model, without any debate:`,

  comparisonTask: `Compare what the debate offers with that answer, subtopic by subtopic: depth, how far it goes into the matter, and quality, how accurate, reasoned and useful it is, each from 1 (poor) to 10 (excellent). Then say which of the two informs better on the whole, or that they tie, and justify it in at most 80 words.

Fields:
{ {{fields}}, "better": "debate", "answer" or "tie", "justification": text}`,

  certaintyOfOne: `"confidence": how sure you are of that prediction, a whole number from 0 to 100`,

  certaintyOfMany: `"distribution": {for every possible answer how likely it is, whole numbers from 0 to 100 that sum to 100}`,
} as const;
