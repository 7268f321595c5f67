/** Made from prompts.md by `npm run prompts`: edit that file. */
export const templates = {
  rules: `The prosecution argues for {{accusation}}.
The defense argues for {{denial}}.
Each side speaks {{turns}} times.
A judge decides.`,
  record: `What was said so far:`,
  heading: `{{speaker}}, {{turn}}:`,
  prosecutor: `You are the prosecutor.
You argue that the answer is {{accusation}}.`,
  defense: `You are the defense.
You argue that the answer is {{denial}}.`,
  opening: `Give your opening speech.
Name the facts of the case that support your answer.`,
  rebuttal: `Give your rebuttal.
Say why the other side is wrong.`,
  closing: `Give your closing speech.
Say which facts matter most.`,
  advocateAnswer: `First make a private plan that nobody else reads.
Then write your speech to the judge in at most 80 words.

Write one JSON object:
{"private_strategy": {"own_strengths": "<your best points>", "own_weaknesses": "<your weak points>", "opponent_points": "<points of the other side>", "plan": "<what you will say>"}, "utterance": "<your speech>"}`,
  judge: `You are the judge.`,
  ownNotes: `Your notes so far:`,
  note: `After {{moment}}, you noted:`,
  update: `How do you see the case now?
Give a reason in at most 40 words.
Then answer the question.`,
  critiqueOfProsecution: `"critique_prosecution": "<what the prosecution did well or badly>"`,
  critiqueOfDefense: `"critique_defense": "<what the defense did well or badly>"`,
  updateAnswer: `Write one JSON object:
{"reasoning": "<at most 40 words>", {{fields}}}`,
  ruling: `Both sides are done.
Write your opinion in at most 60 words.
Then answer the question.
Then give at most three reasons, and say how well both sides argued.`,
  rulingAnswer: `Write one JSON object:
{"opinion": "<at most 60 words>", {{verdict}}, "reasoning": ["<one sentence for each reason>"], "critique": "<at most 40 words>"}`,
  recallAnswer: `Then say for each of the {{speeches}} speeches, in order, what you believed right after it.

Write one JSON object:
{"opinion": "<at most 60 words>", {{verdict}}, "reasoning": ["<one sentence for each reason>"], "critique": "<at most 40 words>", "belief_updates": [{{{verdict}}}]}`,
} as const;
