/** Prompt templates of `courtroom`. A change here is a new version of the protocol. */
export const templates = {
  rules: `This court decides which label fits a case.

The question before the court:
{{question}}

The only possible labels: {{labels}}.

How the court works:
1. In a preliminary hearing the clerk names the two labels that are in dispute.
2. The prosecutor argues for one of them and the attorney for the other. Neither knows what the other will say.
3. The judges read the facts, the precedents if there are any, and both arguments. They may find any of the possible labels right, also one that nobody has argued for.
4. Only the facts of the case are evidence. An argument may say what they mean and may not add to them.
5. Every contribution is one JSON object with exactly the fields asked for, and nothing before or after it.`,

  facts: `Facts of the case:
{{facts}}`,

  hearing: `You are the clerk. Hold the preliminary hearing, with the facts alone. Give a reason in at most 80 words, then the label that fits best.`,

  hearingOfTwo: `Fields:
{"reason": text, "prediction": one of the possible labels, exactly as written above, {{certainty}}}`,

  hearingOfMany: `Name beside it the alternative: of all other labels the one that could best be defended.

Fields:
{"reason": text, "prediction": the label that fits best, exactly as written above, "alternative": another one of the possible labels, {{certainty}}}`,

  prosecutor: `You are the prosecutor.`,

  attorney: `You are the attorney.`,

  argument: `You argue that the answer is {{label}}. Make the case for it: which facts carry it, and how. Then show where the case for the other label in dispute, {{other}}, is weak.

Speak to the judges in one argument of at most {{words}} words; what goes beyond is cut off and never read.

Fields:
{"argument": text}`,

  precedentHeading: `Precedents, cases whose right label is known:`,

  precedent: `Precedent {{number}}: {{facts}}
Its label: {{label}}`,

  reasonedPrecedent: `Precedent {{number}}: {{facts}}
Its label: {{label}}
Why it fits: {{reason}}`,

  argumentHeading: `Arguments before the court:`,

  argumentOf: `{{speaker}}, for {{label}}:`,

  noArgument: `The {{speaker}} has made no argument.`,

  opinionHeading: `Opinions of the judges before you, in order:`,

  opinionOf: `Judge {{number}}, for {{label}}:`,

  judge: `You are a judge of this court, and you decide by yourself: what other judges may find you do not hear.`,

  judgeInTurn: `You are judge {{number}} of {{judges}}. The judges speak in turn. Take what those before you have found into account, and follow it only as far as it convinces you; the last judge's label is the verdict.`,

  judgement: `Weigh the arguments against the facts and the precedents. Give your reason first, in at most 80 words, then the label that you find right and how sure you are of it.

Fields:
{"reason": text, "prediction": one of the possible labels, exactly as written above, {{certainty}}}`,

  archive: `You are the clerk of a court that decides which label fits a case.

The question before the court:
{{question}}

The only possible labels: {{labels}}.`,

  precedentReason: `The right label of this case is known to be {{label}}. Explain in at most 60 words why it fits, from the facts of the case alone.

Fields:
{"reason": text}`,

  certaintyOfOne: `"confidence": how sure you are of that prediction, a whole number from 0 to 100`,

  certaintyOfMany: `"distribution": {for every possible label how likely it is, whole numbers from 0 to 100 that sum to 100}`,
} as const;
