import type { Page } from '@playwright/test';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Shows a theme, with nothing moving, so that a picture or a check does not depend on its moment. */
export async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
}

/** Opens every topic of the figures that is folded. */
export async function openTopics(page: Page): Promise<void> {
  await page.locator('[data-topic]').first().waitFor();
  const folded = page.locator('[data-topic] h2 button[aria-expanded="false"]');
  while ((await folded.count()) > 0) await folded.first().press('Enter');
}
