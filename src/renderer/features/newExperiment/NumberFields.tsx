import { NumberField } from '../../ui/NumberField.tsx';

/** How a number is asked for: its bounds, and the step of the buttons next to it. */
export interface NumberLimits {
  readonly label: string;
  readonly least: number;
  readonly most?: number;
  readonly step: number;
  readonly note?: string;
}

/** One field for each number of a form; an empty one gives null. */
export function NumberFields<Name extends string>({
  fields,
  values,
  errorAt = () => null,
  isFixed = () => false,
  onChange,
}: {
  fields: Readonly<Record<Name, NumberLimits>>;
  values: Readonly<Partial<Record<Name, number | undefined>>>;
  errorAt?: (name: Name) => string | null;
  isFixed?: (name: Name) => boolean;
  onChange: (name: Name, value: number | null) => void;
}) {
  return (Object.keys(fields) as Name[]).map((name) => {
    const { label, least, most, step, note } = fields[name];
    return (
      <NumberField
        key={name}
        label={label}
        description={note}
        value={values[name] ?? null}
        minValue={least}
        step={step}
        isDisabled={isFixed(name)}
        error={errorAt(name)}
        {...(most === undefined ? {} : { maxValue: most })}
        onChange={(value) => onChange(name, value)}
      />
    );
  });
}
