// Draws every figure from the sample experiments into docs/figures.md.
import { drawGallery, writeGallery } from './gallery.ts';

const gallery = await drawGallery();
writeGallery(gallery);
console.log(`${gallery.pictures.size} pictures are in docs/figures.`);
