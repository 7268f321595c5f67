import { csvOf, invisibles, scripts } from './corpora.ts';
import type { EngineConnection } from './engineApi.ts';

const premises = [
  'A man mends a roof',
  'Two children play in the snow',
  'A woman reads a letter on a train',
  'A dog sleeps under a table',
];
const claims = [
  ['Somebody is awake or asleep here.', 'entailment'],
  ['It is the warmest day of the year.', 'neutral'],
  ['Nobody is in this picture at all.', 'contradiction'],
] as const;

const rows = Array.from({ length: 36 }, (_none, index) => {
  const [claim, label] = claims[index % claims.length] ?? claims[0];
  return [`${index + 1}`, `${premises[index % premises.length]}, picture ${index + 1}.`, claim, label];
});

/** Texts that would run, and texts that would not show themselves, as facts and as labels. */
export const hostileInferences = (count: number) =>
  Array.from({ length: count }, (_none, index) => [
    `h${index}`,
    `${scripts[index % scripts.length]} no. ${index}`,
    `${invisibles[index % invisibles.length]?.text ?? ''} \u05e9\u05dc\u05d5\u05dd`,
    ['entailment', 'neutral \u202emoc', '<b>contradiction</b>'][index % 3] ?? '',
  ]);

/** Pairs of sentences with three labels, half of them for training. */
export async function addInferences({ api, upload }: EngineConnection, more: readonly (readonly string[])[] = []) {
  const file = await upload('inferences.csv', csvOf([['id', 'premise', 'hypothesis', 'relation'], ...rows, ...more]));
  return await api.dataFiles.add({
    upload: file.upload,
    name: 'Inferences',
    definition: {
      kind: 'pair',
      id: 'id',
      label: { column: 'relation' },
      question: 'How does the second sentence stand to the first?',
      split: { test: 0.5, train: 0.5 },
    },
  });
}
