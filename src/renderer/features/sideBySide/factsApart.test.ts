import { expect, test } from 'vitest';
import { differingText } from './inCommon.ts';

const start = 'On the evening of the third of May the defendant went home early. '.repeat(4);

test('of two long texts the changed part is shown, with a few words before it', () => {
  const [one, other] = [`${start}Two people saw him there. He paid.`, `${start}Nobody saw him there. He paid.`];
  expect(differingText(one, other)).toBe(
    ' Only in the first: “… defendant went home early. Two people”. Only in the second: “… defendant went home early. Nobody”.',
  );
});

test('a sentence that only one text has is shown alone', () => {
  expect(differingText(`${start}He paid.`, `${start}He paid. The landlord denies it.`)).toBe(
    ' Only in the second: “… home early. He paid. The landlord denies it.”.',
  );
});

test('of texts with little in common the lines are shown', () => {
  expect(differingText('The arrests weigh most.', 'Nobody saw him leave, and nobody can.')).toBe(
    ' Only in the first: “The arrests weigh most.”. Only in the second: “Nobody saw him leave, and nobody can.”.',
  );
});
