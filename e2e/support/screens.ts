import { freshen } from '../../build/fresh.ts';
import { commandLine, program } from '../../build/products.ts';
import { findChromium } from './chromium.ts';

/** Before all tests: builds the page and its host where they are missing or older than its sources. */
export default async function buildScreens(): Promise<void> {
  if (findChromium() !== undefined) await freshen([program, commandLine]);
}
