import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportName } from './exportName.ts';

describe('the name of an export', () => {
  test.each([
    ['NLSY97, court, 20 cases', null, 'csv', 'NLSY97, court, 20 cases.csv'],
    ['court', 'D07', 'html', 'court-D07.html'],
    ['Prüfung 東京', null, 'jsonl', 'Prüfung 東京.jsonl'],
    ['a/b\\c:d*e?f"g<h>i|j', null, 'csv', 'a-b-c-d-e-f-g-h-i-j.csv'],
    ['../../etc/passwd', null, 'csv', 'etc-passwd.csv'],
    ['..', '..', 'csv', 'experiment.csv'],
    ['', null, 'csv', 'experiment.csv'],
    ['.hidden', null, 'csv', 'hidden.csv'],
    ['-rf', null, 'csv', 'rf.csv'],
    ['ends. . .', null, 'csv', 'ends.csv'],
    ['line\nbreak\ttab\0nul\u007f', null, 'csv', 'line-break-tab-nul.csv'],
    ['txt.\u202excod', null, 'csv', 'txt.-xcod.csv'],
    ['\u2066\u200bhidden\u2069\ufeff', null, 'csv', 'hidden.csv'],
    ['lone \ud800 half', null, 'csv', 'lone \ufffd half.csv'],
    ['CON', null, 'csv', '_CON.csv'],
    ['nul.x', null, 'csv', '_nul.x.csv'],
    ['Com7', null, 'jsonl', '_Com7.jsonl'],
    ['LPT\u00b9', null, 'csv', '_LPT\u00b9.csv'],
    ['CONOUT$', null, 'csv', '_CONOUT$.csv'],
    ['com77', null, 'csv', 'com77.csv'],
    ['console', null, 'csv', 'console.csv'],
    ['con', 'D01', 'csv', 'con-D01.csv'],
  ])('of %j and case %j', (experiment, kase, extension, expected) => {
    expect(exportName(experiment, kase, extension)).toBe(expected);
  });

  test('of 300 characters is cut between characters as a reader counts them', () => {
    expect(exportName('x'.repeat(300), 'y'.repeat(300), 'csv')).toBe(`${'x'.repeat(110)}-${'y'.repeat(60)}.csv`);
    const family = '👩‍👩‍👧';
    // 25 bytes with its joiners, which are invisible and go: three people of 4 bytes, two dashes.
    expect(exportName(family, null, 'csv')).toBe('👩-👩-👧.csv');
    const flag = '🇩🇪';
    expect(exportName(flag.repeat(300), null, 'csv')).toBe(`${flag.repeat(13)}.csv`);
  });

  test('is a name that every file system takes, whatever comes in', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: fc.constantFrom('/', '\\', '.', ' ', '-', ':', '\0', '\u202e', 'a', 'con', 'é', '👩'), maxLength: 300 }),
    );
    fc.assert(
      fc.property(text, fc.option(text), (experiment, kase) => {
        const name = exportName(experiment, kase, 'events.jsonl');
        expect(name).toMatch(/\.events\.jsonl$/);
        expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(name.isWellFormed()).toBe(true);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
        const stem = name.slice(0, -'.events.jsonl'.length);
        expect(stem).not.toMatch(/^[\s.-]|[\s.]$/u);
        expect(stem).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        expect(stem).not.toBe('');
      }),
    );
  });
});
