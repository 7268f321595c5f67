import { expect, test } from 'vitest';
import { textsIn } from './textsIn.ts';

const layout = '=== user ===\n\n{{facts}}\n\n{{task}}';
const texts = { task: 'Decide: {{label}} or not.', other: 'Decide now.', shape: '{"prediction": {{{verdict}}}}' };
const templates = Object.entries({ ...texts, 'prompt:asked': layout, 'prompt:unasked': layout }).map(([name, text]) => ({
  name,
  text,
}));
const shipped = {
  asked: { messages: [], texts: { task: '' } },
  unasked: { messages: [], texts: { other: '' } },
};
const found = (...messages: string[]) => [...textsIn(messages, templates, shipped)];

test('a text is found by its words in order, whatever fills it, and a layout by the texts of its prompt', () => {
  expect(found('Facts.\n\nDecide: "a {{b}}" or not.')).toEqual(['task', 'prompt:asked']);
  expect(found('or not. Decide: ')).toEqual([]);
  expect(found('Decide now.', '{"prediction": {1}}')).toEqual(['other', 'shape', 'prompt:unasked']);
});
