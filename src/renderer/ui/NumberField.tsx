import { Minus, Plus } from 'lucide-react';
import { NumberField as AriaNumberField, Button, Group, Input, type NumberFieldProps } from 'react-aria-components';
import styles from './FormField.module.css';
import { FieldLabel, FieldNotes, type FieldText, isWrong } from './FormField.tsx';

interface Properties
  extends FieldText,
    Omit<NumberFieldProps, 'className' | 'style' | 'children' | 'isInvalid' | 'render' | 'value' | 'onChange'> {
  /** Null: left empty. */
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

const within = (value: number, { minValue = value, maxValue = value }: Pick<NumberFieldProps, 'minValue' | 'maxValue'>) =>
  Math.min(maxValue, Math.max(minValue, value));

export function NumberField({ label, labelHidden, description, error, value, onChange, ...rest }: Properties) {
  const words = { label, labelHidden: labelHidden ?? false, description, error };
  return (
    <AriaNumberField
      validationBehavior="aria"
      // A step is how far the buttons go, not what may be typed: snapping would make 8448 of 8192.
      commitBehavior="validate"
      {...rest}
      value={value ?? Number.NaN}
      onChange={(changed) => onChange(Number.isNaN(changed) ? null : within(changed, rest))}
      isInvalid={isWrong(words)}
      className="stack gap-4 content-start min-w-0"
    >
      <FieldLabel {...words} />
      <Group className={`flex min-w-0 ${styles.group}`}>
        <Input className={`min-w-0 p-6-10 ${styles.inner}`} />
        <Button slot="decrement" className={`stack muted ${styles.step}`}>
          <Minus size={14} aria-hidden="true" />
        </Button>
        <Button slot="increment" className={`stack muted ${styles.step}`}>
          <Plus size={14} aria-hidden="true" />
        </Button>
      </Group>
      <FieldNotes {...words} />
    </AriaNumberField>
  );
}
