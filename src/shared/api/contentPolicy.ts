/**
 * The Content-Security-Policy under which every host serves the screens: what the page itself brings, and
 * nothing else. No script, style or frame from elsewhere, none inline, no `eval`.
 * @param connect sources of `connect-src` besides the page's own origin, such as `ws://127.0.0.1:8080`
 */
export function contentPolicy(connect: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...connect].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}
