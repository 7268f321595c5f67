import { freshen } from '../../build/fresh.ts';
import { program } from '../../build/products.ts';
import { findChromium } from './chromium.ts';

/** Before all tests: builds the page where it is missing or older than its sources. */
export default async function buildScreens(): Promise<void> {
  if (findChromium() !== undefined) await freshen([program]);
}
