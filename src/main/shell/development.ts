import { appHeaders } from './appFiles.ts';

/** The bundler's server, on this machine; null where there is none. Throws on any other address. */
export function developmentServer(address: string | undefined): URL | null {
  if (address === undefined) return null;
  const server = new URL(address);
  if (server.protocol !== 'http:' || server.hostname !== '127.0.0.1')
    throw new Error(`ELECTRON_RENDERER_URL is ${address}: the bundler must answer at http://127.0.0.1`);
  return server;
}

/** Where the bundler sends a page what has changed. */
export const changesOf = ({ host }: URL): string => `ws://${host}`;

/** Policy of a page to which the bundler adds its own scripts and styles. */
const policyOf = (server: URL) =>
  [
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ${changesOf(server)}`,
  ].join('; ');

/** Serves the screens out of the bundler's server, under the origin that they always have. */
export function serveFromBundler(
  server: URL,
): (request: Pick<Request, 'method' | 'url'> & Partial<Pick<Request, 'headers'>>) => Promise<Response> {
  return async ({ method, url, headers: asked }) => {
    const { pathname, search } = new URL(url);
    const accept = asked?.get('accept') ?? '*/*';
    const { status, body, headers } = await fetch(new URL(`${pathname}${search}`, server), { method, headers: { accept } });
    return new Response(body, {
      status,
      headers: {
        ...appHeaders,
        'content-security-policy': policyOf(server),
        'content-type': headers.get('content-type') ?? 'application/octet-stream',
      },
    });
  };
}
