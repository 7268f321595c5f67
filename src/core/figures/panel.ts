// The panels of SocraSynth: who has argued better in one debate, and the points of many added up.
import type { Panel } from '../../shared/api/protocolFigures.ts';

/**
 * Who has argued better, by the scores of a panel.
 *
 * Source: "SocraSynth: Adversarial Multi-LLM Reasoning", tables 6.5 and 6.6: each judge scores both sides on every
 * subtopic, once for either order of the sides, and the higher total wins. Deviation: equal totals are a tie (table 6.6
 * has 38 to 38 and counts it as won).
 */

export const panelSides = ['agentA', 'agentB'] as const;
export type PanelSide = (typeof panelSides)[number];

type Sheet = Panel['sheets'][number];

/** Points of both sides, on one subtopic (1-10) or in all. */
export type SidePoints = Readonly<Record<PanelSide, number>>;

export const totalPoints = (scores: readonly SidePoints[]): SidePoints => ({
  agentA: scores.reduce((sum, { agentA }) => sum + agentA, 0),
  agentB: scores.reduce((sum, { agentB }) => sum + agentB, 0),
});

/** The side with more points; null is a tie. */
export function winnerByPoints({ agentA, agentB }: SidePoints): PanelSide | null {
  if (agentA === agentB) return null;
  return agentA > agentB ? 'agentA' : 'agentB';
}

/** Judges whose winner is the same in both orders, a tie being one of three results. @returns counts of those with both */
export function orderAgreement(sheets: readonly Pick<Sheet, 'role' | 'first' | 'winner'>[]): {
  readonly same: number;
  readonly judges: number;
} {
  const pairs = [...new Set(sheets.map(({ role }) => role))].flatMap((role) => {
    const [one, other] = panelSides.map((side) => sheets.find((sheet) => sheet.role === role && sheet.first === side));
    return one === undefined || other === undefined ? [] : [one.winner === other.winner];
  });
  return { same: pairs.filter(Boolean).length, judges: pairs.length };
}

/**
 * The scores of panels by subtopic and by the side that was read first, and who wins.
 *
 * Source: "SocraSynth: Adversarial Multi-LLM Reasoning", tables 6.5 and 6.6, which are one debate in both orders. Equal
 * totals are a tie.
 */
export function panelSums(panels: readonly Pick<Panel, 'sheets'>[]) {
  const sheets = panels.flatMap((panel) => panel.sheets);
  const most = Math.max(0, ...sheets.map(({ scores }) => scores.length));
  const roles = [...new Set(sheets.map(({ role }) => role))].sort();
  const topics = roles.flatMap((role) =>
    panelSides.flatMap((first) => {
      const own = sheets.filter((sheet) => sheet.role === role && sheet.first === first);
      return Array.from({ length: most }, (_, index) => index).flatMap((index) => {
        const given = own.flatMap(({ scores }) => scores[index] ?? []);
        const { agentA, agentB } = totalPoints(given);
        const mean = { agentA: agentA / given.length, agentB: agentB / given.length };
        return given.length === 0 ? [] : [{ role, number: index + 1, first, sheets: given.length, mean }];
      });
    }),
  );
  const winners = sheets.map(({ winner }) => winner);
  const agreements = panels.map((panel) => orderAgreement(panel.sheets));
  return {
    /** What one judge gave both sides on one subtopic, from 1, over the sheets of one order: mean points, 1-10. */
    topics,
    /** Sheets by the side that they make win by points; null is a tie. */
    won: {
      agentA: winners.filter((winner) => winner === 'agentA').length,
      agentB: winners.filter((winner) => winner === 'agentB').length,
      tie: winners.filter((winner) => winner === null).length,
    },
    /** Sheets whose judge declares another winner than the points give. */
    declaredOtherwise: sheets.filter(({ declared }, index) => declared !== (winners[index] ?? null)).length,
    /** Judges with both orders, and those with the same result in both. */
    agreement: {
      same: agreements.reduce((sum, { same }) => sum + same, 0),
      judges: agreements.reduce((sum, { judges }) => sum + judges, 0),
    },
    sheets: sheets.length,
  };
}
