// Builds what runs under Electron, but for the screens, which have a build of their own: out/electron.
import { join } from 'node:path';
import { buildElectron } from './packaging/bundles.ts';
import { root } from './repository.ts';

await buildElectron(join(root, 'out'));
