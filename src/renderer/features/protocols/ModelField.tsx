import { type BackendChoice, ollamaBackend } from '../../../shared/api/engine.ts';
import { ComboBox } from '../../ui/ComboBox.tsx';
import { foundAt, modelsAt } from './backends.ts';
import { useFound } from './useBackends.ts';

/** A model's name: one that the server has, or one that is yet to be fetched. */
export function ModelField({
  label = 'Model',
  backend,
  server = ollamaBackend,
  value,
  onChange,
  error,
  description,
}: {
  label?: string;
  backend: BackendChoice;
  /** Name of the server that is asked. */
  server?: string;
  value: string;
  onChange: (model: string) => void;
  error?: string | null | undefined;
  description?: string;
}) {
  const found = useFound();
  const report = foundAt(found, server);
  const models = modelsAt(found, backend, server);
  const isOllama = report !== undefined && (!('kind' in report) || report.kind === 'ollama');
  const listed = models.includes(value) || (isOllama && models.includes(`${value}:latest`));
  const unknown = backend === 'ollama' && report?.state === 'ready' && value !== '' && !listed;
  const advice = isOllama ? `The server does not have it: ollama pull ${value}` : 'The server does not list it; names are exact.';
  const note = unknown ? advice : description;
  return (
    <ComboBox
      label={label}
      value={value}
      onChange={onChange}
      error={error}
      placeholder={models[0] ?? 'llama3.1:8b'}
      choices={models.map((model) => ({ id: model, label: model }))}
      nothing={found.isFetching ? 'Looking…' : 'The server told of no models; write a name.'}
      {...(note === undefined ? {} : { description: note })}
    />
  );
}
