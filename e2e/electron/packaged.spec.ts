import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { expect, test } from '@playwright/test';
import { fuses } from '../../build/packaging/config.ts';
import { root } from '../../build/repository.ts';

const packages = join(root, 'out/packages');

/** The executable that `npm run package` made for this system, if it was run. */
function packedExecutable(): string | null {
  if (!existsSync(packages)) return null;
  const places: Partial<Record<NodeJS.Platform, [RegExp, string]>> = {
    linux: [/^linux.*unpacked$/, 'assize'],
    win32: [/^win.*unpacked$/, 'Assize.exe'],
    darwin: [/^mac/, 'Assize.app'],
  };
  const [folder, name] = places[process.platform] ?? [/^$/, ''];
  const found = readdirSync(packages).find((entry) => folder.test(entry));
  return found === undefined ? null : join(packages, found, name);
}

test('security 21: the fuses of the packed program are as configured', async () => {
  const executable = packedExecutable();
  test
    .info()
    .skip(executable === null, 'Nothing is packed: run npm run package -- --dir where Electron’s runtime can be fetched.');
  const wire = await getCurrentFuseWire(executable ?? '');
  for (const [name, on] of Object.entries(fuses)) {
    const option = FuseV1Options[`${name[0]?.toUpperCase()}${name.slice(1)}` as keyof typeof FuseV1Options];
    expect(wire[option], name).toBe(on ? FuseState.ENABLE : FuseState.DISABLE);
  }
});
