// The screens in the browser with hot reload, in front of an engine that runs from the sources. An edit of the engine needs a new start.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createServer } from 'vite';
import config from '../electron.vite.config.ts';
import { freshen } from './fresh.ts';
import { program } from './products.ts';
import { root } from './repository.ts';

// The host serves no page until there is one.
await freshen([program]);

const words = [join(root, 'bin/assize.js'), 'web', '--no-open', ...process.argv.slice(2)];
const host = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
process.on('exit', () => host.kill());
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit());
const ended = once(host, 'exit').then(([code]) => process.exit(code ?? 1));
const [line] = await Promise.race([once(host.stdout, 'data'), ended]);
const { origin, hash } = new URL(String(line).trim());

// The host only takes requests from its own pages, so requests from here get its address.
const passed = { target: origin, changeOrigin: true, headers: { origin } };
const { root: folder = root, ...renderer } = config.renderer ?? {};
const server = await createServer({
  ...renderer,
  root: folder,
  configFile: false,
  server: {
    ...renderer.server,
    proxy: { '/engine': { ...passed, ws: true, rewriteWsOrigin: true }, '/uploads': passed, '/files': passed },
  },
});
await server.listen();
console.log(`${server.resolvedUrls?.local[0]}${hash}`);
