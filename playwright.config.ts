import { defineConfig } from '@playwright/test';
import { findChromium } from './e2e/support/chromium.ts';

const executablePath = findChromium();

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/e2e',
  snapshotPathTemplate: 'e2e/pictures/{arg}{ext}',
  globalSetup: './e2e/support/screens.ts',
  // Each file has hosts, stores and ports of its own.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // Limits end what hangs; how quick a machine is, no test tells.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    browserName: 'chromium',
    // Nothing moves, so that no check depends on its moment.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    },
  },
  projects: [
    { name: 'loopback', testDir: 'e2e/loopback' },
    { name: 'preload', testDir: 'e2e/preload' },
    { name: 'electron', testDir: 'e2e/electron' },
  ],
});
