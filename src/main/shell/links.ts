/** Hosts of papers, of licences of the bundled samples, and of Ollama. */
export const linkHosts: readonly string[] = ['arxiv.org', 'creativecommons.org', 'doi.org', 'ollama.com'];

/** The address as a browser would open it, or null where it is not one of an allowed host. */
export function allowedLink(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > 2000 || !URL.canParse(text)) return null;
  const url = new URL(text);
  const plain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
  return plain && linkHosts.includes(url.hostname) ? url.href : null;
}

/** Opens an allowed link in the system's browser; false where it is not allowed. */
export async function openLink(text: unknown, openExternal: (url: string) => Promise<void>): Promise<boolean> {
  const url = allowedLink(text);
  if (url === null) return false;
  await openExternal(url);
  return true;
}
