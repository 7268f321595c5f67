import { Minus, Plus } from 'lucide-react';
import { NumberField as AriaNumberField, Button, Group, Input, type NumberFieldProps } from 'react-aria-components';
import styles from './FormField.module.css';
import { FieldLabel, FieldNotes, type FieldOf, fieldParts } from './FormField.tsx';

interface Properties extends FieldOf<NumberFieldProps> {
  /** Null: left empty. */
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

const within = (value: number, { minValue = value, maxValue = value }: Pick<NumberFieldProps, 'minValue' | 'maxValue'>) =>
  Math.min(maxValue, Math.max(minValue, value));

export function NumberField({ value, onChange, ...rest }: Properties) {
  const { words, widget } = fieldParts(rest);
  return (
    <AriaNumberField
      // A step is how far the buttons go, not what may be typed: snapping would make 8448 of 8192.
      commitBehavior="validate"
      {...widget}
      value={value ?? Number.NaN}
      onChange={(changed) => onChange(Number.isNaN(changed) ? null : within(changed, rest))}
    >
      <FieldLabel {...words} />
      <Group className={`field-box flex items-center min-w-0 ${styles.group}`}>
        <Input className={`min-w-0 p-6-10 ${styles.inner}`} />
        <Button slot="decrement" className={`icon-button ${styles.step}`}>
          <Minus size={14} aria-hidden="true" />
        </Button>
        <Button slot="increment" className={`icon-button ${styles.step}`}>
          <Plus size={14} aria-hidden="true" />
        </Button>
      </Group>
      <FieldNotes {...words} />
    </AriaNumberField>
  );
}
