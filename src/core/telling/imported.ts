// Says where an imported prediction came from and how it was read.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import { percent } from '../figures/shares.ts';
import { type Block, joined, labelName, type Words } from './blocks.ts';

type Row = readonly [name: string, words: Words];

const erased = 'erased from the record';

function stoodText(value: string | null): Words {
  if (value === null) return erased;
  return value === '' ? 'an empty cell' : { code: value };
}

/** What a reader needs to find the prediction in its file, and to read it again. */
export function importBlock(entry: Extract<TranscriptEntry, { kind: 'import' }>): Block {
  const { system, line, mapping, value, stated, prediction, confidence, probabilities, opinions = [], course = [] } = entry;
  const { file, columns, map = [], positiveIf } = mapping ?? {};
  const pairs = map.map(([from, to]): Words => [{ name: from }, ' means ', { name: to }]);
  const unread: Words = stated === null || stated === '' ? 'not stated' : ['not counted: ', { name: stated }];
  const rows: readonly Row[] = [
    ['System', { name: system }],
    ['File', file === undefined ? erased : { name: file }],
    ['Line', line.toLocaleString('en-GB')],
    ...(columns?.prediction == null ? [] : [['Column', { name: columns.prediction }] as const]),
    ...(columns?.prediction === null ? [] : [['In the file', stoodText(value)] as const]),
    ...(columns?.probabilities ?? []).map(
      ([label, column], place): Row => [`Probability of ${label}, column ${column}`, stoodText(probabilities?.[place] ?? null)],
    ),
    ...opinions.map(
      (cell, place): Row => [
        `Opinion ${place + 1}${columns === undefined ? '' : `, column ${columns.opinions[place]}`}`,
        [stoodText(cell), ', read as ', course[place] === null ? 'no label' : { name: course[place] ?? '' }].flat() as Words,
      ],
    ),
    ['Read as', prediction === null ? 'no label of this experiment: undecided' : labelName(prediction)],
    ...(pairs.length === 0 ? [] : [['Mapped', joined(pairs, ', ')] as const]),
    ...(positiveIf == null ? [] : [['Positive where the number is', { code: positiveIf }] as const]),
    ['Stated confidence', confidence === null ? unread : percent(confidence)],
  ];
  return { kind: 'keys', rows: rows.map(([name, words]) => ({ name, words })) };
}
