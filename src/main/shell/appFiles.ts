import { type Dirent, readdirSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { appOrigin } from '../../shared/api/bridge.ts';
import { contentPolicy } from '../../shared/api/contentPolicy.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

export const appHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentPolicy([]),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Full address of every regular file below the folder, with its path on disk. */
function listFiles(folder: string): Map<string, string> {
  const walk = (below: string): string[] =>
    readdirSync(below, { withFileTypes: true }).flatMap((entry: Dirent) => {
      const path = join(below, entry.name);
      if (entry.isDirectory()) return walk(path);
      return entry.isFile() && contentTypes[extname(entry.name)] !== undefined ? [path] : [];
    });
  return new Map(walk(folder).map((path) => [`${appOrigin}/${relative(folder, path).replaceAll('\\', '/')}`, path]));
}

/** Whether a listed file is still where it was, with no link in its place or above it. */
async function isStillThere(path: string, folder: string): Promise<boolean> {
  const [real, realFolder] = await Promise.all([realpath(path), realpath(folder)]);
  return relative(realFolder, real) === relative(folder, path);
}

function answer(status: number, body: string | Buffer | null, headers: Record<string, string>): Response {
  return new Response(body === null || typeof body === 'string' ? body : new Uint8Array(body), {
    status,
    headers: { ...appHeaders, ...headers },
  });
}

/** Serves the screens from a list made once: an address is looked up as sent, without decoding or path arithmetic. */
export function serveAppFiles(folder: string): (request: Pick<Request, 'method' | 'url'>) => Promise<Response> {
  const files = listFiles(folder);
  const plain = { 'content-type': 'text/plain; charset=utf-8' };
  return async ({ method, url }) => {
    if (method !== 'GET' && method !== 'HEAD') return answer(405, 'Only GET is served.', { ...plain, allow: 'GET, HEAD' });
    const path = files.get(url.replace(/[?#].*$/s, ''));
    try {
      if (path === undefined || !(await isStillThere(path, folder))) return answer(404, 'There is no such file.', plain);
      const body = method === 'HEAD' ? null : await readFile(path);
      return answer(200, body, { 'content-type': contentTypes[extname(path)] ?? 'application/octet-stream' });
    } catch {
      return answer(404, 'There is no such file.', plain);
    }
  };
}
