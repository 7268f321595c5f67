import { confusion } from './confusion.ts';

const truths = ['A', 'A', 'A', 'A', 'B', 'B', 'B', 'C', 'C', 'C', 'C', 'C'];
const predictions = ['A', 'A', 'B', 'C', 'B', 'B', 'A', 'C', 'C', 'C', 'A', 'B'];

/** Twelve pairs over four classes, the last of which never occurs; test data of several statistics. */
export const fourClasses = confusion(
  truths.map((truth, index) => ({ truth, prediction: predictions[index] ?? '' })),
  ['A', 'B', 'C', 'D'],
);
