import { describe, expect, it } from 'vitest';
import { isPlain, matchKeys, takesKeys } from './shortcutKeys.ts';

const datasets = { keys: ['g', 'd'], does: 'Data sets' };
const help = { keys: ['?'], does: 'Help' };

describe('shortcuts', () => {
  it('match whole sequences, wait inside one, and drop the rest', () => {
    expect(matchKeys(['?'], [datasets, help])).toBe(help);
    expect(matchKeys(['g'], [datasets, help])).toBe('started');
    expect(matchKeys(['g', 'd'], [datasets, help])).toBe(datasets);
    expect(matchKeys(['g', 'x'], [datasets, help])).toBeNull();
    expect(matchKeys(['d'], [datasets, help])).toBeNull();
  });

  it('leave keys with Ctrl, Alt or ⌘ alone', () => {
    const none = { key: 'g', ctrlKey: false, metaKey: false, altKey: false };
    expect(isPlain(none)).toBe(true);
    for (const held of ['ctrlKey', 'metaKey', 'altKey'] as const) expect(isPlain({ ...none, [held]: true })).toBe(false);
  });

  it.each([
    [{ tagName: 'TEXTAREA' }, true],
    [{ tagName: 'INPUT', type: 'text' }, true],
    [{ tagName: 'INPUT', type: 'search' }, true],
    [{ tagName: 'INPUT', type: 'checkbox' }, false],
    [{ tagName: 'DIV', isContentEditable: true }, true],
    [{ tagName: 'DIV', role: 'option' }, true],
    [{ tagName: 'BUTTON' }, false],
    [{ tagName: 'BODY' }, false],
  ])('know whether %j takes keys itself', (element, expected) => expect(takesKeys(element)).toBe(expected));
});
