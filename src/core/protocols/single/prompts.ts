/** Prompt templates of `single` and `vote`. A change here is a new version of both. */
export const templates = {
  rules: `You decide which label fits a case.

The question about each case:
{{question}}

The only possible labels: {{labels}}.`,

  facts: `The case before you:
{{facts}}`,

  precedentHeading: `Earlier cases whose right label is known:`,

  precedent: `Precedent {{number}}: {{facts}}
Its label: {{label}}`,

  task: `Decide which label fits the case before you. Give the reason first, in at most 80 words and from the facts of the case, then the label that it leads to and how sure you are of it.

Reply with one JSON object and nothing else:
{"reason": text, "prediction": one of the possible labels, exactly as written above, {{certainty}}}`,

  certaintyOfOne: `"confidence": how sure you are of your prediction, a whole number from 0 to 100`,

  certaintyOfMany: `"distribution": {for every possible label how likely it is, whole numbers from 0 to 100 that sum to 100}`,
} as const;
