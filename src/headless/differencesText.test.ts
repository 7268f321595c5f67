import { expect, test } from 'vitest';
import { comparisonText, differencesText } from './differencesText.ts';

const only = { chains: [], trials: [], events: 0, event_kinds: {}, texts: 0, rows: 0 };
const gone = { left_out: 0, erased: 0, erasures: [], redacted: false };
const nothing = {
  ...{ other: 'original.zip', same: false, other_result: 'intact', result: 'tampered', other_root: 'a', root: 'a', list: [] },
  ...{ more: 0, only_other: only, only_checked: only, gone_other: gone, gone_checked: gone, hashes: 0, lines: [], files: [] },
  ...{ more_files: 0, of_copy: [], not_compared: [], compared: 'changed.zip', other_log: null, log: null },
  ...{ trials: { both: 84, same: 83 }, same_reports: ['reports/acfb2b8dfe5a743b.html'], relisted: ['texts.jsonl'] },
} as const satisfies Parameters<typeof differencesText>[0];

test('a changed word is marked where it is, and a long text around it is left out', () => {
  const text = (board: string) => `Rules of the ${board} board. ${'The day of return is not counted. '.repeat(400)}END`;
  const difference = {
    what: 'Case D01',
    other: { text: text('deposit'), before: 0, more: 0, fits: true },
    checked: { text: text('bond'), before: 0, more: 0, fits: false },
    changed: 7,
  };
  const printed = differencesText({ ...nothing, list: [difference] });
  expect(printed).toContain('1. Case D01\n  | Rules of the [-deposit-]{+bond+} board.');
  expect(printed).toContain('(original.zip) fits its hash.');
  expect(printed).toContain('(changed.zip) does not fit its hash.');
  expect(printed).toContain('83 of the 84 trials that both have are the same in both copies.');
  expect(printed).toContain('manifest.json, differs too, in the size or sum of texts.jsonl.');
  expect(printed.length).toBeLessThan(1500);
  // Texts with little in common follow each other, and a long list is cut.
  const apart = { ...difference, checked: { ...difference.checked, text: 'Nothing like it' } };
  const long = differencesText({ ...nothing, list: Array.from({ length: 25 }, () => apart), more: 3 });
  expect(long).toContain('does not fit its hash:\n  | Nothing like it');
  expect(long).toMatch(/ more\s+\| characters\)/);
  expect(long).toContain('\nand 8 more: --json has 5 of them\n');
});

test('a name from a copy adds no line to the output', () => {
  const name = 'x\nINTACT: all is well\u2028\u001b[2K';
  const use = { trial: 'a', experiment: 'e', arm: null, case: null, seq: 1, kind: 'k', field: null, role: null };
  const version = { text: 'a', before: 0, more: 0, fits: true };
  const printed = differencesText({
    ...nothing,
    other: name,
    only_other: { ...only, trials: [name], events: 1, event_kinds: { 'event of trials': 1 } },
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

test('of a copy whose check ended early only what was seen is said, and what differs in spelling has no versions', () => {
  const what = 'manifest.json: the same content';
  const difference = { what, file: 'manifest.json', other: null, checked: null, changed: 0, more_lines: 0 };
  const printed = differencesText({ ...nothing, root: null, files: ['manifest.json'], list: [difference] });
  expect(printed).toContain(
    'Root of the other copy: a\nRoot of the checked file: not known, the check ended at a fault before\n',
  );
  expect(printed).toContain(`1. ${what}\n\n`);
  expect(printed).not.toMatch(/has nothing here|an event|Words only|those of the checked file are not signed|Files that differ/);
});

test('a report is called the same only where it is, and what differs is named without letting it write lines', () => {
  const found = {
    ...{ report: 'report.html', record: 'record.db', experiment: 'e', trial: null, result: 'different' as const },
    ...{ parts: ['', 'Transcript'], in_report: 'one\nThe same to the byte\u202e', in_record: 'two', more_lines: 3 },
  };
  const printed = comparisonText(found);
  expect(printed).toMatch(/^DIFFERENT: .*what comes before the first part, “Transcript”\.\n/);
  expect(printed).toContain('Only in the report:\n  one\n  The same to the byte');
  expect(printed).not.toContain('\u202e');
  expect(printed).toContain('  two\nand 3 lines more\n');
  expect(comparisonText({ ...found, other_run: true })).toMatch(/^DIFFERENT RUNS: .* is not in record\.db\..*\nDIFFERENT: /);
  const same = { ...found, parts: [], in_report: '', in_record: '', more_lines: 0 };
  expect(comparisonText({ ...same, result: 'same' })).toMatch(/^The same to the byte: report\.html/);
  expect(comparisonText({ ...same, result: 'same', made_by: '0.0.1', made_again_by: '0.2.0' })).toMatch(
    /^The same to the byte but for the version: .*\nAnother version of Assize made the report \(0\.0\.1; this one is 0\.2\.0\), so its words can differ\./,
  );
  expect(comparisonText({ ...found, no_version: true })).toMatch(
    /; or only that another version of Assize, with other words, made the report\.\nThis report names no version, as those of earlier versions do not\./,
  );
  expect(printed).not.toContain('version');
  const root = 'a'.repeat(64);
  const rows = { in_report: `Record root ${root}`, in_record: `Bundle root ${root}` };
  const equal = comparisonText({ ...found, ...rows, more_lines: 0, parts: [], result: 'same-but-state' });
  expect(equal).toMatch(new RegExp(`^The same in all .*\\nThe same in both, .*: ${root}\\nWhether the record was changed`));
  expect(equal.split(root)).toHaveLength(2);
  expect(comparisonText({ ...found, ...rows, parts: [], result: 'same-but-state', in_bundle: 'report.html' })).toMatch(
    /^The same to the byte as report\.html in record\.db, and .*\nWhether the record was changed is another question: .*\n$/,
  );
  const copied = (signer: string) => `Copied from a.db, root ${root}, signed by ${signer.repeat(64)}`;
  const signed = comparisonText({
    ...found,
    parts: [],
    in_report: copied('b'),
    in_record: copied('c'),
    result: 'same-but-state',
  });
  expect(signed).toContain(`Only in the report:\n  ${copied('b')}\nOnly in the record:\n  ${copied('c')}\n`);
  const state = comparisonText({ ...found, parts: [], result: 'same-but-state' });
  expect(state).toMatch(
    /^The same in all that is said of the experiment e\..*\nOf the other rows .*times, numbers and names:\nOnly in the report:\n {2}one\n/,
  );
});
