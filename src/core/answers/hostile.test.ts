import { expect, test } from 'vitest';
import { z } from 'zod';
import { readAsPaper } from './paper.ts';
import { readAnswer } from './read.ts';

const labels = Array.from({ length: 41 }, (_, index) => `label ${index}`);
const spec = {
  name: 'verdict',
  schema: z.object({ reason: z.string().min(1).max(80), prediction: z.enum(labels) }),
  labelFields: ['prediction'],
  labels,
};

/** Nearly as long as an answer may be. */
function filled(piece: (index: number) => string): string {
  const pieces: string[] = [];
  for (let length = 0; length < 199_000; length += pieces.at(-1)?.length ?? 1) pieces.push(piece(pieces.length));
  return pieces.join('');
}

test.each([
  ['fences that open', filled((index) => `\`\`\`a${index}{`)],
  ['fences and ends of thinking', filled((index) => `</think>\`\`\`a${index}{`)],
  ['ends of thinking', filled(() => '</think>')],
  ['blocks of thinking', filled(() => '<think></think>')],
  ['ends of other thinking', `<think>${filled(() => '</reason>')}`],
  ['objects that begin', `${filled(() => '{ "\\"')}</think>`],
  ['brackets', filled(() => '[')],
  ['blanks in a fence', `\`\`\`${filled(() => ' ')}`],
  ['keys that were not asked for', `{${filled((index) => `"k${index}":"v",`)}"reason":"r"}`],
  ['fields without values', filled(() => 'prediction"')],
  ['a text far too long', `{"reason":"${'a'.repeat(10_000_000)}"}`],
])('a hostile answer is refused: %s', (_name, raw) => {
  for (const read of [readAnswer, readAsPaper]) expect(read(spec, raw)).toMatchObject({ ok: false, kind: 'malformed' });
});
