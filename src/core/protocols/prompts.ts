/** Made from prompts.md by `npm run prompts`: edit that file. */
export const templates = {
  question: `Question:
{{question}}`,
  answers: `Possible answers:
{{labels}}`,
  answersOfSet: `Possible answers:
{{labels}}

None, one or several of them can be right.`,
  earlierCases: `Earlier cases with their right answers:`,
  earlierCase: `Case {{number}}: {{facts}}
Right answer: {{label}}`,
  facts: `Facts of the case:
{{facts}}`,
  verdictOfOne: `"prediction": "<one of the possible answers>", {{certainty}}`,
  certaintyOfOne: `"confidence": <how sure you are, a whole number from 0 to 100>`,
  certaintyOfMany: `"distribution": {"<each possible answer>": <how likely it is in percent, a whole number>}`,
  verdictOfSet: `"applies": ["<each answer that is right>"], "likelihoods": {"<each possible answer>": <how likely it is to be right, a whole number from 0 to 100>}`,
} as const;
