import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { root } from './repository.ts';

const names = z.record(z.string(), z.string()).default({});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      resolved: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
      dependencies: names,
      devDependencies: names,
      optionalDependencies: names,
    }),
  ),
});
const manifestSchema = z.object({ dependencies: names, devDependencies: names, allowScripts: z.record(z.string(), z.boolean()) });

const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));
const { packages } = lockSchema.parse(read('package-lock.json'));
const manifest = manifestSchema.parse(read('package.json'));

/** Where Node would find the package: next to the one that wants it, or in a folder above. */
function holds(name: string, from: string): boolean {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))) {
    if (`${place === '' ? '' : `${place}/`}node_modules/${name}` in packages) return true;
    if (place === '') return false;
  }
}

// npm install skips a platform's binary that the registry lacks; npm ci then refuses the lock file.
it('security 22: the lock file holds every package that another one names, those of other platforms too', () => {
  const missing = Object.entries(packages).flatMap(([from, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !holds(name, from))
      .map((name) => `${from}: ${name}`),
  );
  expect(missing, 'try "npm ci" in a clean copy; a slightly older version of the tool may have all its binaries').toEqual([]);
});

it('the lock file names no registry', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});

it('security 22: every version is pinned exactly', () => {
  const loose = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    ([, version]) => !/^(npm:[^ ]+@)?\d+\.\d+\.\d+$/.test(version),
  );
  expect(loose).toEqual([]);
});

it('security 22: whether a package may run a script at installation is decided for each that has one', () => {
  const undecided = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
    .filter((name) => !(name in manifest.allowScripts));
  expect(undecided, 'decide in allowScripts of package.json').toEqual([]);
});
