import { csvOf } from './corpora.ts';
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
