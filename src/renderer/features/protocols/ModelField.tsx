import type { BackendChoice } from '../../../shared/api/engine.ts';
import { ComboBox } from '../../ui/ComboBox.tsx';
import { reportOf, usableModels } from './backends.ts';
import { useBackends } from './useBackends.ts';

/** A model's name: one that the server has, or one that is yet to be fetched. */
export function ModelField({
  label = 'Model',
  backend,
  value,
  onChange,
  error,
  description,
}: {
  label?: string;
  backend: BackendChoice;
  value: string;
  onChange: (model: string) => void;
  error?: string | null | undefined;
  description?: string;
}) {
  const look = useBackends();
  const report = reportOf(look.data ?? [], backend);
  const models = usableModels(report);
  const unknown = report?.state === 'ready' && value !== '' && !models.includes(value) && !models.includes(`${value}:latest`);
  const note = unknown && backend === 'ollama' ? `The server does not have it: ollama pull ${value}` : description;
  return (
    <ComboBox
      label={label}
      value={value}
      onChange={onChange}
      error={error}
      placeholder="llama3.1:8b"
      choices={models.map((model) => ({ id: model, label: model }))}
      nothing={look.isFetching ? 'Looking…' : 'The server told of no models; write a name.'}
      {...(note === undefined ? {} : { description: note })}
    />
  );
}
