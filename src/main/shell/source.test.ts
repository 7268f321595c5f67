import { describe, expect, it } from 'vitest';
import { isTest } from '../../../build/boundaries/rules.ts';
import { listFiles, readFiles } from '../../../build/repository.ts';

const sources = readFiles(listFiles(['src/']).filter((path) => /\.tsx?$/.test(path) && !isTest(path)));
const filesWith = (pattern: RegExp, below = 'src/') =>
  [...sources].filter(([path, text]) => path.startsWith(below) && pattern.test(text)).map(([path]) => path);

import { pageColour } from './window.ts';

describe('the sources', () => {
  it('security 05: speak to pages in one file, and to the shell in one file', () => {
    expect(filesWith(/\bipcMain\b/)).toEqual(['src/main/shell/bridgeHost.ts']);
    expect(filesWith(/\bipcRenderer\b/)).toEqual(['src/preload/index.ts']);
    // A frame's and a window's own ways around ipcMain.
    expect(filesWith(/\.ipc\b|ipc-message/)).toEqual([]);
    expect(filesWith(/\bexposeInMainWorld\b/)).toEqual(['src/preload/index.ts']);
  });

  it('security 03: no environment changes the shell', () => {
    // Switches are read only to refuse them, and one is given.
    expect(filesWith(/\bprocess\.env\b|import\.meta\.env|commandLine\.(has|get)|process\.argv/, 'src/main/shell/')).toEqual([
      'src/main/shell/debugging.ts',
    ]);
    const given = [...sources].flatMap(([, text]) => text.match(/^.*commandLine\.append.*$/gm) ?? []);
    expect(given.map((line) => line.trim())).toEqual(["app.commandLine.appendSwitch('js-flags', pageOptions);"]);
    // But for the bundler's address, in a build for development.
    const asked = sources
      .get('src/main/index.ts')
      ?.match(/^.*(\bprocess\.env\b|import\.meta\.env|commandLine|process\.argv).*$/gm);
    expect(asked?.map((line) => line.trim())).toEqual([
      'development: import.meta.env.DEV ? developmentServer(process.env.ELECTRON_RENDERER_URL) : null,',
    ]);
    expect(filesWith(/\bprocess\b|import\.meta/, 'src/preload/')).toEqual([]);
  });

  it('security 01: weaken no part of the sandbox', () => {
    expect(filesWith(/no-sandbox|sandbox: false|contextIsolation: false|nodeIntegration\w*: true|webSecurity: false/)).toEqual(
      // Another browser, which prints one local page: as root none starts with a sandbox.
      ['src/main/engine/pdf/print.ts'],
    );
  });

  it('security 19: hold no updater and no crash reporter', () => {
    expect(filesWith(/\bautoUpdater\b|electron-updater|\bcrashReporter\b|\bcontentTracing\b/)).toEqual([]);
  });

  it('security 19: name no server but this machine', () => {
    // Telemetry, remote fonts, dictionaries and update checks all need an address; links of papers are shown and not fetched.
    const written = [...sources].flatMap(([path, text]) =>
      [...text.matchAll(/\b(?:https?|wss?):\/\/([A-Za-z0-9.[\]-]+)/g)].map(([, host]) => ({ path, host })),
    );
    expect(written.length).toBeGreaterThan(3);
    const known = ['127.0.0.1', 'localhost', 'arxiv.org', 'doi.org', 'example.org'];
    // Words for a person who installs Ollama, and the name of a format: none of them is ever asked.
    const words = [
      'src/main/engine/doctor/ollama.ts ollama.com',
      'src/main/engine/models/daemon/answer.ts ollama.com',
      'src/renderer/features/runtime/installWays.ts ollama.com',
      'src/renderer/charts/kit/draw.ts www.w3.org',
    ];
    const strange = written.filter(({ path, host = '' }) => {
      const plain = host.replace(/[.:]+$/, '');
      return !known.includes(plain) && !words.includes(`${path} ${plain}`);
    });
    expect(strange).toEqual([]);
    const styles = readFiles(listFiles(['src/']).filter((path) => path.endsWith('.css')));
    expect([...styles].filter(([, text]) => /url\(\s*['"]?(?:https?:)?\/\//.test(text)).map(([path]) => path)).toEqual([]);
  });

  it('give the window the colour of its page, which would flash otherwise', () => {
    const styles = readFiles(['src/renderer/ui/base.css']).get('src/renderer/ui/base.css') ?? '';
    const papers = [...styles.matchAll(/color-scheme: (light|dark);[^}]*?--paper: (#[0-9a-f]{6});/g)].map(([, scheme, paper]) => [
      scheme,
      paper,
    ]);
    expect(Object.fromEntries(papers)).toEqual(pageColour);
  });
});
