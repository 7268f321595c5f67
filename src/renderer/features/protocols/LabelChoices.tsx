import { Select } from '../../ui/Select.tsx';
import styles from './Protocols.module.css';

/** Some labels out of all, none twice; nothing is set until all of them are chosen. */
export function LabelChoices({
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
    <fieldset className={`unframed stack gap-8 min-w-0 ${styles.group}`}>
      <legend>{label}</legend>
      {Array.from({ length: count }, (_none, place) => place).map((place) => {
        const current = chosen[place];
        return (
          <Select
            key={place}
            label={`Label ${place + 1}`}
            error={place === 0 ? error : null}
            {...(description === undefined || place > 0 ? {} : { description })}
            value={typeof current === 'string' ? current : ''}
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
