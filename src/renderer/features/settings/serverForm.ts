import { capitalized } from '../../../core/text/visible.ts';
import { ollamaBackend, type ServerSetting, serverSchema } from '../../../shared/api/engine.ts';

export const serverKinds = ['openai', 'ollama'] as const;

export interface ServerForm {
  readonly name: string;
  readonly kind: (typeof serverKinds)[number];
  readonly url: string;
  /** Environment variable with the key; empty: none. */
  readonly keyVariable: string;
  /** Concurrent calls; null: as the settings say for all. */
  readonly concurrency: number | null;
  /** Name of the server whose calls it shares; null: none. */
  readonly joins: string | null;
}

export const emptyServer: ServerForm = { name: '', kind: 'openai', url: '', keyVariable: '', concurrency: null, joins: null };

export function formOf({ name, backend }: ServerSetting): ServerForm {
  const { kind, url, concurrency = null, joins = null } = backend;
  return { name, kind, url, keyVariable: backend.kind === 'openai' ? (backend.apiKeyVariable ?? '') : '', concurrency, joins };
}

export const sharers = (kind: ServerForm['kind'], others: readonly ServerSetting[]): string[] => [
  ...(kind === 'ollama' ? [ollamaBackend] : []),
  ...others.filter(({ backend }) => backend.kind === kind && backend.joins === undefined).map(({ name }) => name),
];

export type ServerField = 'name' | 'url' | 'keyVariable' | 'concurrency';

const example = { openai: 'http://127.0.0.1:8000/v1', ollama: 'http://127.0.0.1:11434' } as const;

function faultOf(form: ServerForm, path: readonly PropertyKey[], message: string): { field: ServerField; message: string } {
  const last = path.at(-1);
  if (last === 'url') {
    const holdsMore = /[?#@]/.test(form.url) ? ' Leave out passwords, queries and what follows a #.' : '';
    return { field: 'url', message: `An address looks like ${example[form.kind]}.${holdsMore}` };
  }
  if (last === 'apiKeyVariable') {
    return {
      field: 'keyVariable',
      message: 'Write the name of an environment variable, such as ASSIZE_GPU_KEY, never the key itself.',
    };
  }
  if (last === 'concurrency') return { field: 'concurrency', message: 'A whole number from 1 to 256.' };
  const name = form.name.trim();
  const words = name === '' ? 'Give the server a name; arms choose it by that.' : `${capitalized(message)}.`;
  return {
    field: 'name',
    message: name === ollamaBackend ? `“${ollamaBackend}” is the Ollama above; take another name.` : words,
  };
}

/** The server that a form means, or what is wrong, by field. @param others the other servers */
export function checkServer(
  form: ServerForm,
  others: readonly ServerSetting[],
): { server: ServerSetting; wrong: null } | { server: null; wrong: Partial<Record<ServerField, string>> } {
  const name = form.name.trim();
  if (others.some((other) => other.name === name))
    return { server: null, wrong: { name: 'Another server has this name; each needs its own.' } };
  const { kind, concurrency } = form;
  const key = form.keyVariable.trim();
  const parsed = serverSchema.safeParse({
    name,
    backend: {
      kind,
      url: form.url.trim(),
      ...(kind === 'openai' && key !== '' ? { apiKeyVariable: key } : {}),
      ...(concurrency === null ? {} : { concurrency }),
      ...(form.joins !== null && sharers(kind, others).includes(form.joins) ? { joins: form.joins } : {}),
    },
  });
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => faultOf(form, path, message));
    return { server: null, wrong: Object.fromEntries(faults.toReversed().map(({ field, message }) => [field, message])) };
  }
  // Only a server that speaks OpenAI's interface refuses these by its schema; what is recorded must hold no password of any.
  if (/[?#@]/.test(parsed.data.backend.url)) {
    const { field, message } = faultOf(form, ['url'], '');
    return { server: null, wrong: { [field]: message } };
  }
  return { server: parsed.data, wrong: null };
}
