import { expect } from '@playwright/test';
import { startDemoServer } from '../../src/main/engine/models/demo/demoServer.ts';
import { needsChromium } from '../support/chromium.ts';
import { endings, enter, goTo, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { startHost } from './support/host.ts';

needsChromium();

const onEnd = endings();

test('the models of a paper become arms with several values of a parameter, all but one, by keyboard', async ({ page }) => {
  const server = await startDemoServer({ models: ['llama3.1:8b', 'qwen2.5:7b'], anyModel: false });
  onEnd(() => server.close());
  const host = await startHost({ ASSIZE_STANDIN_PROFILE: 'instant' }, server.url);
  onEnd(() => host.stop());
  await enter(page, host);
  await goTo(page, host, '/new/nlsy97');
  await page.getByRole('button', { name: 'Models × protocols' }).press('Enter');
  const dialog = page.getByRole('dialog');
  const tick = (name: string | RegExp) => dialog.getByRole('checkbox', { name, exact: true }).press('Space');
  await tick('StandardLLM');
  await tick('AgenticSimLLM');
  await dialog.getByRole('button', { name: /^Parameters of StandardLLM/ }).press('Enter');
  await tick(/^system1: /);
  await tick(/^cot-4-step: /);
  await expect(dialog.getByText('1 with several values')).toBeVisible();
  const shots = dialog.getByRole('textbox', { name: 'Labelled examples' });
  await shots.fill('201');
  await shots.press('Enter');
  await expect(dialog.getByText('The largest value is 200.')).toBeVisible();
  await dialog.getByRole('button', { name: /^AgenticSim, Table 1/ }).press('Enter');
  await expect(
    dialog.getByText(/^The server does not have 14 of these models: aya-expanse:8b, .*tulu3:8b\. The plan says/),
  ).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Make 64 arms' })).toBeEnabled();
  const made = dialog.getByRole('table', { name: /^Untick an arm/ });
  await expect(made.getByRole('row')).toHaveCount(17);
  await tick('StandardLLM · how it is asked: cot-4-step with phi4:14b');
  await expectNoFaults(page, 'arms from a matrix');
  await dialog.getByRole('button', { name: 'Make 63 arms' }).press('Enter');
  await expect(page.getByRole('article', { name: /^Arm / })).toHaveCount(63);
  const plan = page.getByRole('complementary', { name: 'Plan' });
  await expect(plan.getByText(/× 63 arms/)).toBeVisible();
  await expect(plan.getByRole('row')).toHaveText([
    /^arm/,
    /^AgenticSimLLM \(16 arms\)/,
    /^StandardLLM \(16 arms\)/,
    /^StandardLLM · how it is asked: system1 \(16 arms\)/,
    /^StandardLLM · how it is asked: cot-4-step \(15 arms\)/,
  ]);
  await page.getByRole('button', { name: 'Undo' }).first().press('Enter');
  await expect(page.getByRole('article', { name: /^Arm / })).toHaveCount(1);
});
