import { ChevronDown } from 'lucide-react';
import {
  ComboBox as AriaComboBox,
  Button,
  type ComboBoxProps,
  Group,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from 'react-aria-components';
import styles from './FormField.module.css';
import { type Choice, FieldLabel, FieldNotes, type FieldOf, fieldParts } from './FormField.tsx';

interface Properties extends FieldOf<Omit<ComboBoxProps<Choice>, 'inputValue' | 'onInputChange' | 'items'>> {
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  /** What the list says when it holds nothing. */
  readonly nothing: string;
}

/** Free text with suggestions: other text is allowed too. */
export function ComboBox({ choices, value, onChange, placeholder, nothing, ...rest }: Properties) {
  const { words, widget } = fieldParts(rest);
  return (
    <AriaComboBox
      {...widget}
      allowsCustomValue
      allowsEmptyCollection
      defaultItems={choices}
      inputValue={value}
      onInputChange={onChange}
      // An opened list shows all of its names, even though one is already in the field.
      defaultFilter={(text, typed) =>
        choices.some((choice) => choice.label === typed) || text.toLowerCase().includes(typed.toLowerCase())
      }
    >
      <FieldLabel {...words} />
      <Group className={`field-box flex items-center min-w-0 ${styles.group}`}>
        <Input
          className={`min-w-0 p-6-10 ${styles.inner} ${styles.mono}`}
          dir="auto"
          spellCheck="false"
          {...(placeholder === undefined ? {} : { placeholder })}
        />
        <Button className={`icon-button ${styles.step}`}>
          <ChevronDown size={15} aria-hidden="true" />
        </Button>
      </Group>
      <FieldNotes {...words} />
      <Popover className={`card ${styles.popover}`}>
        <ListBox<Choice> className={styles.list ?? ''} renderEmptyState={() => <p className="p-6-10 muted">{nothing}</p>}>
          {(choice) => (
            <ListBoxItem
              id={choice.id}
              textValue={choice.label}
              className={`option stack p-6-10 wrap-anywhere ${styles.item} ${styles.mono}`}
            >
              <Text slot="label">{choice.label}</Text>
              {choice.note === undefined ? null : (
                <Text slot="description" elementType="small" className="muted text-12-5 font-400">
                  {choice.note}
                </Text>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}
