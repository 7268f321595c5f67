/** Made from prompts.md by `npm run prompts`: edit that file. */
export const templates = {
  system1: `Answer the question at once.

Write one JSON object:
{{{verdict}}}`,
  cot: `Which facts of the case matter most for the answer?
Choose at most {{most}} of them.
Say for each how much it matters: low, medium or high.
Say why in a few words.
Then answer the question.

Write one JSON object:
{"factors": [{"factor": "<name of the fact>", "weight": "<low, medium or high>", "reasoning": "<a few words>"}], {{verdict}}}`,
  cotOfEach: `Say for each fact of the case how much it matters for the answer: low, medium or high.
Say why in a few words.
Then answer the question.

Write one JSON object:
{"factors": {"<name of the fact>": {"weight": "<low, medium or high>", "reasoning": "<a few words>"}}, {{verdict}}}`,
  compare: `Compare the case with the earlier cases.`,
  'cot-4-step': `Work in four steps, each in at most 20 words.
First, say what the question asks for.
Second, name the facts that matter.
Third, say what speaks for each answer.
Fourth, say what follows.
Then answer the question.

Write one JSON object:
{"demand": "<what the question asks for>", "facts": "<the facts that matter>", "weighing": "<what speaks for each answer>", "outcome": "<what follows>", {{verdict}}}`,
  reasoned: `Give a reason in at most 40 words.
Then answer the question.

Write one JSON object:
{"reason": "<at most 40 words>", {{verdict}}}`,
  firstAnswer: `Your first answer: {{answer}}
Your reason:
{{reason}}`,
  critique: `What is wrong with your first answer, and what is right?
Use at most 60 words.
Do not answer the question yet.

Write one JSON object:
{"critique": "<at most 60 words>"}`,
  ownCritique: `Your critique of it:
{{critique}}`,
  revision: `Keep your first answer if it is right.
Change it if it is wrong.`,
} as const;
