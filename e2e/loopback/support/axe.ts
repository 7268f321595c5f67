import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { showTheme, themes } from './figures.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Checks what the page shows now against all rules, in both themes: nothing is a fault, and nothing is left undecided.
 * @param known faults and undecided ones that were looked at, as `rule: element`
 */
export async function expectNoFaults(page: Page, screen: string, known: readonly RegExp[] = []): Promise<void> {
  for (const theme of themes) {
    await showTheme(page, theme);
    const { violations, incomplete } = await new AxeBuilder({ page }).withTags(rules).analyze();
    const found = [...violations, ...incomplete].flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html.slice(0, 300)} ${any.map(({ message }) => message).join('; ')}`),
    );
    const open = found.filter((fault) => !known.some((pattern) => pattern.test(fault)));
    expect.soft(open, `${screen}, ${theme}`).toEqual([]);
  }
}
