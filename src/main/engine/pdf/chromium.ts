import { accessSync, constants } from 'node:fs';
import { posix, win32 } from 'node:path';
import { attempt } from '../attempt.ts';

/** On PATH. The one without windows first: the same engine, for a third less processor time. */
const names = [
  ...['chromium-headless-shell', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge', 'msedge'],
  ...['chromium', 'chromium-browser'],
];

const macApps = ['Google Chrome', 'Microsoft Edge', 'Chromium'];
const windowsFiles = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];

type Environment = Readonly<Record<string, string | undefined>>;

const isProgram = (file: string): boolean =>
  attempt(() => {
    accessSync(file, constants.X_OK);
    return true;
  }, false);

/** Where the installers of a system put browsers, without PATH. */
function usualPlaces(platform: NodeJS.Platform, env: Environment): string[] {
  if (platform === 'win32') {
    const folders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter((folder) => folder !== undefined);
    return windowsFiles.flatMap((file) => folders.map((folder) => win32.join(folder, file)));
  }
  if (platform !== 'darwin') return ['/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge'];
  const folders = ['/Applications', ...(env.HOME === undefined ? [] : [posix.join(env.HOME, 'Applications')])];
  return macApps.flatMap((app) => folders.map((folder) => `${folder}/${app}.app/Contents/MacOS/${app}`));
}

/** Path of an installed Chromium of any make: first on PATH, then where installers put it. Relative folders do not count. */
export function findChromium(
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  exists = isProgram,
): string | undefined {
  const { join, delimiter, isAbsolute } = platform === 'win32' ? win32 : posix;
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter(isAbsolute);
  const files = platform === 'win32' ? names.map((name) => `${name}.exe`) : names;
  const onPath = files.flatMap((file) => folders.map((folder) => join(folder, file)));
  return [...onPath, ...usualPlaces(platform, env)].find(exists);
}
