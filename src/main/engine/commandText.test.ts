import { once } from 'node:events';
import { resolve } from 'node:path';
import { setEnvironmentData, Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { callKey, callOf, commandText, ownCall } from './commandText.ts';

test.each([
  [['replay', '/a/b-1.db'], 'assize replay /a/b-1.db'],
  [['replay', 'my s.db'], "assize replay 'my s.db'"],
  [['show', 'two words & more', '--store', "it's.db"], "assize show 'two words & more' --store 'it'\\''s.db'"],
  [['show', 'x; touch /tmp/made #'], "assize show 'x; touch /tmp/made #'"],
  [['show', ''], "assize show ''"],
  [['show', '$(id)`id`'], "assize show '$(id)`id`'"],
  [['show', 'a\u200bb'], "assize show 'a[zero width space U+200B]b'"],
])('%j is pasted as one command whose arguments are these', (words, command) => {
  expect(commandText(...words)).toBe(command);
});

test.each([
  [{}, 'assize'],
  [{ npm_lifecycle_event: 'npx', npm_lifecycle_script: "'assize' verify" }, 'npx --no assize'],
  [{ npm_lifecycle_event: 'npx', npm_lifecycle_script: 'vitest run' }, 'assize'],
  [{ npm_lifecycle_event: 'start', npm_package_name: 'assize' }, 'npx --no assize'],
  [{ npm_lifecycle_event: 'assize', npm_package_name: 'assize' }, 'npm run -s assize --'],
  [{ npm_lifecycle_event: 'start', npm_package_name: 'other' }, 'assize'],
])('started with %j it is called as %s', (env, call) => {
  expect(callOf(env)).toBe(call);
});

test('started by Node it is called with the file, from this folder or with its whole path, and by npm as npm was asked', () => {
  expect(callOf({}, 'node', resolve('bin/assize.js'))).toBe('node bin/assize.js');
  expect(callOf({}, '/my node', '/other/bin/assize.js')).toBe("'/my node' /other/bin/assize.js");
  expect(callOf({}, 'node', '/usr/bin/assize')).toBe('assize');
  expect(callOf({ npm_lifecycle_event: 'npx', npm_lifecycle_script: 'assize' }, 'node', resolve('bin/assize.js'))).toBe(
    'npx --no assize',
  );
});

test('a thread names the call of the process that started it', async () => {
  setEnvironmentData(callKey, 'node bin/assize.js');
  onTestFinished(() => setEnvironmentData(callKey, ownCall));
  const file = JSON.stringify(import.meta.resolve('./commandText.ts'));
  const worker = new Worker(
    `import(${file}).then(({ ownCall }) => require('node:worker_threads').parentPort.postMessage(ownCall))`,
    { eval: true },
  );
  onTestFinished(async () => void (await worker.terminate()));
  expect(await once(worker, 'message')).toEqual(['node bin/assize.js']);
});
