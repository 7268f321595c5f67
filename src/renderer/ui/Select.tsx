import { ChevronDown } from 'lucide-react';
import {
  Select as AriaSelect,
  Button,
  ListBox,
  ListBoxItem,
  Popover,
  type SelectProps,
  SelectValue,
  Text,
} from 'react-aria-components';
import styles from './FormField.module.css';
import { type Choice, FieldLabel, FieldNotes, type FieldOf, fieldParts } from './FormField.tsx';
import { HiddenText, Isolated } from './HiddenText.tsx';

interface Properties<Id extends string> extends FieldOf<Omit<SelectProps<Choice<Id>>, 'selectedKey' | 'onSelectionChange'>> {
  readonly choices: readonly Choice<Id>[];
  /** Null: nothing is chosen yet. */
  readonly value: Id | null;
  readonly onChange: (value: Id) => void;
}

/** One of a few choices, each with a note where a word alone does not say enough. */
export function Select<Id extends string>({ choices, value, onChange, ...rest }: Properties<Id>) {
  const { words, widget } = fieldParts(rest);
  return (
    <AriaSelect
      placeholder="none chosen"
      {...widget}
      value={value}
      onChange={(key) => {
        const chosen = choices.find(({ id }) => id === key);
        if (chosen !== undefined) onChange(chosen.id);
      }}
    >
      <FieldLabel {...words} />
      <Button className={`field-box min-w-0 p-6-10 justify-between flex items-center gap-8 text-start ${styles.input}`}>
        <SelectValue className="cut min-w-0">
          {({ isPlaceholder, defaultChildren }) =>
            isPlaceholder ? defaultChildren : <Isolated text={choices.find(({ id }) => id === value)?.label ?? ''} />
          }
        </SelectValue>
        <ChevronDown size={15} aria-hidden="true" className="no-shrink" />
      </Button>
      <FieldNotes {...words} />
      <Popover className={`card ${styles.popover}`}>
        <ListBox className={styles.list ?? ''} items={choices}>
          {(choice) => (
            <ListBoxItem
              id={choice.id}
              textValue={choice.label}
              isDisabled={choice.disabled ?? false}
              className={`option stack p-6-10 wrap-anywhere ${styles.item}`}
            >
              {/* The note is part of the name, since users of speech input say what they see. */}
              <Text slot="label" dir="auto" className="stack">
                <HiddenText text={choice.label} />
                {choice.note === undefined ? null : <small className="muted text-12-5 font-400">{choice.note}</small>}
              </Text>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
