/** Prompt templates of `standard`. A change here is a new version of the protocol. */
export const templates = {
  persona: `You assess cases for a living. You weigh what a file says with the care of a seasoned expert, and you commit yourself to an answer.

The question put to you about each case:
{{question}}

The only possible answers: {{labels}}.`,

  facts: `The case before you:
{{facts}}`,

  example: `Known case {{number}}: {{facts}}
What turned out to be true: {{label}}`,

  exampleHeading: `Here are {{count}} earlier cases whose outcome is known. Study how their facts went together with the outcome.`,

  system1: `Answer at once, on your first impression of the case.

Reply with one JSON object and nothing else:
{"prediction": one of the possible answers, exactly as written above, {{certainty}}}`,

  cot: `Pause first. Go through the facts of the case one after the other and decide for each how much it bears on the question: low, medium or high, with a reason of at most eight words. Only when every fact has its weight, put the weights together and answer.

Reply with one JSON object and nothing else:
{"factors": [{"factor": name of the fact, "weight": "low" or "medium" or "high", "reasoning": why}, one for each fact], "prediction": one of the possible answers, exactly as written above, {{certainty}}}`,

  'cot-nshot': `Keep the earlier cases in mind. Go through the facts of the case before you one after the other and decide for each how much it bears on the question: low, medium or high, with a reason of at most eight words. Then let the earlier cases and your weights together lead you to the answer.

Reply with one JSON object and nothing else:
{"factors": [{"factor": name of the fact, "weight": "low" or "medium" or "high", "reasoning": why}, one for each fact], "prediction": one of the possible answers, exactly as written above, {{certainty}}}`,

  certaintyOfOne: `"confidence": how sure you are of your prediction, a whole number from 0 to 100`,

  certaintyOfMany: `"distribution": {for every possible answer how likely it is, whole numbers from 0 to 100 that sum to 100}`,
} as const;
