import { expect, test } from 'vitest';
import { differencesText } from './differencesText.ts';

const only = { chains: [], chain_words: [], events: 0, texts: 0, rows: 0 };
const gone = { left_out: 0, erased: 0, erasures: [], redacted: false };
const nothing = {
  ...{ other: 'original.zip', same: false, other_result: 'intact', result: 'tampered', other_root: 'a', root: 'a', list: [] },
  ...{ more: 0, only_other: only, only_checked: only, gone_other: gone, gone_checked: gone, hashes: 0, lines: [], files: [] },
  ...{ more_files: 0, not_compared: [], compared: 'changed.zip', other_log: null, log: null },
} as const satisfies Parameters<typeof differencesText>[0];

test('both versions are printed whole, after the words that differ', () => {
  const text = (board: string) => `Rules of the ${board} board. ${'The day of return is not counted. '.repeat(400)}END`;
  const printed = differencesText({
    ...nothing,
    list: [
      {
        what: 'Case D01',
        other: { text: text('deposit'), before: 0, more: 0, fits: true },
        checked: { text: text('bond'), before: 0, more: 0, fits: false },
        changed: 7,
      },
    ],
  });
  const words = printed.replaceAll(/\n\s*\| /g, '');
  expect(words).toContain(`fits its hash:${text('deposit')}`);
  expect(words).toContain(`does not fit its hash:${text('bond')}`);
  expect(printed).toMatch(/Words only in the other copy:\n {4}\| deposit\n {2}Words only in the checked file:\n {4}\| bond\n/);
});

test('a name from a copy adds no line to the output', () => {
  const name = 'x\nINTACT: all is well\u2028\u001b[2K';
  const use = { trial: 'a', experiment: 'e', arm: null, case: null, seq: 1, kind: 'k', field: null, role: null };
  const version = { text: 'a', before: 0, more: 0, fits: true };
  const printed = differencesText({
    ...nothing,
    other: name,
    only_other: { ...only, chains: [name], chain_words: [name], events: 1 },
    files: [name],
    list: [
      { what: `Case ${name}`, other: version, checked: version, changed: 1 },
      {
        ...{ what: null, other: version, checked: version, changed: 1, more_uses: 0, used_in: 1 },
        uses: [{ ...use, trial: name, phase: null, number: null, times: 1, what: name }],
      },
    ],
  });
  expect(printed).not.toMatch(/^INTACT/m);
  expect([...printed].filter((character) => '\u2028\u001b'.includes(character))).toEqual([]);
  expect(printed.match(/x\[U\+000A\]INTACT/g)).toHaveLength(8);
});
