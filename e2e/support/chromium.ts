import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from '@playwright/test';

/** The one without windows first: the same engine, for a third less processor time. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Chromium of the system: CHROMIUM_PATH, or the first of the usual names on PATH. Playwright's own is not fetched. */
export function findChromium({ CHROMIUM_PATH, PATH = '' }: NodeJS.ProcessEnv = process.env): string | undefined {
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** Skips the tests of a file, with the reason, where there is no Chromium. */
export function needsChromium(): void {
  // biome-ignore lint/suspicious/noSkippedTests: the suite passes on a machine without a browser
  test.skip(findChromium() === undefined, 'There is no Chromium here: install chromium, or name one in CHROMIUM_PATH.');
}
