import { protocols } from '../../../core/protocols/index.ts';
import { type BackendChoice, ollamaBackend } from '../../../shared/api/engine.ts';
import { ComboBox } from '../../ui/ComboBox.tsx';
import { quantity } from '../../ui/quantity.ts';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Select } from '../../ui/Select.tsx';
import { type CasesOfKind, protocolChoices } from './acceptance.ts';
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
  /** Gets the server and its first model; null where it has none, or is not there. */
  onChange: (server: string, model: string | null) => void;
  error?: string | null | undefined;
}) {
  const found = useFound();
  if (found.servers.length === 0 && value === ollamaBackend) return null;
  const names = [...new Set([ollamaBackend, ...found.servers.map(({ name }) => name), value])];
  const noteOf = (name: string): string => {
    const report = foundAt(found, name);
    if (report === undefined) return found.isFetching ? 'Checking…' : 'Not in the settings.';
    if (report.state !== 'ready') return report.state === 'refused' ? 'Its host is not allowed.' : 'It is not ready.';
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

/** A model's name: one that the server has, or one that is yet to be fetched. */
export function ModelField({
  label = 'Model',
  backend,
  server = ollamaBackend,
  value,
  onChange,
  error,
  allRoles,
}: {
  label?: string;
  backend: BackendChoice;
  server?: string;
  value: string;
  onChange: (model: string) => void;
  error?: string | null | undefined;
  /** The model of all roles, which plays this one too while the field is empty; absent: the field has to be filled. */
  allRoles?: string;
}) {
  const found = useFound();
  const report = foundAt(found, server);
  const models = modelsAt(found, backend, server);
  const isOllama = report !== undefined && (!('kind' in report) || report.kind === 'ollama');
  const listed = models.includes(value) || (isOllama && models.includes(`${value}:latest`));
  const unknown = backend === 'ollama' && report?.state === 'ready' && value !== '' && !listed;
  const advice = isOllama ? `The server does not have it: ollama pull ${value}` : 'The server does not list it; names are exact.';
  const note = unknown ? advice : allRoles !== undefined && value.trim() === '' ? 'Empty: the model of all roles.' : undefined;
  return (
    <ComboBox
      label={label}
      value={value}
      onChange={onChange}
      error={error}
      placeholder={allRoles ?? models[0] ?? 'llama3.1:8b'}
      choices={models.map((model) => ({ id: model, label: model }))}
      nothing={found.isFetching ? 'Checking…' : 'The server lists no models; type a name.'}
      {...(note === undefined ? {} : { description: note })}
    />
  );
}

export function ProtocolField({
  value,
  onChange,
  cases,
  error,
}: {
  value: string;
  onChange: (protocol: string) => void;
  cases: CasesOfKind;
  error?: string | null;
}) {
  const paper = protocols.find(({ id }) => id === value)?.paper;
  return (
    <RadioCards
      label="Protocol"
      value={value}
      onChange={onChange}
      choices={protocolChoices(cases)}
      error={error ?? null}
      {...(paper === undefined
        ? {}
        : {
            description: (
              <span className="quiet">
                Paper: <cite>{paper}</cite>
              </span>
            ),
          })}
    />
  );
}
