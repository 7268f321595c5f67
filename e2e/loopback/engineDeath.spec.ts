import { expect } from '@playwright/test';
import { z } from 'zod';
import { trialLineSchema } from '../../src/shared/trialLine.ts';
import { needsChromium } from '../support/chromium.ts';
import { endings, enter, goTo, openScreen, test } from './support/app.ts';
import { slowDemo } from './support/demoModels.ts';
import { connectToEngine } from './support/engineApi.ts';
import { startHost } from './support/host.ts';
import { courtArm, until } from './support/record.ts';

needsChromium();

const atEnd = endings();

const concurrency = 2;
const cases = 3;
const eventLine = z.object({ kind: z.string() });

const linesOf = <T>(text: string, schema: z.ZodType<T>): T[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => schema.parse(JSON.parse(line)));

test('an engine that is killed in mid-run comes back and continues its run; when the program ends, the page says what to do', {
  tag: '@exhaustive',
}, async ({ page, context }) => {
  const ollama = await slowDemo();
  atEnd(ollama.close);
  const host = await startHost({}, ollama.url);
  atEnd(host.stop);
  const engine = await connectToEngine(host);
  atEnd(async () => engine.close());
  await engine.api.settings.change({ concurrency });
  const { experiment } = await engine.api.experiments.start({
    entry: 'deposits',
    sample: { n: cases },
    backend: 'ollama',
    arms: [courtArm],
  });
  await enter(page, host);
  await goTo(page, host, `/experiments/${encodeURIComponent(experiment)}`);
  await expect(page.getByText(/· \d running now/)).toBeVisible();
  const watched = (await engine.api.experiments.trials({ experiment })).lines[0]?.trial ?? '';
  const trialPage = await openScreen(context, host, `/trials/${watched}`);
  await until('a dozen calls are made', async () => ollama.requests().length >= 12);

  const before = host.enginePid();
  const notices = [page, trialPage].map(async (each) => {
    await each.getByText('The engine is starting again.').waitFor();
    await each.getByText(/The engine stopped and was started again\. Nothing was lost, and the run continues\./).waitFor();
  });
  process.kill(before, 'SIGKILL');
  await Promise.all(notices);
  expect(host.enginePid()).not.toBe(before);
  await expect(page.getByText(`${cases} of ${cases} trials done · ${cases} decided`)).toBeVisible();

  // Of a long transcript only what is in view is in the page.
  await trialPage.setViewportSize({ width: 1440, height: 6000 });
  const rows = trialPage.getByRole('feed').getByRole('article');
  const next = await connectToEngine(host);
  atEnd(async () => next.close());
  const { entries } = await next.api.trials.read({ trial: watched });
  const spoken = entries.filter(({ kind }) => kind === 'utterance' || kind === 'ruling').length;
  expect(spoken).toBe(7);
  await expect(rows).toHaveCount(spoken);
  const names = await rows.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
  expect(new Set(names).size).toBe(spoken);

  const trials = linesOf(
    await host.assize(['export', experiment, '--store', host.store, '--format', 'trials-jsonl', '--out', '-']),
    trialLineSchema,
  );
  expect(trials.map(({ outcome }) => outcome)).toEqual(Array(cases).fill('decided'));
  expect(new Set(trials.map(({ case: id }) => id)).size).toBe(cases);
  await host.assize(['verify', host.store]);
  await host.assize(['replay', host.store]);

  const events = linesOf(
    await host.assize(['export', experiment, '--store', host.store, '--format', 'events-jsonl', '--out', '-']),
    eventLine,
  );
  const recorded = events.filter(({ kind }) => kind === 'call-answer').length;
  expect(recorded).toBe(cases * 13);
  const asked = ollama.requests().map(({ bodySha256 }) => bodySha256);
  expect(new Set(asked).size).toBe(recorded);
  // Asked again at most: the calls that the engine's end cut, one for each that could be under way.
  expect(asked.length - recorded).toBeLessThanOrEqual(concurrency);

  await goTo(page, host, '/datasets');
  await expect(page.getByRole('article').first()).toBeVisible();
  await host.stop();
  await expect(page.getByText('The program does not answer. If it was ended, start it again.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try now' })).toBeVisible();
});
