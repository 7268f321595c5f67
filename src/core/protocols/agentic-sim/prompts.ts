/** Prompt templates of `agentic-sim`. A change here is a new version of the protocol. */
export const templates = {
  rules: `This is a hearing before a single judge. There is no jury, no witness and no expert: there are the facts of one case, two advocates and a judge.

The question before the court:
{{question}}

The prosecution holds that the answer is {{accusation}}. The defense holds that the answer is {{denial}}. No other answer is possible.

How the hearing goes:
1. The sides speak in turn, {{turns}} times each, the prosecution first, so that the defense has the last word.
2. Before speaking, an advocate makes a private plan that nobody else will ever read.
3. Only the facts of the case are evidence. An advocate may argue about what they mean, and may not add to them.
4. After the last speech the judge rules, and states how sure that ruling is.
5. Every contribution is one JSON object with exactly the fields asked for, and nothing before or after it.`,

  facts: `Facts of the case:
{{facts}}`,

  record: `What has been said in open court, in order:`,

  heading: `{{speaker}}, {{turn}}:`,

  silence: `Nobody has spoken yet.`,

  prosecutor: `You are the prosecutor. You argue that the answer is {{accusation}}, with the facts and in good faith.`,

  defense: `You are the advocate of the defense. You argue that the answer is {{denial}}, with the facts and in good faith.`,

  opening: `It is your turn: the opening. Set out your view of the case and the facts that carry it.`,

  rebuttal: `It is your turn: a rebuttal. Answer what the other side has said, mend what they damaged, and press the point they left open.`,

  closing: `It is your turn: the closing, your last words. Say what the court should keep in mind when it decides.`,

  advocateAnswer: `First plan in private, with a critical eye on both sides: what is strong and what is weak in your own position, which points of the other side must be met, and what you will do about it. Then write the speech itself, at most 150 words, addressed to the court. Nothing of the plan is shown to anyone, so the speech must stand alone.

Fields:
{"private_strategy": {"own_strengths": text, "own_weaknesses": text, "opponent_points": text, "plan": text}, "utterance": text of the speech}`,

  judge: `You are the judge. You listen in silence, owe nothing to either side, and have to be right rather than bold.`,

  ownNotes: `Your own notes so far, which nobody else reads:`,

  note: `After {{moment}}, you noted:`,

  prior: `From the facts alone, note for yourself where you stand. Leave both critiques empty, for there is nothing to criticise yet.`,

  update: `The last speech has just ended. Note for yourself where you stand now, what moved you if anything did, and what each side has done well or badly so far.`,

  updateAnswer: `Fields:
{"reasoning": why you stand there, at most 80 words, "critique_prosecution": text, "critique_defense": text, "prediction": "{{accusation}}" or "{{denial}}", "confidence": how sure you are of that prediction, a whole number from 0 to 100}`,

  ruling: `Both sides have closed. Rule on the question. Write the opinion of the court first, then the prediction it leads to and how sure you are of it, then the reasons one by one, then a critique of how both sides argued.`,

  recall: `Also recall, for each of the {{speeches}} speeches in order, where you stood right after it.`,

  rulingAnswer: `Fields:
{"opinion": at most 150 words, "prediction": "{{accusation}}" or "{{denial}}", "confidence": how sure you are of that prediction, a whole number from 0 to 100, "reasoning": [one sentence for each reason, at most six], "critique": at most 100 words}`,

  recallAnswer: `Fields:
{"opinion": at most 150 words, "prediction": "{{accusation}}" or "{{denial}}", "confidence": how sure you are of that prediction, a whole number from 0 to 100, "reasoning": [one sentence for each reason, at most six], "critique": at most 100 words, "belief_updates": [{"prediction": as above, "confidence": as above}, one for each speech in order]}`,
} as const;

const spokenOrder = 'the prosecution first, so that the defense has the last word';

/** The rules of a hearing in which the order of the sides is exchanged. */
export const defenseFirst = templates.rules.replace(spokenOrder, 'the defense first, so that the prosecution has the last word');
