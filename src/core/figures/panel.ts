/**
 * Who has argued better, by the scores of a panel.
 *
 * Source: "SocraSynth: Adversarial Multi-LLM Reasoning", tables 6.5 and 6.6: each judge scores both sides on every
 * subtopic, once for either order of the sides, and the higher total wins. Deviation: equal totals are a tie (table 6.6
 * has 38 to 38 and counts it as won).
 */

export type PanelSide = 'agentA' | 'agentB';

/** Points of both sides, on one subtopic (1-10) or in all. */
export type SidePoints = Readonly<Record<PanelSide, number>>;

/** One judge's scores in one order. */
export interface PanelSheet {
  readonly role: string;
  /** The side that the judge read first. */
  readonly first: PanelSide;
  readonly winner: PanelSide | null;
}

export const totalPoints = (scores: readonly SidePoints[]): SidePoints => ({
  agentA: scores.reduce((sum, { agentA }) => sum + agentA, 0),
  agentB: scores.reduce((sum, { agentB }) => sum + agentB, 0),
});

/** The side with more points; null is a tie. */
export function winnerByPoints({ agentA, agentB }: SidePoints): PanelSide | null {
  if (agentA === agentB) return null;
  return agentA > agentB ? 'agentA' : 'agentB';
}

/**
 * Judges with both orders whose winner is the same in both, a tie counting as one of three results.
 * @returns counts; `judges` are those with both orders
 */
export function orderAgreement(sheets: readonly PanelSheet[]): { readonly same: number; readonly judges: number } {
  const pairs = [...new Set(sheets.map(({ role }) => role))].flatMap((role) => {
    const [one, other] = (['agentA', 'agentB'] as const).map((side) =>
      sheets.find((sheet) => sheet.role === role && sheet.first === side),
    );
    return one === undefined || other === undefined ? [] : [one.winner === other.winner];
  });
  return { same: pairs.filter(Boolean).length, judges: pairs.length };
}
