// What each speech was worth, in words and tables: withheld from everyone, or with debates cut at random.
import type { SpeechWorth, TurnEffect } from '../../shared/changeStatistics.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { count, quantity } from '../../shared/sizes.ts';
import { type Column, columnsOf, differenceText, measureNamed, type Piece, type StatisticsTable } from './cells.ts';

/** Which way the numbers of a speech go, in the heads of their columns. */
export const [worthHead, effectHead] = ['worth, with − without', 'effect, after − before'];

export const worthText = (label: string | null): string =>
  `Each speech withheld from everyone, and all that follows tried again with the same seeds. Worth: P(${label ?? 'label'}) and verdicts for it where the speech is heard, minus the same without it: above zero, both are lower without the speech. Intervals are over the cases; of a single case, over its pairs, each with another seed. Pairs in which nobody whose belief counts heard the speech are left out, and counted: leaving it out could change nothing there. The observed movement is the change of belief right after the speech in the original trials; it is no cause.`;

export const turnText = (label: string | null): string =>
  `Each case heard again up to a speech drawn at random, and nothing after it. Effect: P(${label ?? 'label'}) and verdicts for it where the debate is cut right after the speech, minus the same where it is cut right before it. Chance decides which cases are cut where, so the difference is what the speech adds together with the silence that then starts one speech later. Pairs without two decisions are left out, and counted: where many are lost on one side, the two sides differ in more than the cut. With few cases on a side there is no interval. The observed movement is the change of belief right after the speech in the whole debates; it is no cause.`;

/** How many trials were cut right after a speech and right before it, and how many more were lost on each side. */
export function cutsText(effect: Omit<TurnEffect, 'arm' | 'speech' | 'label' | 'draws'>): string {
  const { heard, unheard, heard_lost: heardLost, unheard_lost: unheardLost, cases } = effect;
  const sides = (after: number, before: number) => `${after === 0 ? '' : `${count(after)} after, `}${count(before)} before`;
  const believed = measureNamed(effect, 'turn_belief')?.n ?? 0;
  const fewer = believed < heard + unheard ? `; ${count(believed)} with beliefs` : '';
  const lost = heardLost + unheardLost === 0 ? '' : `; without a decision: ${sides(heardLost, unheardLost)}`;
  return `${sides(heard, unheard)}; ${quantity(cases, 'case')}${fewer}${lost}`;
}

export const worthPairsText = ({ pairs, unheard }: Pick<SpeechWorth, 'pairs' | 'unheard'>): string =>
  unheard === 0 ? count(pairs) : `${count(pairs)}; ${count(unheard)} left out, nobody whose belief counts heard it`;

/** Speeches with what each did, and the observed movement. @param word what its numbers are called, and the beginning of their measures' names */
function speechTable<T extends Pick<SpeechWorth, 'arm' | 'speech' | 'label' | 'measures'>>(
  rows: readonly T[],
  [word, prefix]: readonly [word: string, prefix: string],
  last: Column<T>,
): StatisticsTable {
  const of = (name: string) => (row: T) => differenceText(measureNamed(row, name));
  return columnsOf(rows, [
    ['arm', ({ arm }) => arm],
    ['speech', ({ speech }) => speech],
    [`${word}: P(${rows[0]?.label ?? 'label'}), points`, of(`${prefix}_belief`)],
    [`${word}: verdicts, points`, of(`${prefix}_verdict`)],
    ['observed movement, points', of('observed_movement')],
    last,
  ]);
}

/** What each withheld speech was worth, and the effect of each of debates that were cut at random; empty where there is none. */
export function speechPieces({ speech_worth: worth = [], turn_effects: turns = [] }: StatsReport): Piece[] {
  return [
    ...(worth.length === 0
      ? []
      : [
          '',
          'What caused it',
          worthText(worth[0]?.label ?? null),
          speechTable(worth, [worthHead, 'worth'], ['pairs', worthPairsText]),
        ]),
    ...(turns.length === 0
      ? []
      : [
          '',
          'The effect of each turn',
          turnText(turns[0]?.label ?? null),
          speechTable(turns, [effectHead, 'turn'], ['trials cut', cutsText]),
        ]),
  ];
}
