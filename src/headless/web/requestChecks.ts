import type { IncomingMessage } from 'node:http';

/** Names of this machine in an address; any port, since a tunnel changes it. */
const ownHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

/**
 * Why a request is not answered, as a sentence for whoever sent it; null where nothing is wrong. A foreign
 * `Host` means that another name was made to lead here (DNS rebinding), a foreign `Origin` or
 * `Sec-Fetch-Site` that another site's page has sent the request.
 * @param needsOrigin whether the request must name its origin: those that change something, and WebSockets
 */
export function refusalOf({ headersDistinct }: IncomingMessage, needsOrigin: boolean): string | null {
  const [host, ...moreHosts] = headersDistinct.host ?? [];
  if (host === undefined || moreHosts.length > 0 || !ownHost.test(host)) {
    return 'This address is not on this machine. Open the link that the program printed.';
  }
  const origins = headersDistinct.origin ?? [];
  if ((needsOrigin && origins.length === 0) || origins.some((origin) => origin !== `http://${host}`)) {
    return 'Only the page that this program serves may ask for this. Open the link that the program printed.';
  }
  const sites = headersDistinct['sec-fetch-site'] ?? [];
  if (sites.some((site) => site !== 'same-origin' && site !== 'none')) {
    return 'Another page led here. Copy the link that the program printed into the address bar.';
  }
  return null;
}
