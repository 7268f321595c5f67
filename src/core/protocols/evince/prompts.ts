import { critTemplates } from '../../crit/prompts.ts';

/** The rules of a debate that this agent opens. */
const rulesWith = (
  first: 'A' | 'B',
  second: 'A' | 'B',
) => `Two analysts, Agent A and Agent B, work out which label fits a case. They begin by disagreeing, so that nothing is overlooked, and end by looking for what both can stand behind.

The question:
{{question}}

The only possible labels: {{labels}}.

How they work:
1. Each answer states how likely the agent finds the labels, and argues for that.
2. In every round Agent ${first} answers what Agent ${second} has said last, and Agent ${second} answers what Agent ${first} has just said. Both may change their probabilities at any time, and should where an argument convinces them.
3. Each answer is given at a level of contentiousness, a number from 0 to 1. At 1 the agent is a devil's advocate: it attacks every weak point of the other side and searches for explanations that nobody has thought of. At 0 it agrees with all that can be agreed with and builds on it. Between the two it does both, in that proportion.
4. Only the facts of the case are evidence, and cases whose label is known where there are any. An argument may say what they mean and may not add to them.
5. A critic examines how well each answer is argued.
6. Every contribution is one JSON object with exactly the fields asked for, and nothing before or after it.`;

/** Prompt templates of `evince`. A change here is a new version of the protocol. */
export const templates = {
  rules: rulesWith('A', 'B'),

  facts: `Facts of the case:
{{facts}}`,

  recordHeading: `What has been said so far, in order:`,

  answerOf: `Agent {{agent}}, round {{round}}:`,

  proposalOf: `Agent {{agent}}, proposal:`,

  withheld: `The arguments of this answer were too weak to be passed on.`,

  statedBy: `Probabilities of Agent {{agent}} in percent: {{probabilities}}`,

  precedentHeading: `Cases whose right label is known, looked up because the agents were still unsure:`,

  precedent: `Known case {{number}}: {{facts}}
Its label: {{label}}`,

  agent: `You are Agent {{agent}}.`,

  opening: `Make the first statement, from the facts alone: state how likely you find the labels, and give the arguments that support this, at most 150 words.`,

  answer: `Contentiousness: {{contentiousness}}. Answer Agent {{other}} at that level. First meet its arguments with counterarguments, then make and strengthen your own case, at most 150 words in all. Then state how likely you find the labels now.`,

  fieldsOfAll: `Fields:
{"arguments": text, "prediction": the label that you find most likely, exactly as written above, {{certainty}}}`,

  fieldsOfTop: `Fields:
{"arguments": text, "prediction": the label that you find most likely, exactly as written above, "ranking": [{"label": one of the possible labels, exactly as written above, "percent": how likely it is, a whole number from 0 to 100}], the {{most}} likeliest labels, the likeliest first, each once, with numbers that sum to 100}`,

  certaintyOfOne: `"confidence": how sure you are of that prediction, a whole number from 0 to 100`,

  certaintyOfMany: `"distribution": {for every possible label how likely it is, whole numbers from 0 to 100 that sum to 100}`,

  outcome: `The debate is over. Weighed by how well both argued, the probabilities in percent are: {{probabilities}}`,

  propose: `Contentiousness: {{contentiousness}}. Think of what would make this result surer, or show that it is wrong: questions that should be asked, tests or examinations that should be made, facts that should be looked up. Propose it in at most 150 words, with the reason for each.

Fields:
{"proposal": text}`,

  agree: `Contentiousness: {{contentiousness}}. Think of what would make this result surer, or show that it is wrong: questions that should be asked (inquiry), tests or examinations that should be made (test), facts that should be looked up (fact). Take up what Agent {{other}} proposes where it helps, mend it where it does not, and write the list that both of you can recommend, the most telling first, at most {{most}}.

Fields:
{"recommendations": [{"kind": "inquiry" or "test" or "fact", "text": what to ask, make or look up, "reason": what it would tell}]}`,

  ...critTemplates,
} as const;

/** Those that read otherwise where Agent B opens the debate. */
export const agentBFirst = { rules: rulesWith('B', 'A') } as const;
