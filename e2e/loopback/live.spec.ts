import { expect } from '@playwright/test';
import { startDemoServer } from '../../src/main/engine/models/demo/demoServer.ts';
import { needsChromium } from '../support/chromium.ts';
import { endings, enter, goTo, test } from './support/app.ts';
import { connectToEngine } from './support/engineApi.ts';
import { startHost } from './support/host.ts';
import { courtArm } from './support/record.ts';

needsChromium();

const atEnd = endings();
const cases = 6;

/** Slow enough to watch, and every fifth answer is no JSON. */
const watched = () =>
  startDemoServer({
    profile: {
      base: 'workstation+malformed:0.2',
      machine: { promptRate: 20_000, decodeRate: 500, slots: 8, loadRate: 2 ** 40 },
    },
  });

test('the trials of a run are watched side by side, word by word, and plans stay sealed', async ({ page }) => {
  const ollama = await watched();
  atEnd(ollama.close);
  const host = await startHost({}, ollama.url);
  atEnd(host.stop);
  const engine = await connectToEngine(host);
  atEnd(async () => engine.close());
  await engine.api.settings.change({ concurrency: 3 });
  await enter(page, host);
  // The wall is open before the first trial begins, so that it sees the end of each.
  await goTo(page, host, '/live');
  await expect(page.getByText('No trials are running')).toBeVisible();
  const { experiment } = await engine.api.experiments.start({
    ...{ entry: 'deposits', sample: { n: cases }, backend: 'ollama', arms: [courtArm] },
  });
  const wall = page.getByRole('list', { name: 'Running trials' });
  await expect(wall.getByRole('listitem')).toHaveCount(3);
  await expect(page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Live' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expect(wall.getByText('is speaking').first()).toBeVisible();
  await expect(wall.getByText('asked again after “unreadable answer”').first()).toBeVisible();

  // Everything that was in the page while the trials ran.
  const seen = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const texts = new Set<string>();
        const timer = setInterval(() => {
          for (const item of document.querySelectorAll('main li, main p')) texts.add(item.textContent ?? '');
          if (!document.body.textContent?.includes('No trials are running')) return;
          clearInterval(timer);
          resolve([...texts].join('\n'));
        }, 30);
      }),
  );
  await wall
    .getByRole('link', { name: /^Case / })
    .first()
    .hover();
  await expect(page.getByText('No trials are running')).toBeVisible({ timeout: 120_000 });
  const ended = page.getByRole('region', { name: 'Ended while you watched' }).getByRole('listitem');
  await expect(ended).toHaveCount(cases);

  const shown = await seen;
  const { lines } = await engine.api.experiments.trials({ experiment });
  const views = await Promise.all(lines.map(({ trial }) => engine.api.trials.read({ trial })));
  const spoken = views.flatMap(({ entries }) => entries.flatMap((entry) => (entry.kind === 'utterance' ? [entry] : [])));
  expect(spoken).toHaveLength(cases * 6);
  // Of each speech the first words were seen; of no plan any.
  const begins = (text: string | null) => (text ?? '').slice(0, 24);
  expect(spoken.filter(({ text }) => shown.includes(begins(text))).length).toBeGreaterThan(spoken.length / 2);
  const plans = spoken.flatMap(({ plan }) =>
    (plan ?? '')
      .split('\n')
      .map((part) => part.slice(0, 60))
      .filter((part) => part.length > 30),
  );
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.filter((plan) => shown.includes(plan))).toEqual([]);

  await ended.first().getByRole('link').click();
  await expect(page.getByRole('heading', { name: /^Case / })).toBeVisible();
});
