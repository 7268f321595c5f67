import { expect, test } from 'vitest';
import { differencesText } from './differencesText.ts';

test('both versions are printed whole, after the words that differ', () => {
  const text = (board: string) => `Rules of the ${board} board. ${'The day of return is not counted. '.repeat(400)}END`;
  const only = { chains: [], events: 0, texts: 0 };
  const printed = differencesText({
    ...{ other: 'original.zip', other_result: 'intact', result: 'tampered', other_root: 'a', root: 'a' },
    list: [
      {
        what: 'Case D01',
        other: { text: text('deposit'), fits: true },
        checked: { text: text('bond'), fits: false },
        changed: 7,
      },
    ],
    ...{ more: 0, only_other: only, only_checked: only, hashes: 0, files: [] },
  });
  const words = printed.replaceAll(/\n\s*\| /g, '');
  expect(words).toContain(`fits its hash:${text('deposit')}`);
  expect(words).toContain(`does not fit its hash:${text('bond')}`);
  expect(printed).toMatch(/Words only in the other copy:\n {4}\| deposit\n {2}Words only in the checked file:\n {4}\| bond\n/);
});
