import { X } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton, Tag, TagGroup, TagList } from 'react-aria-components';
import { Button } from './Button.tsx';
import type { FieldText } from './FormField.tsx';
import { Isolated } from './HiddenText.tsx';
import styles from './TagsField.module.css';
import { TextField } from './TextField.tsx';

interface Properties extends FieldText {
  readonly values: readonly string[];
  readonly onAdd: (value: string) => void;
  readonly onRemove: (value: string) => void;
  /** What one value is, in the singular, as `label` or `host`. */
  readonly noun: string;
  readonly placeholder?: string;
  /** Why a value cannot be added, or null. */
  readonly problemOf?: (value: string) => string | null;
}

/** A list of words: Enter adds the one in the field, Backspace or the cross takes one away. */
export function TagsField({ label, description, error, values, onAdd, onRemove, noun, placeholder, problemOf }: Properties) {
  const [typed, setTyped] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const add = () => {
    const value = typed.trim();
    if (value === '') return;
    const problem = values.includes(value) ? `“${value}” is in the list already.` : (problemOf?.(value) ?? null);
    setRefusal(problem);
    if (problem !== null) return;
    onAdd(value);
    setTyped('');
  };
  return (
    <div className="stack gap-6">
      <div className={`flex gap-8 ${styles.row}`}>
        <TextField
          label={label}
          description={description}
          error={refusal ?? error}
          value={typed}
          {...(placeholder === undefined ? {} : { placeholder })}
          onChange={(value) => {
            setTyped(value);
            setRefusal(null);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) event.continuePropagation();
            else {
              event.preventDefault();
              add();
            }
          }}
        />
        <Button onPress={add} isDisabled={typed.trim() === ''}>
          Add {noun}
        </Button>
      </div>
      {values.length === 0 ? null : (
        <TagGroup aria-label={label} onRemove={(keys) => values.filter((value) => keys.has(value)).forEach(onRemove)}>
          <TagList className="flex flex-wrap gap-6" items={values.map((id) => ({ id }))}>
            {({ id }) => (
              <Tag id={id} textValue={id} className={`gap-4 wrap-anywhere ${styles.tag}`}>
                <Isolated text={id} />
                <AriaButton slot="remove" className="icon-button" aria-label={`Remove ${noun} ${id}`}>
                  <X size={13} aria-hidden="true" />
                </AriaButton>
              </Tag>
            )}
          </TagList>
        </TagGroup>
      )}
    </div>
  );
}
