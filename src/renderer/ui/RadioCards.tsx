import { Radio, RadioGroup, type RadioGroupProps } from 'react-aria-components';
import { type Choice, FieldDescription, FieldFault, FieldLabel, type FieldOf, fieldParts } from './FormField.tsx';
import { Isolated } from './HiddenText.tsx';
import styles from './RadioCards.module.css';

interface Properties<Id extends string> extends FieldOf<RadioGroupProps> {
  readonly choices: readonly Choice<Id>[];
  readonly value: Id;
  readonly onChange: (value: Id) => void;
}

/** One of a few choices that need a sentence each, all of them in view. */
export function RadioCards<Id extends string>({ choices, value, onChange, ...rest }: Properties<Id>) {
  const { words, widget } = fieldParts(rest);
  return (
    <RadioGroup
      {...widget}
      value={value}
      onChange={(key) => {
        const chosen = choices.find(({ id }) => id === key);
        if (chosen !== undefined) onChange(chosen.id);
      }}
    >
      <FieldLabel {...words} />
      {/* Below the cards it would be out of sight. */}
      <FieldFault {...words} />
      <div className={`stack gap-8 ${styles.cards}`}>
        {choices.map((choice) => (
          <Radio
            key={choice.id}
            value={choice.id}
            isDisabled={choice.disabled ?? false}
            className={`card stack content-start ${styles.card}`}
          >
            <span className={styles.dot} aria-hidden="true" />
            <span className="font-600">
              <Isolated text={choice.label} />
            </span>
            {choice.note === undefined ? null : <span className={`quiet wrap-anywhere ${styles.note}`}>{choice.note}</span>}
          </Radio>
        ))}
      </div>
      <FieldDescription {...words} />
    </RadioGroup>
  );
}
