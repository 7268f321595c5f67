/** Prompt templates of `debate-feedback`. A change here is a new version of the protocol. */
export const templates = {
  rules: `A judge answers a question about a case, listens to debaters, and answers again.

The question:
{{question}}

{{choice}}

How it goes:
1. The judge gives a first answer from the facts alone.
2. In every round each debater gives an opinion, not knowing the others', and then answers the others.
3. The judge reads a summary of the round and gives a final opinion.
4. Only the facts of the case are evidence. A debater may argue about what they mean, and may not add to them.
5. Every contribution is one JSON object with exactly the fields asked for, and nothing before or after it.`,

  choiceOfOne: `The only possible labels: {{labels}}.`,

  choiceOfSeveral: `The only possible labels: {{labels}}.

Any number of them can apply, also none.`,

  facts: `Facts of the case:
{{facts}}`,

  initial: `You are the judge. Answer the question from the facts alone.`,

  verdictOfOne: `Give your reason first, in at most 80 words, then the label that fits and how sure you are of it.

Fields:
{"reason": text, "prediction": one of the possible labels, exactly as written above, {{certainty}}}`,

  verdictOfSeveral: `Give your reason first, in at most 80 words, then the labels that apply and, for every possible label by itself, how likely it is that it applies.

Fields:
{"reason": text, "applies": [every label that applies, exactly as written above], "likelihoods": {for every possible label a whole number from 0 to 100}}`,

  certaintyOfOne: `"confidence": how sure you are of that prediction, a whole number from 0 to 100`,

  certaintyOfMany: `"distribution": {for every possible label how likely it is, whole numbers from 0 to 100 that sum to 100}`,

  debater: `You are debater {{number}} of {{debaters}}. {{task}}`,

  assigned: `The position that you defend: {{stance}}.`,

  free: `You take the position that the facts bear out, whatever it is.`,

  stanceOfOne: `the answer is {{label}}`,

  stanceOfSeveral: `exactly these labels apply: {{labels}}`,

  stanceOfNone: `none of the labels applies`,

  opinion: `Give your opinion, in at most {{words}} words; what goes beyond is cut off and never read. Refer to facts of the case whenever you can.`,

  opinionFields: `Fields:
{"opinion": text}`,

  freeOpinionFields: `Fields:
{"opinion": text, "position": {{position}}}`,

  answer: `Where the opinions of the others differ from yours, support them or argue against them. What you say now goes before the judge, so state clearly where you stand. At most {{words}} words; what goes beyond is cut off and never read.`,

  answerFields: `Fields:
{"reply": text}`,

  freeAnswerFields: `Fields:
{"reply": text, "position": {{position}}}`,

  positionOfOne: `the label that you now hold to be right, exactly as written above`,

  positionOfSeveral: `[every label that you now hold to apply, exactly as written above]`,

  earlierHeading: `What was said in earlier rounds:`,

  othersHeading: `What the other debaters think:`,

  opinionHeading: `Opinion of debater {{number}}:`,

  answerHeading: `Answer of debater {{number}}:`,

  nothingSaid: `Debater {{number}} has said nothing.`,

  rate: `You are an assistant of the judge. Rate how reliable the answer of the debater above is: whether the facts of the case bear out what it says, and whether its conclusion follows. Give a reason in at most 40 words, then the reliability: 0 for an answer that misleads, 100 for one that the judge can rely on.

Fields:
{"reason": text, "reliability": a whole number from 0 to 100}`,

  reliabilityHeading: `Reliability of the answers, from 0 to 1:`,

  reliability: `Reliability of debater {{number}}: {{value}}`,

  unrated: `Reliability of debater {{number}}: not known`,

  summarise: `Sum up this round of the debate for the judge, in at most {{words}} words; what goes beyond is cut off and never read. Say what each debater holds, on which facts it rests, and where they contradict each other. Where reliabilities are given, give more room to what is reliable. Decide nothing.

Fields:
{"summary": text}`,

  summaryHeading: `Some debaters discussed the case in this round. The summary:`,

  final: `Give your final opinion, in the same form as before.`,
} as const;
