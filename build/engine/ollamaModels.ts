import { createHash } from 'node:crypto';

/** The answer to JSON, as JSON. Throws where the status is not of success. */
export async function post<T>(url: string, body: unknown): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${new URL(url).pathname} answers HTTP ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

/**
 * Gives Ollama a model only over its interface, as a user without a network would.
 *
 * @param settings further keys of `/api/create`, such as `template`
 */
export async function importModel(
  url: string,
  name: string,
  bytes: Buffer,
  settings: Record<string, unknown> = {},
): Promise<void> {
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  const blob = await fetch(`${url}/api/blobs/${digest}`, { method: 'POST', body: new Uint8Array(bytes) });
  if (!blob.ok) throw new Error(`/api/blobs answers HTTP ${blob.status}: ${await blob.text()}`);
  await post(`${url}/api/create`, { model: name, files: { [`${name}.gguf`]: digest }, stream: false, ...settings });
}
