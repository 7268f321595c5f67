// Shows which speech came before a role changed its stated belief.

import { predictionText } from '../../shared/predictionText.ts';
import { isSameSet } from '../beliefs/independentBelief.ts';
import { type BeliefChange, isDirected, isPair } from '../figures/beliefChanges.ts';
import { directed, percent, points } from '../figures/shares.ts';
import { theSpeaker } from '../figures/speakers.ts';
import { capitalized } from '../text/visible.ts';
import { type Block, words } from './blocks.ts';
import type { ToldRow } from './rows.ts';

/** The speech before a belief, in words: `Prosecution, rebuttal 2`. A withheld speech moves no one: the one heard instead is named. */
export function occasionOf({ seq, key, moment, after, role }: BeliefChange, rows: readonly ToldRow[]): string {
  if (moment === 'ruling') return 'Ruling';
  const row = rows.find(({ beliefs }) => beliefs.some((belief) => belief.seq === seq));
  if (row === undefined) return key;
  if (row.form === 'silent') return 'Before anyone spoke';
  // It follows no speech: the role answers by itself.
  if (after === null && row.role !== role) return 'Its own answer';
  const heard =
    row.heardInstead === undefined ? '' : row.heardInstead === null ? 'Silence in place of ' : 'Other words in place of ';
  return `${heard}${row.who}, ${row.what}`;
}

/** Names the two beliefs of a change with no speech between them: a ruling has no speeches. */
export const stretchOf = (step: BeliefChange, rows: readonly ToldRow[]): string =>
  step.moment === 'ruling' ? 'From the last belief to the ruling' : occasionOf(step, rows);

/** How far a belief changed; a dash where there is none to compare it with. */
export function changeText(step: BeliefChange): string {
  if (step.change === null) return '–';
  return isDirected(step) ? points(step.change) : percent(step.change);
}

/** From what to what the belief in the followed label changed: WITHDRAW `from 54% to 41%`; null where there is none before. */
export const changeOfLabel = ({ label, before, now }: BeliefChange): { readonly label: string; readonly words: string } | null =>
  before === null ? null : { label, words: `from ${percent(before)} to ${percent(now)}` };

export function changeInFull(step: BeliefChange): string {
  if (step.change === null) return 'no belief before';
  return isDirected(step) ? directed(step.change) : `${percent(step.change)} of the distribution shifted`;
}

/** That a first speech is in no list of changes, and how it would be; null where the role stated a belief before it. */
function unmeasured(beliefs: readonly BeliefChange[], rows: readonly ToldRow[], role: string, protocol: string): string | null {
  const first = beliefs.find((step) => step.role === role);
  const row = rows.find((each) => each.beliefs.some(({ seq }) => seq === first?.seq));
  if (row?.form !== 'utterance' || row.role === role) return null;
  const remedy = protocol === 'agentic-sim' ? '; “Ask the judge before anyone speaks” changes that' : '';
  return `The first speech cannot be measured: ${theSpeaker(role)} states no belief before it${remedy}.`;
}

/** Changes of the belief that a role stated, first the greatest; of equals first the earlier. */
export function greatestChanges(beliefs: readonly BeliefChange[], role: string | null): BeliefChange[] {
  const size = ({ change }: BeliefChange) => Math.abs(change ?? 0);
  const changes = beliefs.filter((step) => step.role === role && step.change !== null);
  return changes.toSorted((one, other) => size(other) - size(one) || one.seq - other.seq);
}

/** The last belief of a role with another answer than the one before it; null where its answer stayed the same. */
export function lastAnswerChange(beliefs: readonly BeliefChange[], role: string | null): BeliefChange | null {
  const own = beliefs.filter((step) => step.role === role && step.moment !== 'recalled' && step.prediction !== null);
  return (
    own.findLast((step, place) => {
      const before = own[place - 1]?.prediction ?? null;
      return before !== null && !isSameSet([before].flat(), [step.prediction ?? []].flat());
    }) ?? null
  );
}

/** Where the belief of a role changed most and its answer last, in one sentence; null where nothing changed. */
export function changesText(beliefs: readonly BeliefChange[], rows: readonly ToldRow[], role: string | null): string | null {
  const [first] = greatestChanges(beliefs, role);
  const most = first === undefined || Math.abs(first.change ?? 0) < 1e-9 ? null : first;
  const last = lastAnswerChange(beliefs, role);
  if (role === null || (most === null && last === null)) return null;
  const at = (step: BeliefChange) => {
    const change = changeOfLabel(step);
    return `at “${stretchOf(step, rows)}”${change === null ? '' : ` (${change.label} ${change.words})`}`;
  };
  const became = last === null ? 'the answer stayed the same' : `the answer became ${predictionText(last.prediction)} for good`;
  const parts = [
    ...(most === null ? [] : [`largest change ${at(most)}`]),
    last === null ? became : last === most ? `there ${became}` : `${became} ${at(last)}`,
  ];
  return `Belief of ${theSpeaker(role)}: ${parts.join('; ')}.`;
}

/** The greatest changes of the belief of a role, first the greatest of all; null where it stated only one. */
export function moversOf(
  beliefs: readonly BeliefChange[],
  rows: readonly ToldRow[],
  { role, most, protocol }: { role: string | null; most: number; protocol: string },
): { readonly title: string; readonly blocks: readonly Block[] } | null {
  const size = ({ change }: BeliefChange) => Math.abs(change ?? 0);
  const moved = greatestChanges(beliefs, role);
  const [first] = moved;
  if (role === null || first === undefined) return null;
  const isComputed = rows.some(({ beliefs: own }) => own.some(({ source }) => source === 'smoothed'));
  const who = isComputed ? 'the computed opinion' : theSpeaker(role);
  const title = `What moved ${who}`;
  const next = isComputed ? 'from one computed opinion to the next' : 'from one stated belief to the next';
  if (size(first) < 1e-9) {
    const same = isComputed ? 'The computed opinion stayed the same.' : `${capitalized(who)} stated the same belief throughout.`;
    return { title, blocks: [words(same, 'quiet')] };
  }
  const shown = moved.slice(0, most);
  const ofSet = first.set !== null;
  const what = ofSet
    ? [`Change of the label that moved most ${next}, in percentage points`]
    : isPair(first)
      ? ['Change of P(', { name: first.label }, `) ${next}, in percentage points`]
      : [`How much of the distribution shifted ${next}`];
  const all = moved.length === 1 ? 'the only change' : `all ${moved.length} changes`;
  const count = shown.length === moved.length ? all : `the ${shown.length} largest of ${moved.length}`;
  const missed = unmeasured(beliefs, rows, role, protocol);
  return {
    title,
    blocks: [
      words([...what, `, ${count}.`], 'quiet'),
      {
        kind: 'changes',
        isDirected: isDirected(first),
        rows: shown.map((step) => ({
          words: stretchOf(step, rows),
          share: (step.change ?? 0) / size(first),
          told: [{ strong: changeText(step), full: changeInFull(step) }, ...(ofSet ? [' ', { name: step.label }] : [])],
        })),
      },
      words(
        `${missed === null ? '' : `${missed} `}That a change followed a speech does not prove that the speech caused it.`,
        'quiet',
      ),
    ],
  };
}
