import type { Page } from '@playwright/test';

/** Opens every topic of the figures that is folded. */
export async function openTopics(page: Page): Promise<void> {
  await page.locator('[data-topic]').first().waitFor();
  const folded = page.locator('[data-topic] h2 button[aria-expanded="false"]');
  while ((await folded.count()) > 0) await folded.first().press('Enter');
}
