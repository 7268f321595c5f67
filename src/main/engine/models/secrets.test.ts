import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutSecret } from './openai.ts';

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

describe('a secret in a text of a server', () => {
  test.each([
    ['as it is', 'sk-1"a\\b', 'no key sk-1"a\\b here', 'no key … here'],
    ['twice', 'sk-1', 'sk-1, sk-1', '…, …'],
    ['escaped for JSON', 'a"b\\c/d', `{"key":"${inJson('a"b\\c/d')}"}`, '{"key":"…"}'],
    [
      'in a JSON text within a JSON text',
      'a"b\\c',
      JSON.stringify({ error: JSON.stringify({ key: 'a"b\\c' }) }),
      /^\{"error":"\{\\"key\\":\\"…\\"\}"\}$/,
    ],
    ['with escapes that JSON allows and does not ask for', 'a/b&c', String.raw`x a\/b\u0026c y`, 'x … y'],
    ['with hexadecimal digits of either case', 'a/b', String.raw`a\u002Fb a\u002fb`, '… …'],
    ['next to backslashes that are not its own', 'sk-1', String.raw`\sk-1\ `, String.raw`\…\ `],
    ['of signs that mean something in a pattern', '.*+?^$()[]{}|', 'key .*+?^$()[]{}| end', 'key … end'],
  ])('%s', (_name, secret, text, expected) => {
    expect(withoutSecret(text, secret)).toMatch(expected);
  });

  test('is not seen in similar text', () => {
    expect(withoutSecret('sk-12 sk_1 SK-1', 'sk-1')).toBe('…2 sk_1 SK-1');
    expect(withoutSecret('axb', 'a.b')).toBe('axb');
    expect(withoutSecret('a b', 'a"b')).toBe('a b');
  });

  test('is gone in any form, escaped up to three times', () => {
    const keys = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), minLength: 4 });
    const words = fc.constantFrom('', 'no key ', '"', ' … ');
    fc.assert(
      fc.property(keys, words, words, fc.integer({ min: 0, max: 3 }), (key, before, after, depth) => {
        let text = `<${before.trim()}> ${key} <${after.trim()}>`;
        for (let level = 0; level < depth; level += 1) text = inJson(text);
        const cleaned = withoutSecret(text, key);
        let written = key;
        for (let level = 0; level < depth; level += 1) written = inJson(written);
        expect(cleaned).not.toContain(` ${written} `);
        expect(cleaned).toContain(' … <');
      }),
    );
  });
});
