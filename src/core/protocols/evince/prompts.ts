/** Made from prompts.md by `npm run prompts`: edit that file. */
export const templates = {
  rules: `Agent A and Agent B debate which answer to a question is right.
Each changes its mind where an argument convinces it.
Use only the facts that are given. Do not invent facts.
Write one JSON object and nothing else.`,
  recordHeading: `What was said so far:`,
  answerOf: `Agent {{agent}}, round {{round}}:`,
  proposalOf: `Agent {{agent}}, proposal:`,
  withheld: `The arguments of this answer were too weak to be passed on.`,
  statedBy: `Probabilities of Agent {{agent}} in percent: {{probabilities}}`,
  predictedBy: `Prediction of Agent {{agent}}: {{label}}`,
  agent: `You are Agent {{agent}}.`,
  contentiousness: `Contentiousness: {{contentiousness}} of 1. {{manner}}`,
  opening: `Which answer is right, and why? Give your arguments in at most 80 words. Point to facts of the case.`,
  answer: `Reply to Agent {{other}}. First answer its arguments. Then give your own. Use at most 80 words. Point to facts of the case.`,
  statementFields: `Write one JSON object:
{"arguments": "<your arguments>", {{verdict}}}`,
  verdictOfTop: `"prediction": "<the most likely of the possible answers>", "ranking": {{{places}}}`,
  placeOfTop: `"{{place}}": {"label": "<one of the possible answers>", "percent": <how likely it is, a whole number from 0 to 100>}`,
  outcome: `The debate is over. Result in percent: {{probabilities}}`,
  propose: `What would make this result more certain, or show that it is wrong?
Propose questions to ask, tests to make and facts to look up. Give a reason for each. Use at most 80 words.

Write one JSON object:
{"proposal": "<your proposal>"}`,
  agree: `What would make this result more certain, or show that it is wrong?
List questions to ask (inquiry), tests to make (test) and facts to look up (fact). List at most {{most}}, the most useful first. Use at most 20 words for each and for its reason.`,
  agreeWith: `Take up what helps from the proposal of Agent {{other}}.`,
  agreeFields: `Write one JSON object:
{"recommendations": [{"kind": "<inquiry, test or fact>", "text": "<what to ask, test or look up>", "reason": "<what it would show>"}]}`,
} as const;
