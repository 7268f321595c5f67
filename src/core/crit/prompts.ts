/** Made from prompts.md by `npm run prompts`: edit that file. */
export const templates = {
  critic: `You are the critic. You take no side.`,
  crit: `Examine the argument of {{subject}}.`,
  critOfReason: `{{subject}} gives this reason:
{{claim}}

Examine this reason as a claim that needs support.`,
  critSteps: `State its claim in one sentence.
List the reasons that it gives, at most {{reasons}}, the strongest first. Use at most 20 words for each.
List reasons against the claim, at most {{rivals}}. They can be your own.
Score how valid each reason is, from 1 (shows nothing) to 10 (settles the matter).
Score how credible each reason is, from 0 (cannot be believed) to 10 (certain).
Say why you gave these scores in at most 40 words.`,
  critStepsDeep: `Say of each reason whether it is itself a claim that needs reasons. A fact of the case is none.`,
  critFields: `Write one JSON object:
{"claim": "<the claim>", "reasons": [{"text": "<a reason for the claim>", "validity": <score>, "credibility": <score>}], "rivals": [{"text": "<a reason against the claim>", "validity": <score>, "credibility": <score>}], "justification": "<why these scores>"}`,
  critFieldsDeep: `Write one JSON object:
{"claim": "<the claim>", "reasons": [{"text": "<a reason for the claim>", "is_claim": <true or false>, "validity": <score>, "credibility": <score>}], "rivals": [{"text": "<a reason against the claim>", "validity": <score>, "credibility": <score>}], "justification": "<why these scores>"}`,
} as const;
