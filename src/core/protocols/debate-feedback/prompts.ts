/** Made from prompts.md by `npm run prompts`: edit that file. */
export const templates = {
  rules: `A judge answers a question about a case. Debaters argue about the answer. Then the judge answers again.
Use only the facts of the case. Do not invent facts.
Write one JSON object and nothing else.`,
  initial: `You are the judge. Answer the question.`,
  verdict: `First give your reason in at most 40 words. Then answer.

Write one JSON object:
{"reason": "<your reason>", {{verdict}}}`,
  debater: `You are debater {{number}} of {{debaters}}.`,
  assigned: `The position that you defend: {{stance}}.`,
  free: `Take the position that the facts support.`,
  stanceOfOne: `the answer is {{label}}`,
  stanceOfSeveral: `exactly these answers are right: {{labels}}`,
  stanceOfNone: `none of the answers is right`,
  opinion: `Give your opinion in at most {{words}} words. Point to facts of the case.`,
  reply: `Reply to the other debaters in at most {{words}} words. Say where they are wrong and why your position is right. Point to facts of the case.`,
  freeReply: `Reply to the other debaters in at most {{words}} words. Say where you agree, where you disagree and why. Point to facts of the case.`,
  opinionFields: `Write one JSON object:
{"opinion": "<your opinion>"}`,
  freeOpinionFields: `Write one JSON object:
{"opinion": "<your opinion>", "position": {{position}}}`,
  replyFields: `Write one JSON object:
{"reply": "<your reply>"}`,
  freeReplyFields: `Write one JSON object:
{"reply": "<your reply>", "position": {{position}}}`,
  positionOfOne: `"<one of the possible answers>"`,
  positionOfSeveral: `["<each answer that is right>"]`,
  earlierHeading: `What was said in earlier rounds:`,
  othersHeading: `What the other debaters think:`,
  opinionHeading: `Opinion of debater {{number}}:`,
  answerHeading: `Answer of debater {{number}}:`,
  nothingSaid: `Debater {{number}} has said nothing.`,
  rate: `You assist the judge. Rate how reliable the answer of the debater above is.
Check whether the facts of the case support it and whether its conclusion follows. 0 means misleading. 100 means fully reliable.
First give your reason in at most 20 words.

Write one JSON object:
{"reason": "<your reason>", "reliability": <how reliable it is, a whole number from 0 to 100>}`,
  reliabilityHeading: `Reliability of the answers, from 0 to 1:`,
  reliability: `Reliability of debater {{number}}: {{value}}`,
  unrated: `Reliability of debater {{number}}: not known`,
  summarise: `Summarise this round for the judge in at most {{words}} words.
Say what each debater claims and which facts support it. Say where the debaters disagree. Decide nothing.`,
  summariseRated: `Give more room to what is reliable.`,
  summaryFields: `Write one JSON object:
{"summary": "<your summary>"}`,
  summaryHeading: `Summary of the debate in this round:`,
  again: `You are the judge. Answer the question again. Take the debate into account.`,
} as const;
