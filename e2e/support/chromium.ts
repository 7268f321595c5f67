import { test } from '@playwright/test';
import { findChromium as findInstalled } from '../../src/main/engine/pdf/chromium.ts';

/** Chromium of the system: CHROMIUM_PATH, or the one that prints reports. Playwright's own is not fetched. */
export const findChromium = (): string | undefined => process.env.CHROMIUM_PATH || findInstalled();

/** Skips the tests of a file, with the reason, where there is no Chromium. */
export function needsChromium(): void {
  // biome-ignore lint/suspicious/noSkippedTests: the suite passes on a machine without a browser
  test.skip(findChromium() === undefined, 'There is no Chromium here: install chromium, or name one in CHROMIUM_PATH.');
}
