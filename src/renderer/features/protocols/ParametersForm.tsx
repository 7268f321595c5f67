import { Checkbox } from '../../ui/Checkbox.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { JsonField } from './JsonField.tsx';
import styles from './Protocols.module.css';
import { type ParameterField, type Parameters, withParameter } from './parameters.ts';
import { choiceWords, parameterWords } from './words.ts';

interface Properties {
  readonly protocol: string;
  readonly fields: readonly ParameterField[];
  readonly params: Parameters;
  readonly onChange: (params: Record<string, unknown>) => void;
  /** What is wrong with a parameter, by its name. */
  readonly errorOf?: (name: string) => string | null;
  /** Candidate labels, for parameters that are labels. */
  readonly labels: readonly string[];
}

/** The parameters of a protocol as fields; what is left as it is keeps the value of the paper. */
export function ParametersForm({ protocol, fields, params, onChange, errorOf, labels }: Properties) {
  return (
    <div className={styles.fields}>
      {fields.map((field) => {
        const { label, note } = parameterWords(protocol, field.name);
        const words = { label, error: errorOf?.(field.name) ?? null, ...(note === null ? {} : { description: note }) };
        const value = params[field.name];
        const set = (changed: unknown) => onChange(withParameter(params, field, changed));
        switch (field.kind) {
          case 'choice':
            return (
              <Select
                key={field.name}
                {...words}
                value={typeof value === 'string' ? value : field.preset}
                choices={field.choices.map((id) => ({ id, label: choiceWords(protocol, field.name, id) }))}
                onChange={set}
              />
            );
          case 'switch':
            return (
              <Checkbox
                key={field.name}
                isSelected={typeof value === 'boolean' ? value : field.preset}
                onChange={set}
                {...(note === null ? {} : { note })}
              >
                {label}
              </Checkbox>
            );
          case 'number':
            return (
              <NumberField
                key={field.name}
                {...words}
                value={typeof value === 'number' ? value : field.preset}
                onChange={set}
                step={field.whole ? 1 : 0.1}
                {...(field.least === null ? {} : { minValue: field.least })}
                {...(field.most === null ? {} : { maxValue: field.most })}
              />
            );
          case 'text':
            return (
              <TextField
                key={field.name}
                {...words}
                value={typeof value === 'string' ? value : (field.preset ?? '')}
                onChange={(text) => set(text === '' ? undefined : text)}
              />
            );
          case 'words':
            return <LabelChoices key={field.name} {...words} count={field.count} labels={labels} value={value} onChange={set} />;
          default:
            return <JsonField key={field.name} {...words} value={value} onChange={set} />;
        }
      })}
    </div>
  );
}

/** Some labels out of all, none twice; nothing is set until all of them are chosen. */
function LabelChoices({
  label,
  description,
  error,
  count,
  labels,
  value,
  onChange,
}: {
  label: string;
  description?: string;
  error: string | null;
  count: number;
  labels: readonly string[];
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  if (labels.length <= count) return null;
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {Array.from({ length: count }, (_none, place) => place).map((place) => {
        const current = chosen[place];
        return (
          <Select
            key={place}
            label={`Label ${place + 1}`}
            error={place === 0 ? error : null}
            {...(description === undefined || place > 0 ? {} : { description })}
            value={typeof current === 'string' ? current : null}
            choices={[
              { id: '', label: 'none chosen' },
              ...labels.map((id) => ({ id, label: id, disabled: chosen.includes(id) && current !== id })),
            ]}
            onChange={(picked) => {
              const next = Array.from({ length: count }, (_nothing, index) => (index === place ? picked : (chosen[index] ?? '')));
              onChange(next.every((entry) => entry === '') ? undefined : next);
            }}
          />
        );
      })}
    </fieldset>
  );
}
