/** Templates that a protocol with CRIT takes up among its own. A change here is a new version of each of them. */
export const critTemplates = {
  critic: `You are the critic. You take no side, and you judge how reasonable an argument is, not whether you like where it leads.`,

  crit: `Examine the argument of {{subject}} as it stands so far, step by step:
1. State its claim.
2. List the reasons that are given for the claim, at most {{reasons}}, the weightiest first.
3. Score each reason: its validity, how well the claim follows from it, from 1 (not at all) to 10 (compellingly), and the credibility of what it rests on, from 0 (none) to 1 (beyond doubt).
4. List the rival reasons, those that speak against the claim, from the other side or your own, at most {{rivals}}, and score them in the same way.
5. Justify these scores in at most 80 words.`,

  critOfReason: `One of the reasons given by {{subject}} is itself a claim that needs support:
{{claim}}

Examine it as a claim of its own, with all that has been said and with the facts:
1. Repeat the claim.
2. List the reasons for it, at most {{reasons}}, the weightiest first.
3. Score each reason: its validity, how well the claim follows from it, from 1 (not at all) to 10 (compellingly), and the credibility of what it rests on, from 0 (none) to 1 (beyond doubt).
4. List the rival reasons, those that speak against the claim, at most {{rivals}}, and score them in the same way.
5. Justify these scores in at most 80 words.`,

  critFields: `Write at most 30 words for each reason.

Fields:
{"claim": text, "reasons": [{"text": text, "validity": a number from 1 to 10, "credibility": a number from 0 to 1}], "rivals": [{"text": text, "validity": as above, "credibility": as above}], "justification": text}`,

  critFieldsDeep: `Write at most 30 words for each reason. Say of each whether it is itself a claim that would need reasons of its own, rather than a fact of the case or a plain inference.

Fields:
{"claim": text, "reasons": [{"text": text, "is_claim": true or false, "validity": a number from 1 to 10, "credibility": a number from 0 to 1}], "rivals": [{"text": text, "validity": as above, "credibility": as above}], "justification": text}`,
} as const;
