import { type BeliefChange, isPair, leadingLabel } from './beliefChanges.ts';

/**
 * Divides a line through values, one row each, into pieces that every row can draw by itself: neighbours meet at their
 * common edge, half way between their values. Through rows without a value the line goes straight from edge to edge.
 * @returns places across, 0-1: of the line at the row's upper and lower edge, and of the dot at half its height; null where there is none
 */
export function timelinePieces(values: readonly (number | null)[]) {
  const before: (number | null)[] = [];
  for (const value of values) before.push(value ?? before.at(-1) ?? null);
  const after: (number | null)[] = values.map(() => null);
  for (let row = values.length - 1; row >= 0; row--) after[row] = values[row] ?? after[row + 1] ?? null;
  const edge = (row: number): number | null => {
    const [above, below] = [before[row - 1] ?? null, after[row] ?? null];
    return above === null || below === null ? null : (above + below) / 2;
  };
  return values.map((dot, row) => ({ top: edge(row), dot, bottom: edge(row + 1) }));
}

/** The role that stated most beliefs; of equals the one that did so last, which is the one that rules. */
export function timelineRole(beliefs: readonly BeliefChange[]): string | null {
  const counts = new Map<string, number>();
  for (const { role } of beliefs.toReversed()) counts.set(role, (counts.get(role) ?? 0) + 1);
  const [most] = [...counts].toSorted((one, other) => other[1] - one[1]);
  return most?.[0] ?? null;
}

/** `A` for the first label; `AA` after `Z`. */
export function letterOf(labels: readonly string[], label: string): string {
  const letters = (index: number): string =>
    (index < 26 ? '' : letters(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));
  const index = labels.indexOf(label);
  return index < 0 ? '?' : letters(index);
}

export type Timeline = Readonly<ReturnType<typeof timelineOf>>;
export type TimelineRow = Timeline['rows'][number];

/** The judge's belief as a line along the transcript. @param rows seqs of beliefs and ruling of each @param labels in order */
export function timelineOf(rows: readonly (readonly number[])[], beliefs: readonly BeliefChange[], labels: readonly string[]) {
  const role = timelineRole(beliefs);
  const bySeq = new Map(beliefs.map((step) => [step.seq, step]));
  const first = beliefs.find((step) => step.role === role);
  const paired = first !== undefined && isPair(first);
  const ofSets = beliefs.some(({ set }) => set !== null);
  const other = paired ? Object.keys(first.belief).find((label) => label !== first.label) : undefined;
  const stated = rows.map((seqs) => {
    const all = seqs.flatMap((seq) => bySeq.get(seq) ?? []);
    /** Belief at the dot; null for a row without one. */
    const step = all.findLast((each) => each.role === role) ?? null;
    /** Stated by the same role before it or by other roles: shown in words only. */
    const others = all.filter((each) => each !== step);
    return { step, others };
  });
  const share = ({ belief, now }: BeliefChange) => (paired ? now : (belief[leadingLabel(belief) ?? ''] ?? 0));
  const pieces = timelinePieces(stated.map(({ step }) => (step === null || ofSets ? null : share(step))));
  return {
    /** The role whose beliefs the line joins; null if no one stated any. */
    role,
    /** It stated one only: nothing to join. */
    isOnce: beliefs.filter((step) => step.role === role).length === 1,
    /** Two labels: the label at the right end and the one at the left; null for more labels, where the likeliest label's share is drawn. */
    ends: paired ? { left: other ?? '', right: first.label } : null,
    /** Several labels can apply: no single share describes them, so nothing is drawn and the rows say it in words. */
    ofSets,
    /** All labels in order; their place gives the letter of a dot where there are more than two. */
    labels,
    rows: stated.map((row, index) => ({ ...row, piece: pieces[index] ?? { top: null, dot: null, bottom: null } })),
  };
}
