// The panels of many debates, added up.
import type { Panel } from '../../shared/api/protocolFigures.ts';
import { orderAgreement, type PanelSide, type SidePoints, totalPoints } from './panel.ts';

const sides = ['agentA', 'agentB'] as const satisfies readonly PanelSide[];

/** What one judge gave both sides on one subtopic, over the sheets of one order. */
export interface TopicPoints {
  readonly role: string;
  /** From 1; subtopics of different debates are alike in their place alone. */
  readonly number: number;
  /** Which side the judge read first. */
  readonly first: PanelSide;
  readonly sheets: number;
  /** Mean of the points, 1-10. */
  readonly mean: SidePoints;
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
    sides.flatMap((first) => {
      const own = sheets.filter((sheet) => sheet.role === role && sheet.first === first);
      return Array.from({ length: most }, (_, index) => index).flatMap((index): TopicPoints[] => {
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
