import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { bridgeKeys } from '../../src/shared/api/bridge.ts';
import { contentPolicy } from '../../src/shared/api/contentPolicy.ts';
import { connect, type Program, showBarePage, startProgram, whyNot } from './support/program.ts';

const reason = whyNot();
let program: Program;

test.beforeEach(async ({ browserName: _ }, info) => {
  info.skip(reason !== null, reason ?? '');
  program = await startProgram();
});
test.afterEach(async () => {
  if (reason === null) await program.end();
});

test('the first window opens on the screens', async () => {
  const { page, app } = program;
  expect(page.url()).toMatch(/^app:\/\/assize\/index\.html/);
  await expect(page.getByRole('navigation', { name: 'Places' })).toBeVisible();
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isVisible()))).toEqual([
    true,
  ]);
});

test('security 01: the page is sandboxed and sees nothing of Node', async () => {
  const { page, app } = program;
  const seen = await page.evaluate(() =>
    ['require', 'process', 'module', 'global', 'Buffer', 'electron'].filter((name) => name in globalThis),
  );
  expect(seen).toEqual([]);
  const preferences = await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>;
    };
    const { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag } = contents.getLastWebPreferences();
    return { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag };
  });
  expect(preferences).toEqual({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  });
});

test('security 04: the bridge has exactly the keys of the contract', async () => {
  expect(await program.page.evaluate(() => Object.keys(Reflect.get(window, 'assize')))).toEqual([...bridgeKeys]);
});

test('security 11: the page is served under exactly the content policy', async () => {
  const policy = await program.page.evaluate(async () =>
    (await fetch('app://assize/index.html')).headers.get('content-security-policy'),
  );
  expect(policy).toBe(contentPolicy([]));
});

test('security 12: injected script and eval are blocked', async () => {
  const ran = await program.page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.injected = true';
    document.body.append(script);
    // In a timer: what the test itself hands to the page may evaluate code despite the policy.
    const evaluated = await new Promise<boolean>((resolve) => {
      setTimeout(() => {
        try {
          new Function('return 1')();
          resolve(true);
        } catch {
          resolve(false);
        }
      });
    });
    return { injected: 'injected' in window, evaluated };
  });
  expect(ran).toEqual({ injected: false, evaluated: false });
});

test('security 09: other hosts and paths of app:// are not served', async () => {
  const statuses = await program.page.evaluate(() =>
    Promise.all(
      ['app://assize/%2e%2e/package.json', 'app://assize/none.js', 'app://other/index.html'].map((url) =>
        fetch(url).then(
          ({ status }) => status,
          () => 'refused',
        ),
      ),
    ),
  );
  expect(statuses).toEqual([404, 404, 'refused']);
});

test('security 14: permissions and devices are denied', async () => {
  const answers = await program.page.evaluate(async () => ({
    notifications: await Notification.requestPermission(),
    camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(
      () => 'granted',
      () => 'denied',
    ),
    capture: await navigator.mediaDevices.getDisplayMedia().then(
      () => 'granted',
      () => 'denied',
    ),
    place: await new Promise((resolve) =>
      navigator.geolocation.getCurrentPosition(
        () => resolve('granted'),
        () => resolve('denied'),
      ),
    ),
  }));
  expect(answers).toEqual({ notifications: 'denied', camera: 'denied', capture: 'denied', place: 'denied' });
});

test('security 15: the page can go nowhere, and opens no window', async () => {
  const { page, app } = program;
  const before = page.url();
  const opened = await page.evaluate(() => {
    location.href = 'https://example.org/';
    const link = document.createElement('a');
    link.href = 'https://example.org/';
    link.target = '_blank';
    document.body.append(link);
    link.click();
    return window.open('https://example.org/') === null;
  });
  expect(opened).toBe(true);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  expect(page.url()).toBe(before);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('security 26: a file comes in through the dialog, and the page learns no path', async () => {
  const { app, page, folder } = program;
  const path = join(folder, 'cases.csv');
  writeFileSync(path, 'id,text,label\n1,The first case,yes\n2,The second case,no\n');
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, path);
  await showBarePage(program);
  const { api } = await connect(page, 'files');
  const upload = await page.evaluate(() => Reflect.get(window, 'assize').chooseFile());
  expect(upload).toMatchObject({ fileName: 'cases.csv', bytes: 56 });
  expect(JSON.stringify(upload)).not.toContain(folder);
  const inspection = await api.dataFiles.inspect({ upload: upload.upload });
  expect(inspection.columns.map(({ name }) => name)).toEqual(['id', 'text', 'label']);
});

/** A trial in words, which takes the demo model some seconds. */
const draft = {
  protocol: 'agentic-sim',
  model: 'llama3.2:1b',
  backend: 'standin' as const,
  question: 'Does the defendant keep the deposit?',
  facts: 'The flat was left clean. The deposit was kept.',
  labels: ['yes', 'no'],
};

test('a trial on the demo model is run to the end', async () => {
  await showBarePage(program);
  const { api } = await connect(program.page, 'trial');
  const { trial } = await api.tries.start(draft);
  await expect.poll(async () => (await api.trials.read({ trial })).line.status, { timeout: 45_000 }).toBe('done');
  expect(await api.trials.check({ trial })).toMatchObject({ chain: 'intact', replay: 'identical' });
});

test('an engine that is killed comes back, and its run continues', async () => {
  const { app, page } = program;
  await showBarePage(program);
  const first = await connect(page, 'first');
  const before = await first.api.engine.status({});
  const { trial } = await first.api.tries.start(draft);
  await app.evaluate(({ app: electronApp }) => {
    const engine = electronApp.getAppMetrics().find(({ name }) => name === 'Assize engine');
    if (engine === undefined) throw new Error('there is no engine process');
    process.kill(engine.pid, 'SIGKILL');
  });
  await first.lost;
  const second = await connect(page, 'second');
  const after = await second.api.engine.status({});
  expect(after.incarnation).toBe(before.incarnation + 1);
  await expect.poll(async () => (await second.api.trials.read({ trial })).line.status, { timeout: 45_000 }).toBe('done');
  expect((await second.api.engine.status({})).runs).toMatchObject([{ state: 'finished', resumed: 1 }]);
  expect(await second.api.trials.check({ trial })).toMatchObject({ chain: 'intact', replay: 'identical' });
});
