import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import type { DraftInput } from '../../../src/shared/api/experiments.ts';
import { connectToEngine, type EngineConnection } from './engineApi.ts';
import type { RunningHost } from './host.ts';
import { hiddenCharacters, injected, unfoldAll, unisolated } from './inspection.ts';
import { visit } from './places.ts';
import { runToItsEnd } from './record.ts';

/** Trials that the demo model has held in some arms, under the name of their cases and that of the arm. */
export function heldTrials(host: () => RunningHost, arms: DraftInput['arms']) {
  const trials = new Map<string, string>();
  return {
    /** Tries cases in every arm. @param isWanted whether a case shows what the trials are for; the first one without it */
    async hold(
      name: string,
      add: (engine: EngineConnection) => Promise<string>,
      n: number,
      isWanted: (id: string) => boolean = () => false,
    ) {
      using engine = await connectToEngine(host());
      const entry = await add(engine);
      const { lines } = await runToItsEnd(engine.api, { sample: { n }, backend: 'standin', name, entry, arms });
      for (const { arm, trial, outcome, case: id } of lines) {
        const key = `${name} ${arm}`;
        if (outcome === 'decided' && (isWanted(id) || !trials.has(key))) trials.set(key, trial);
      }
    },
    async open(page: Page, name: string) {
      const trial = trials.get(name);
      if (trial === undefined) throw new Error(`there is no decided trial of ${name}`);
      await visit(page, host(), { name, route: `/trials/${trial}` });
      await expect(page.getByRole('tablist')).toBeVisible();
    },
  };
}

/** Nothing of what cases and models say runs, hides or reorders what is next to it, with all folds open. */
export async function expectOnlyTexts(page: Page, name: string) {
  await unfoldAll(page);
  expect.soft(await injected(page), name).toEqual([]);
  expect.soft(await hiddenCharacters(page), name).toEqual([]);
  expect.soft(await unisolated(page), name).toEqual([]);
}

/** Nothing reaches beyond a window of 360 pixels, with all folds open. */
export async function expectToFit(page: Page, name: string) {
  await unfoldAll(page);
  const panel = await page.getByRole('tabpanel').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  const whole = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect.soft([panel, whole], name).toEqual([0, 0]);
}

/** The report of the trial that is shown, in a page for itself. */
export async function savedReport(page: Page): Promise<Page> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Trial report' }).click();
  await page.getByRole('menuitem', { name: 'HTML' }).click();
  const reader = await page.context().newPage();
  await reader.setContent(readFileSync(await (await download).path(), 'utf8'));
  return reader;
}

/** Words, however their lines are broken. */
export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
