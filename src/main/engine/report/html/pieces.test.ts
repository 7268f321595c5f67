import { expect, test } from 'vitest';
import { table } from '../../../../core/telling/cells.ts';
import { html } from './markup.ts';
import { piecesOf } from './pieces.ts';

const wide = '0.500 [0.100, 0.900] of 1,000';
const rates = ['one', 'two', 'three', 'four', 'five', 'six'];

function tablesIn(head: readonly string[], rows: readonly (readonly string[])[]): string[][] {
  const { source } = html`${piecesOf([table(head, rows)])}`;
  return source
    .split('<table')
    .slice(1)
    .map((each) => [...each.matchAll(/<th scope="col"[^>]*>([^<]*)/g)].map(([, title = '']) => title));
}

test('each part of a wide table has every column that names a row, and every other column is in one part', () => {
  const rows = ['A', 'B'].map((group) => ['scoring', `group ${group}`, ...rates.map(() => wide)]);
  expect(tablesIn(['arm', 'group', ...rates], rows)).toEqual([
    ['arm', 'group', 'one', 'two', 'three'],
    ['arm', 'group', 'four', 'five', 'six'],
  ]);
  expect(tablesIn(['who', 'answer', 'reason'], [['Ada', 'YES', 'because']])).toEqual([['who', 'answer', 'reason']]);
});
