/** Made from prompts.md by `npm run prompts`: edit that file. */
export const templates = {
  rules: `The prosecutor and the attorney argue for two different answers.
The judges decide.`,
  hearing: `You are the clerk.
Which answer fits the case best?
Give a reason in at most 40 words.`,
  hearingOfTwo: `Then answer the question.

Write one JSON object:
{"reason": "<at most 40 words>", {{verdict}}}`,
  hearingOfMany: `Then answer the question, and name the second best answer.

Write one JSON object:
{"reason": "<at most 40 words>", "prediction": "<the best answer>", "alternative": "<the second best answer>", {{certainty}}}`,
  argument: `You are the {{side}}.
You argue that the answer is {{label}}.
Name the facts of the case that support it.
Say why {{other}} is wrong.
Use at most {{words}} words.

Write one JSON object:
{"argument": "<your argument to the judges>"}`,
  reasonedPrecedent: `Case {{number}}: {{facts}}
Right answer: {{label}}
Why: {{reason}}`,
  arguments: `Arguments before the court:`,
  argumentOf: `{{speaker}}, for {{label}}:`,
  opinions: `Opinions of other judges:`,
  opinionOf: `Judge {{number}}, for {{label}}:`,
  judge: `You are a judge.`,
  judgeInTurn: `You are judge {{number}} of {{judges}}.`,
  weighing: `Which argument fits the facts better?`,
  judgement: `Give a reason in at most 40 words.
Then answer the question.

Write one JSON object:
{"reason": "<at most 40 words>", {{verdict}}}`,
  precedentReason: `The right answer for this case is {{label}}.
Say why, in at most 40 words.

Write one JSON object:
{"reason": "<at most 40 words>"}`,
} as const;
