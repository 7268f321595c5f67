/**
 * CRIT of this score, 1-10 to one decimal, with nothing against it: a score between two whole ones is that of two
 * reasons whose credibility weighs them.
 */
export function criticism(score: number): object {
  const least = Math.floor(score);
  const tenths = Math.round(10 * (score - least));
  const reasons = [
    { text: 'because', validity: least, credibility: 10 - tenths },
    { text: 'moreover', validity: least + 1, credibility: tenths },
  ];
  return {
    claim: 'it is so',
    reasons: reasons.filter(({ credibility }) => credibility > 0),
    rivals: [],
    justification: 'what is said',
  };
}
