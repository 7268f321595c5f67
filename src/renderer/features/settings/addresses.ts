import { type Settings, settingsSchema } from '../../../shared/api/engine.ts';

/** What an address of a server must be, or null where it is fine. */
export function addressProblem(url: string): string | null {
  if (settingsSchema.shape.ollamaUrl.safeParse(url).success) return null;
  return 'An address looks like http://127.0.0.1:11434.';
}

export function hostProblem(host: string): string | null {
  if (settingsSchema.shape.allowedHosts.safeParse([host]).success) return null;
  return 'Write the name or number of a machine alone, such as gpu.example.org, without http:// and without a path.';
}

/** The host of an address if it is not this machine, for which no permission is needed. */
export function foreignHost(url: string): string | null {
  if (addressProblem(url) !== null) return null;
  const { hostname } = new URL(url);
  const own =
    hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
  return own ? null : hostname;
}

/** The same keys with the values that they have now: what undoes a change. */
export function inverseOf(change: Partial<Settings>, now: Settings): Partial<Settings> {
  const keys = Object.keys(change) as (keyof Settings)[];
  return Object.fromEntries(keys.map((key) => [key, now[key]]));
}
