// The verdict of a debate about a labelled case.
import type { BeliefGrounds } from '../../../shared/domain.ts';
import { meanBelief } from '../../beliefs/opinionPools.ts';
import { isInconsistent } from '../../beliefs/verbalBelief.ts';
import { meanOf } from '../../statistics/meanOverSets.ts';
import { lostTurns, verbalOf } from '../bench.ts';
import { type Ruling, type StatedBelief, TurnFailure } from '../court.ts';
import type { Side } from './answers.ts';
import { type Debate, defendedLabels, sides } from './debate.ts';
import type { Panel } from './panel.ts';

/** The verdict of two agents who predict the same: their mean belief. */
function agreedRuling(labels: readonly string[], stated: readonly StatedBelief[], prediction: string): Ruling {
  const belief = meanBelief(
    labels,
    stated.map((own) => own.belief),
  );
  const verbal = meanBelief(labels, stated.map(verbalOf));
  return {
    role: 'agents',
    prediction,
    confidence: meanOf(stated.map(({ confidence }) => confidence)),
    belief,
    source: 'mixture',
    inconsistent: belief !== null && isInconsistent(belief, prediction),
    grounds: {
      verbal,
      mixture: { weights: { agentA: 1, agentB: 1 } },
      votes: {
        asked: stated.length,
        counts: { [prediction]: stated.length },
        failures: {},
        decidedBy: 'agreement',
        mean: belief,
      },
    },
  };
}

/** The side that the panel prefers: by sheets won, then by all points, then by what the judges declare; null is a tie. */
export function preferredSide({ sheets }: Pick<Panel, 'sheets'>): { side: Side; by: 'majority' | 'points' | 'declared' } | null {
  const count = (of: (sheet: Panel['sheets'][number]) => Side | null) =>
    sheets.reduce((sum, sheet) => sum + (of(sheet) === 'agentA' ? 1 : of(sheet) === 'agentB' ? -1 : 0), 0);
  const tests = [
    { by: 'majority', lead: count(({ winner }) => winner) },
    { by: 'points', lead: sheets.reduce((sum, { points }) => sum + points.agentA - points.agentB, 0) },
    { by: 'declared', lead: count(({ declared }) => declared) },
  ] as const;
  const decisive = tests.find(({ lead }) => lead !== 0);
  return decisive === undefined ? null : { side: decisive.lead > 0 ? 'agentA' : 'agentB', by: decisive.by };
}

function standpoints(debate: Debate): Partial<Record<Side, string>> {
  const { params, stated } = debate;
  if (params.stances === 'assigned') return defendedLabels(debate);
  return Object.fromEntries(
    sides.flatMap((side) => {
      const prediction = stated[side]?.prediction;
      return typeof prediction === 'string' ? [[side, prediction]] : [];
    }),
  );
}

/**
 * The verdict of the panel: the label of the side that it prefers. The belief is the share of its sheets, a tie
 * being half a sheet of each side; null where a side has predicted nothing.
 * Throws where there is no sheet, where the panel is tied in every way, or where the preferred side has
 * predicted nothing.
 */
function panelRuling(debate: Debate, { sheets, failures }: Panel): Ruling {
  const { labels } = debate;
  const [failed] = failures;
  if (sheets.length === 0 && failed !== undefined) throw failed;
  const preferred = preferredSide({ sheets });
  if (preferred === null) throw new TurnFailure('panel', 'undecided', 'the panel finds both sides equal');
  const labelOf = standpoints(debate);
  const prediction = labelOf[preferred.side];
  if (prediction === undefined) {
    // Without its prediction a side has spoken in no round, so there is a failure that says why.
    throw (
      debate.silent[preferred.side] ?? new TurnFailure('panel', 'undecided', 'the side that the panel prefers predicts nothing')
    );
  }
  const wonBy = (side: Side) => sheets.filter(({ winner }) => winner === side).length;
  const ties = sheets.filter(({ winner }) => winner === null).length;
  const shares = new Map(labels.map((label) => [label, 0]));
  const counts = new Map(labels.map((label) => [label, 0]));
  for (const side of sides) {
    const label = labelOf[side];
    if (label === undefined) continue;
    shares.set(label, (shares.get(label) ?? 0) + (wonBy(side) + ties / 2) / sheets.length);
    counts.set(label, (counts.get(label) ?? 0) + wonBy(side));
  }
  // Sheets won by a side without a label say nothing of any label.
  const belief = sides.every((side) => labelOf[side] !== undefined) ? Object.fromEntries(shares) : null;
  const stated = sides.flatMap((side) => debate.stated[side] ?? []);
  const votes: NonNullable<BeliefGrounds['votes']> = {
    asked: sheets.length + failures.length,
    counts: Object.fromEntries(counts),
    failures: lostTurns(failures),
    decidedBy: preferred.by,
    mean: meanBelief(
      labels,
      stated.map((own) => own.belief),
    ),
  };
  return {
    role: 'judge',
    prediction,
    confidence: belief?.[prediction] ?? null,
    belief,
    source: 'votes',
    inconsistent: belief !== null && isInconsistent(belief, prediction),
    grounds: { verbal: meanBelief(labels, stated.map(verbalOf)), votes },
  };
}

/** The verdict on a labelled case: the label that both agree on, else the panel's. Throws `TurnFailure`. */
export function verdictOf(debate: Debate, panel: Panel): Ruling {
  const { agentA, agentB } = debate.stated;
  const prediction = agentA?.prediction;
  if (agentA !== undefined && agentB !== undefined && typeof prediction === 'string' && prediction === agentB.prediction) {
    return agreedRuling(debate.labels, [agentA, agentB], prediction);
  }
  return panelRuling(debate, panel);
}
