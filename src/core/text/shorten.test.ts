import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortened } from './shorten.ts';

test('a text within the limit stays as it is, spaces included', () => {
  const text = '  One  two.\nThree ';
  expect(shortened(text, 3)).toEqual({ text, words: 3, kept: 3 });
});

test.each([
  ['One two. Three four. Five six.', 5, 'One two. Three four.', 4],
  ['One two. Three four. Five six.', 4, 'One two. Three four.', 4],
  ['He said: "Go!" Then he went away.', 4, 'He said: "Go!"', 3],
  ['Is it 3.5 or 4? Nobody can say for sure.', 7, 'Is it 3.5 or 4?', 5],
  ['one two three four five', 3, 'one two three', 3],
  ['A long first sentence that never ends. Then more.', 4, 'A long first sentence', 4],
  ['はい。 そう です ね', 2, 'はい。', 1],
])('%j in %i words: %j', (text, most, expected, kept) => {
  expect(shortened(text, most)).toEqual({ text: expected, words: text.split(/\s+/).length, kept });
});

test.each([
  ['被告人无罪。证据不足。应当释放。', 6, '被告人无罪。证据不足。', 7, 5],
  ['彼は「無罪だ！」と言った。だから', 4, '彼は「無罪だ！」', 7, 3],
  ['จำเลยไม่มีความผิดเพราะไม่มีหลักฐาน', 2, 'จำเลยไม่มี', 7, 2],
])('%j in %i words, where no spaces part them: %j', (text, most, expected, words, kept) => {
  expect(shortened(text, most)).toEqual({ text: expected, words, kept });
});

test('never longer than the limit, and always a beginning of the text', () => {
  const texts = fc
    .array(fc.constantFrom('a', 'b.', 'c!', '"d?"', '\n', ' ', 'e…'), { maxLength: 60 })
    .map((parts) => parts.join(' '));
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, most) => {
      const cut = shortened(text, most);
      expect(text.startsWith(cut.text)).toBe(true);
      expect(cut.kept).toBe(cut.text.match(/\S+/g)?.length ?? 0);
      expect(cut.kept).toBeLessThanOrEqual(Math.min(most, cut.words));
      expect(cut.words > 0 && cut.kept === 0).toBe(false);
    }),
  );
});
