import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { showTheme, type Theme, themes } from './figures.ts';

export const standards: readonly string[] = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const rules = [...standards, 'best-practice'];

/** A theme changes colours and nothing else. */
const rulesOfColour = ['color-contrast', 'link-in-text-block'];

/**
 * Underlined facts that go on in the next line, whose lines lie over each other by a pixel, and long speeches: axe's grid
 * of the page misses a line of some, and finds only the elements around them, which cover nothing.
 */
export const missedLines = [
  /_mention_.*partially overlaps other elements/,
  /^color-contrast: <p class="_speech_.*overlapped by another element/,
];

/** What axe finds on the page as it is now: by all rules in the first theme, by those of colour in the other. */
export async function findFaults(page: Page, theme: Theme) {
  // What floats over the page hides other words from axe, wherever they happen to stand.
  await page.evaluate(() => {
    for (const bar of document.querySelectorAll<HTMLElement>('[data-floats]')) bar.style.position = 'static';
  });
  // Without it axe opens a further page for each analysis, for frames that there are none of.
  const builder = new AxeBuilder({ page }).setLegacyMode();
  return theme === themes[0] ? builder.withTags(rules).analyze() : builder.withRules(rulesOfColour).analyze();
}

/**
 * Checks what the page shows now against all rules, in both themes: nothing is a fault, and nothing is left undecided.
 * @param known faults and undecided ones that were looked at, as `rule: element`
 */
export async function expectNoFaults(page: Page, screen: string, known: readonly RegExp[] = []): Promise<void> {
  for (const theme of themes) {
    await showTheme(page, theme);
    const { violations, incomplete } = await findFaults(page, theme);
    const found = [...violations, ...incomplete].flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html.slice(0, 300)} ${any.map(({ message }) => message).join('; ')}`),
    );
    const open = found.filter((fault) => !known.some((pattern) => pattern.test(fault)));
    expect.soft(open, `${screen}, ${theme}`).toEqual([]);
  }
}
