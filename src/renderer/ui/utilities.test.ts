import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const renderer = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(renderer, path), 'utf8');

/** Classes that a part names as a text, which no compiler looks up. */
function namedClasses(source: string): string[] {
  const texts = source.matchAll(/className=(?:"([^"]*)"|\{([^\n]*?)\}(?=[\s>]))/g);
  return [...texts].flatMap(([, plain, computed]) => {
    if (plain !== undefined) return plain.split(' ');
    // What is compared with, or is a key, is no class.
    const parts = (computed ?? '').matchAll(/(=== |\[)?'([^']*)'|`([^`]*)`/g);
    return [...parts].flatMap(([, other, quoted, template]) =>
      other === undefined ? (quoted ?? (template ?? '').replace(/\$\{[^}]*\}/g, ' ')).split(' ') : [],
    );
  });
}

test('a part names only classes that there are, and there are none that no part names', () => {
  const defined = (path: string) => [...read(path).matchAll(/^\s*\.([\w-]+)/gm)].map(([, name]) => name ?? '');
  const files = readdirSync(renderer, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tsx'));
  const named = new Set(files.flatMap((path) => namedClasses(read(path))).filter((name) => name !== ''));
  const utilities = [...defined('ui/utilities.css'), ...defined('ui/parts.css')];
  expect(named.difference(new Set([...utilities, ...defined('ui/base.css')]))).toEqual(new Set());
  expect(new Set(utilities).difference(named)).toEqual(new Set());
});

test('sizes of letters on the screen come from the theme, and none of them is unused', () => {
  const files = readdirSync(renderer, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.css'));
  const sizes = files.flatMap((path) =>
    [...read(path).matchAll(/^\s*font(?:-size)?:\s*(?:\d{3} )?([^\s;]+)/gm)].map(([, size = '']) => ({ path, size })),
  );
  const steps = new Set([...read('ui/base.css').matchAll(/^\s*(--size-\w+):/gm)].map(([, name]) => `var(${name})`));
  // Margins of paper know no theme.
  expect(sizes.filter(({ size }) => !['inherit', '8pt'].includes(size) && !steps.has(size))).toEqual([]);
  expect(steps.difference(new Set(sizes.map(({ size }) => size)))).toEqual(new Set());
});
