import { ollamaBackend } from '../../../shared/api/engine.ts';
import { quantity } from '../../ui/quantity.ts';
import { Select } from '../../ui/Select.tsx';
import { foundAt, modelsAt } from './backends.ts';
import { useFound } from './useBackends.ts';

/** Which server a model is asked of. There is nothing to choose, and no field, where Ollama is the only one. */
export function ServerField({
  label = 'Server',
  value,
  onChange,
  error,
}: {
  label?: string;
  value: string;
  /** Told the server and its first model; null where it has none, or is not there. */
  onChange: (server: string, model: string | null) => void;
  error?: string | null | undefined;
}) {
  const found = useFound();
  if (found.servers.length === 0 && value === ollamaBackend) return null;
  const names = [...new Set([ollamaBackend, ...found.servers.map(({ name }) => name), value])];
  const noteOf = (name: string): string => {
    const report = foundAt(found, name);
    if (report === undefined) return found.isFetching ? 'Looking…' : 'Not in the settings.';
    if (report.state !== 'ready') return report.state === 'refused' ? 'Its host is not allowed.' : 'It does not answer.';
    return `${report.url}, ${quantity(modelsAt(found, 'ollama', name).length, 'model')}`;
  };
  return (
    <Select
      label={label}
      value={value}
      error={error}
      choices={names.map((name) => ({ id: name, label: name === ollamaBackend ? 'Ollama' : name, note: noteOf(name) }))}
      onChange={(name) => onChange(name, modelsAt(found, 'ollama', name)[0] ?? null)}
    />
  );
}
