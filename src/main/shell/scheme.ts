import type { CustomScheme } from 'electron';
import { appOrigin } from '../../shared/api/bridge.ts';

export const startPage = `${appOrigin}/index.html`;

/**
 * `standard` gives the page its own origin, by which everything else here recognises it.
 * `secure` makes it a secure context. `supportFetchAPI` lets it fetch its own files. No `corsEnabled`: nothing
 * of another origin may read them, and requests within one origin need no CORS.
 */
export const appScheme = {
  scheme: new URL(appOrigin).protocol.slice(0, -1),
  privileges: { standard: true, secure: true, supportFetchAPI: true },
} as const satisfies CustomScheme;
