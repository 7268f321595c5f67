import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { type DemoServer, startDemoServer } from '../../src/main/engine/models/demo/demoServer.ts';
import { needsChromium } from '../support/chromium.ts';
import { endings, enter, goTo, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { connectToEngine } from './support/engineApi.ts';
import { startHost } from './support/host.ts';
import { courtArm, until } from './support/record.ts';

needsChromium();

const atEnd = endings();

/** A folder with an `nvidia-smi` that prints what a file next to it has. */
function imitatedGpu() {
  const folder = mkdtempSync(join(tmpdir(), 'assize-gpu-'));
  const program = join(folder, 'nvidia-smi');
  const show = (lines: string) => writeFileSync(join(folder, 'lines.txt'), lines);
  writeFileSync(program, '#!/bin/sh\ncat "$(dirname "$0")/lines.txt"\n');
  chmodSync(program, 0o755);
  atEnd(async () => rmSync(folder, { recursive: true }));
  return { folder, show };
}

/** A run that lasts longer than any test, on a demo model that has nothing to do with the program's own. */
async function openRun(page: Page, ollama: DemoServer, path: string | undefined) {
  atEnd(ollama.close);
  const host = await startHost(path === undefined ? {} : { PATH: `${path}:${process.env.PATH}` }, ollama.url);
  atEnd(host.stop);
  const engine = await connectToEngine(host);
  atEnd(async () => engine.close());
  const { experiment } = await engine.api.experiments.start({
    entry: 'deposits',
    sample: { n: 20 },
    backend: 'ollama',
    arms: [courtArm],
  });
  await enter(page, host);
  await goTo(page, host, `/experiments/${encodeURIComponent(experiment)}`);
  await until('a call is made', async () => ollama.requests().length >= 1);
  return { engine, experiment, machine: page.getByRole('region', { name: 'Machine' }) };
}

/** A server that takes its time, with so much of its models on a GPU. */
async function demoWith(gpuShare: number): Promise<DemoServer> {
  const machine = { promptRate: 20_000, decodeRate: 600, loadRate: 2 ** 40 };
  const standin = await startDemoServer({ profile: { base: 'workstation', machine } });
  standin.showGpuShare(gpuShare);
  return standin;
}

/** The axes of the figure below the panel: what lies behind letters in a drawing cannot be found out. */
const drawn = [/^color-contrast\?: <text/];

const one = '0, GPU-00000000-0000-0000-0000-000000000001, NVIDIA GeForce RTX 4090, 24564, 18432, 97, 71, 310.20, 550.90.07\n';
const two = '1, GPU-00000000-0000-0000-0000-000000000002, NVIDIA RTX A2000, 12282, 411, [N/A], 45, [Not Supported], 550.90.07\n';

test('a run shows the GPUs, says when its model falls off the GPU, and when that is over', { tag: '@exhaustive' }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 1800 });
  const gpu = imitatedGpu();
  gpu.show(one + two);
  const ollama = await demoWith(1);
  const { engine, experiment, machine } = await openRun(page, ollama, gpu.folder);
  const card = machine.getByRole('group', { name: 'NVIDIA GeForce RTX 4090' });
  await expect(card.getByText(/^71 °C · 310 W · driver 550/)).toBeVisible();
  await expect(card.getByRole('meter', { name: 'Memory of the GPU' })).toHaveAttribute('aria-valuetext', '18 GiB of 24 GiB');
  await expect(card.getByRole('meter', { name: 'Load of the GPU' })).toHaveAttribute('aria-valuetext', '97%');
  const second = machine.getByRole('group', { name: 'NVIDIA RTX A2000' });
  await expect(second.getByText('unknown')).toBeVisible();
  await expect(machine.getByRole('meter', { name: 'Main memory' })).toHaveAttribute(
    'aria-valuetext',
    /^[\d.]+ GiB of [\d.]+ GiB$/,
  );
  await expect(page.getByRole('list', { name: 'Models that are asked' })).toHaveText('Asked: llama3.1:8b now');
  await expect(page.getByText(/\d calls since this start( · .* trials an hour)? · .* tokens written a second · /)).toBeVisible();
  const model = machine.getByRole('list', { name: 'Models in memory' }).getByRole('listitem').filter({ hasText: 'llama3.1:8b' });
  await expect(model.getByText('all of it')).toBeVisible();
  await expectNoFaults(page, 'a run on GPUs', drawn);

  ollama.showGpuShare(0.7);
  await expect(machine.getByText(/^llama3\.1:8b is only \d+% on the GPU now, after 100% on the GPU: /)).toBeVisible();
  await expect(model.getByText(/^\d+%, the rest computed by the processor$/)).toBeVisible();
  ollama.showGpuShare(0);
  await expect(machine.getByText(/^llama3\.1:8b is wholly on the processor now, .*restart Ollama and continue\.$/)).toBeVisible();
  await expect(machine.getByRole('status')).toHaveCount(1);
  await expectNoFaults(page, 'a run that fell off the GPU', drawn);
  await page.setViewportSize({ width: 390, height: 900 });
  await machine.scrollIntoViewIfNeeded();
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(beyond).toBe(0);

  ollama.showGpuShare(1);
  await expect(machine.getByRole('status')).toHaveCount(0);
  gpu.show(one);
  await expect(machine.getByText(/^NVIDIA RTX A2000 is not there any more: /)).toBeVisible();
  await expect(second).toHaveCount(0);

  const log = (await engine.api.experiments.read({ experiment })).log;
  expect(log.find(({ event }) => event === 'run-start')?.detail).toMatchObject({
    machine: {
      gpus: ['NVIDIA GeForce RTX 4090', 'NVIDIA RTX A2000'],
      drivers: ['550.90.07'],
      servers: { default: expect.stringMatching(/^ollama /) },
    },
  });
  const warned = log.filter(({ event }) => event === 'run-warning').map(({ detail }) => detail.kind);
  expect(warned).toEqual(['gpu-lost', 'fell-to-processor', 'fell-to-processor']);
  await engine.api.runs.stop({ experiment });
  await expect(machine).toHaveCount(0);
  await page.getByRole('button', { name: 'History of the runs' }).click();
  await expect(
    page.getByText(/on NVIDIA GeForce RTX 4090, NVIDIA RTX A2000 \(driver 550\.90\.07\), default: ollama /),
  ).toBeVisible();
  await expect(
    page.getByRole('listitem').filter({ hasText: /\d\d:\d\d:\d\d Warning llama3\.1:8b is wholly on the processor now/ }),
  ).toBeVisible();
});

test('a machine without a GPU has one calm line, and nothing to warn of', { tag: '@exhaustive' }, async ({ page }) => {
  const { machine } = await openRun(page, await demoWith(0), undefined);
  await expect(machine.getByText(/^No GPU was found on this machine: the processor computes/)).toBeVisible();
  await expect(machine.getByRole('meter', { name: 'Main memory' })).toBeVisible();
  await expect(machine.getByText('nothing: computed by the processor, slowly')).toBeVisible();
  await expect(machine.getByRole('status')).toHaveCount(0);
});
