// Draws every figure from the sample experiments into docs/figures.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawGallery, recordSamples, writeGallery } from './gallery.ts';
import { openRecorded } from './recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'assize-gallery-'));
try {
  const path = join(folder, 'store.db');
  const names = await recordSamples(path, folder);
  const store = openRecorded(path);
  const gallery = await drawGallery(await Promise.all(names.map((name) => store.sources(name))));
  await store.close();
  writeGallery(gallery);
  console.log(`${gallery.pictures.size} pictures are in docs/figures.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
