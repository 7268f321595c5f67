import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { still } from './places.ts';

export const themes = ['light', 'dark'] as const;

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A theme changes colours and nothing else. */
const rulesOfColour = ['color-contrast', 'link-in-text-block'];

/**
 * Underlined facts that continue in the next line, whose lines lie over each other by a pixel, long speeches, and the title of the
 * belief timeline next to its button: axe's grid of the page misses a line of some, and finds only the elements around them,
 * which cover nothing.
 */
const missedLines = [
  /^color-contrast\?: <span class="cut">Belief of the .*partially overlaps other elements/,
  /_mention_.*(partially overlaps other elements|overlapped by another element)/,
  /^color-contrast\?: <(?:p class="_speech_|p class="_quiet_|span class="_line_).*overlapped by another element/,
];

/** What axe finds on the page as it is now, as `rule: element`, what it cannot decide as `rule?: element`. */
async function findFaults(page: Page, runOnly: readonly string[]): Promise<string[]> {
  // What floats over the page hides other words from axe, wherever they happen to stand.
  const isThere = await page.evaluate(() => {
    for (const bar of document.querySelectorAll<HTMLElement>('[data-floats]')) bar.style.position = 'static';
    return 'axe' in window;
  });
  if (!isThere) await page.evaluate(axe.source);
  return page.evaluate(
    async (runOnly) => {
      // Half behind the edge of what scrolls an element is no fault, and axe cannot say more of it.
      const isCut = (element: Element): boolean => {
        const { top, bottom } = element.getBoundingClientRect();
        for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) {
          const edge = outer.getBoundingClientRect();
          if (getComputedStyle(outer).overflowY !== 'visible' && (top < edge.top || bottom > edge.bottom)) return true;
        }
        return top < 0 || bottom > innerHeight;
      };
      const { violations, incomplete } = await (window as unknown as { axe: typeof axe }).axe.run(
        // What is in order is most of the page, and would be described as well.
        { runOnly, resultTypes: ['violations', 'incomplete'], selectors: false, elementRef: true },
      );
      return [
        ...violations.map((result) => ({ ...result, sign: '' })),
        ...incomplete.map((result) => ({ ...result, sign: '?' })),
      ].flatMap(({ id, sign, nodes }) =>
        nodes
          .filter(({ element }) => sign === '' || element === undefined || !isCut(element))
          .map(({ html, any }) => `${id}${sign}: ${html.slice(0, 300)} ${any.map(({ message }) => message).join('; ')}`),
      );
    },
    [...runOnly],
  );
}

/**
 * Checks what the page shows now, by all rules in the first theme and by those of colour in the other: nothing is a fault, and
 * nothing is left undecided.
 * @param known faults and undecided ones that were looked at
 */
export async function expectNoFaults(page: Page, screen: string, known: readonly RegExp[] = []): Promise<void> {
  // The frame of the page, with its notices, comes before the code of its screen.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    const find = async () => {
      const found = await findFaults(page, theme === themes[0] ? rules : rulesOfColour);
      return found.filter((fault) => ![...missedLines, ...known].some((pattern) => pattern.test(fault)));
    };
    let open = await find();
    if (open.length > 0) {
      // Of a page that changed meanwhile axe describes elements that are no longer there.
      await Promise.race([still(page), page.waitForTimeout(5000)]);
      open = await find();
    }
    expect.soft(open, `${screen}, ${theme}`).toEqual([]);
  }
}
