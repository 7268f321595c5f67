import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cards } from '../../src/renderer/charts/figures.ts';
import { drawGallery, galleryFolder, galleryPage } from './gallery.ts';

test('the gallery is what is drawn now: run `npm run figures` where it is not', { timeout: 300_000 }, async () => {
  const { page, pictures } = await drawGallery();
  expect(readFileSync(galleryPage, 'utf8')).toBe(page);
  const kept = existsSync(galleryFolder) ? readdirSync(galleryFolder).toSorted() : [];
  expect(kept).toEqual([...pictures.keys()].toSorted());
  for (const [name, svg] of pictures) expect(readFileSync(join(galleryFolder, name), 'utf8') === svg, name).toBe(true);
  for (const id of cards.flatMap(({ ids }) => ids)) expect(page).toContain(`\`${id}\``);
});
