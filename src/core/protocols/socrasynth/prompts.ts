/** Made from prompts.md by `npm run prompts`: edit that file. */
export const templates = {
  rulesOpen: `Two agents debate a question.
Agent A argues for what the question proposes. Agent B argues against it.`,
  rulesFree: `Two agents debate which answer to a question is right. Each predicts an answer and argues for it.
An agent changes its prediction where the other one convinces it.`,
  rulesAssigned: `Two agents debate which answer to a question is right.
Agent A defends the answer {{labelA}}. Agent B defends the answer {{labelB}}.`,
  rules: `Argue from what is given and from common knowledge. Do not invent facts.
Write one JSON object and nothing else.`,
  subtopicHeading: `Subtopics of the debate:`,
  subtopic: `Subtopic {{number}}: {{title}}
Scope: {{scope}}`,
  proposedBy: `Subtopics proposed by {{speaker}}:`,
  recordHeading: `What was said so far:`,
  closingHeading: `What both sides have said, {{first}} first:`,
  speech: `{{speaker}}, {{turn}}, on subtopic {{number}}:`,
  noSpeech: `{{speaker}} has made no {{turn}}.`,
  agentA: `You are Agent A.`,
  agentB: `You are Agent B.`,
  contentiousNumber: `Contentiousness: {{contentiousness}}, where 0 means full agreement and 1 means devil's advocate.`,
  proposeSubtopics: `Propose {{count}} subtopics for the debate. Each must matter for the answer and be open to both sides. Give each a title of at most 6 words and say in one sentence what belongs to it.`,
  draftSubtopics: `Merge both lists into {{count}} subtopics. Keep what matters to each side. Favour neither side.`,
  settleSubtopics: `Agent A has merged both lists into the subtopics above. Keep those that are fair. Replace those that favour one side. Write down {{count}} subtopics.`,
  subtopicFields: `Write one JSON object:
{{{fields}}}`,
  subtopicField: `"{{field}}": {"title": "<a short title>", "scope": "<what belongs to it>"}`,
  balance: `You are the critic. Do both sides have strong arguments on these subtopics? First say why in at most 40 words.

Write one JSON object:
{"justification": "<your reason>", "balanced": <true or false>}`,
  remark: `The moderator says to you:
{{remark}}`,
  openingTask: `Open the debate. Give your strongest argument on each subtopic in at most 40 words.`,
  refutationTask: `Refute what the other agent said on each subtopic. Defend your own arguments. Use at most 40 words for each subtopic. Do not repeat yourself.`,
  closingTask: `Close the debate. On each subtopic say what you still hold and what you concede, in at most 40 words.`,
  ownRemaining: `What you noted for your closing statement:`,
  predictingTask: `Then predict the answer as you see it now.`,
  argumentFields: `Write one JSON object:
{{{fields}}}`,
  argumentField: `"{{field}}": "<your argument on subtopic {{number}}>"`,
  exhausted: `The rounds are over. Closing statements follow. Have you made all of your arguments? First note what you have not said yet, in at most 40 words. Only you will read it.

Write one JSON object:
{"remaining": "<what you have not said yet, or: nothing>", "exhausted": <true or false>}`,
  proposal: `The debate is over. Write a proposal that both sides can accept, in at most 80 words. Use the best of what was said. Then list open questions and next steps, at most {{most}} each.`,
  reviseProposal: `Agent A has drafted the joint proposal above. Revise it so that you can accept it too. Write down all of it.`,
  draftHeading: `Draft of the joint proposal by Agent A:`,
  proposalFields: `Write one JSON object:
{"proposal": "<your proposal>", "open_questions": ["<a question that stays open>"], "next_steps": ["<what to do next>"]}`,
  judge: `You are a judge. You take no side. Judge the arguments, not the views.`,
  panelTask: `State the claim of each side in one sentence.
Score the arguments of each side on each subtopic, from 1 (weak) to 10 (strong). Look at how valid and how credible they are.
Then name the side that argued better, or a tie. Say why in at most 40 words.

Write one JSON object:
{"{{firstName}}_claim": "<its claim>", "{{secondName}}_claim": "<its claim>", {{fields}}, "winner": "<agent_a, agent_b or tie>", "justification": "<your reason>"}`,
  panelField: `"{{field}}": {"{{firstName}}": <score>, "{{secondName}}": <score>}`,
  plainRules: `Write one JSON object and nothing else.`,
  plainTask: `Answer the question in at most 240 words. Give reasons. Say what speaks for each side and what is uncertain.

Write one JSON object:
{"answer": "<your answer>"}`,
  plainHeading: `An answer to the same question by one model, without a debate:`,
  comparisonTask: `Compare the debate with that answer on each subtopic. Score depth and quality of both, from 1 (poor) to 10 (excellent).
Then name the one that informs better, or a tie. Say why in at most 40 words.

Write one JSON object:
{{{fields}}, "better": "<debate, answer or tie>", "justification": "<your reason>"}`,
  comparisonField: `"{{field}}": {"debate_depth": <score>, "debate_quality": <score>, "answer_depth": <score>, "answer_quality": <score>}`,
} as const;
