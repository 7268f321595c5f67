/**
 * Prompt templates of `standard`. A change here is a new version of the protocol. Every arm freezes the first ones, so
 * that arms of the first three styles on cases with one label are frozen as they always were; the others are frozen where
 * they are used.
 */
const firstTemplates = {
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

const verdictOfOne = {
  verdictOfOne: `"prediction": one of the possible answers, exactly as written above, {{certainty}}`,
} as const;

const fewShot = {
  'few-shot': `Let the earlier cases be your measure. Answer at once, without writing down how you came to it.

Reply with one JSON object and nothing else:
{{{verdict}}}`,
} as const;

const fourSteps = {
  'cot-4-step': `Work in four steps and write each of them down in at most 60 words. First say what the question asks for: what has to hold in a case for each possible answer. Second, name the facts of this case that bear on that. Third, weigh them against each other: what speaks for each answer, and what against it. Fourth, say what follows from the weighing. Then answer.

Reply with one JSON object and nothing else:
{"demand": the first step, "facts": the second step, "weighing": the third step, "outcome": the fourth step, {{verdict}}}`,
} as const;

const reflexion = {
  reflexionAnswer: `Give an answer, and before it the reason for it, in at most 80 words and from the facts of the case.

Reply with one JSON object and nothing else:
{"reason": text, {{verdict}}}`,

  reflexionFirst: `What you answered at first: {{answer}}
The reason you gave:
{{reason}}`,

  reflexionCritique: `Now be your own critic. Look for what is weak in this first answer: facts that it passes over or misreads, steps that do not follow, other answers that it dismisses too soon. Say also what holds. Do not answer the question again yet. At most 120 words.

Reply with one JSON object and nothing else:
{"critique": text}`,

  reflexionHeard: `What you then found in it as your own critic:
{{critique}}`,

  reflexionRevision: `Take the critique to heart where it is right, and only there: a first answer that stands up to it is to be kept. Give your final answer, and before it the reason for it, in at most 80 words and from the facts of the case.

Reply with one JSON object and nothing else:
{"reason": text, {{verdict}}}`,
} as const;

/** For cases of several labels. */
const ofSets = {
  personaOfSet: `You assess cases for a living. You weigh what a file says with the care of a seasoned expert, and you commit yourself to an answer.

The question put to you about each case:
{{question}}

Of these answers, none, one or several can be right for one case: {{labels}}.`,

  exampleOfSet: `Known case {{number}}: {{facts}}
Which answers turned out to be right: {{label}}`,

  verdictOfSet: `"applies": [each answer that is right for this case, exactly as written above; an empty list if none is], "likelihoods": {for every possible answer, whether you named it or not, how likely it is to be right, a whole number from 0 to 100; each by itself, so that they need not sum to 100}`,

  system1OfSet: `Answer at once, on your first impression of the case.

Reply with one JSON object and nothing else:
{{{verdict}}}`,

  cotOfSet: `Pause first. Go through the facts of the case one after the other and decide for each how much it bears on the question: low, medium or high, with a reason of at most eight words. Only when every fact has its weight, take the possible answers one by one and settle which of them are right.

Reply with one JSON object and nothing else:
{"factors": [{"factor": name of the fact, "weight": "low" or "medium" or "high", "reasoning": why}, one for each fact], {{verdict}}}`,

  'cot-nshotOfSet': `Keep the earlier cases in mind. Go through the facts of the case before you one after the other and decide for each how much it bears on the question: low, medium or high, with a reason of at most eight words. Then take the possible answers one by one and let the earlier cases and your weights together settle which of them are right.

Reply with one JSON object and nothing else:
{"factors": [{"factor": name of the fact, "weight": "low" or "medium" or "high", "reasoning": why}, one for each fact], {{verdict}}}`,
} as const;

export const templates = { ...firstTemplates, ...verdictOfOne, ...fewShot, ...fourSteps, ...reflexion, ...ofSets } as const;

const laterStyles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'few-shot': { ...verdictOfOne, ...fewShot },
  'cot-4-step': { ...verdictOfOne, ...fourSteps },
  reflexion: { ...verdictOfOne, ...reflexion },
};

/** The templates that an arm of a style freezes. */
export const templatesOf = (style: string, multiLabel: boolean): Readonly<Record<string, string>> => ({
  ...firstTemplates,
  ...laterStyles[style],
  ...(multiLabel ? ofSets : {}),
});
