import { useState } from 'react';
import { Checkbox } from '../../ui/Checkbox.tsx';
import type { FieldText } from '../../ui/FormField.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import type { ParameterField, Scalar } from './parameters.ts';
import { choiceText } from './words.ts';

function JsonField({ value, onChange, error, ...words }: FieldText & { value: unknown; onChange: (value: unknown) => void }) {
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value)));
  const [broken, setBroken] = useState(false);
  return (
    <TextField
      {...words}
      look="mono"
      error={broken ? 'This is not JSON yet; write text in double quotes and lists in square brackets.' : error}
      value={text}
      onChange={(typed) => {
        setText(typed);
        try {
          onChange(typed.trim() === '' ? undefined : JSON.parse(typed));
          setBroken(false);
        } catch {
          setBroken(true);
        }
      }}
    />
  );
}

interface Properties {
  readonly protocol: string;
  readonly field: Exclude<ParameterField, { kind: 'words' }>;
  readonly words: Omit<FieldText, 'description'> & { readonly description?: string };
  /** The paper's own value; undefined where it has none. */
  readonly paper: unknown;
  /** Undefined: not set. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** Means that no choice is made; no value of a parameter is an empty text. */
const notSet = '';

function ChoiceControl({ protocol, field, words, paper, value, onChange }: Properties & { field: { kind: 'choice' } }) {
  const { name, choices, preset } = field;
  const chosen = choices.find((choice) => choice === value) ?? preset;
  const noteOf = (choice: Scalar) => {
    const marks = [choice === preset ? 'default' : null, choice === paper ? 'the paper’s own' : null];
    return marks.filter((mark) => mark !== null).join(', ') || undefined;
  };
  return (
    <Select
      {...words}
      value={chosen === null ? notSet : String(chosen)}
      choices={[
        ...(preset === null ? [{ id: notSet, label: 'not set' }] : []),
        ...choices.map((choice) => ({
          id: String(choice),
          label: choiceText(protocol, name, choice),
          note: noteOf(choice),
        })),
      ]}
      onChange={(id) => onChange(choices.find((choice) => String(choice) === id))}
    />
  );
}

/** One parameter as the field that fits its type; what fits none is written as JSON. */
export function ParameterControl(properties: Properties) {
  const { field, words, value, onChange } = properties;
  switch (field.kind) {
    case 'choice':
      return <ChoiceControl {...properties} field={field} />;
    case 'switch':
      return (
        <Checkbox
          isSelected={typeof value === 'boolean' ? value : field.preset}
          onChange={onChange}
          {...(words.description === undefined ? {} : { note: words.description })}
        >
          {words.label}
        </Checkbox>
      );
    case 'number':
      return (
        <NumberField
          {...words}
          value={typeof value === 'number' ? value : field.preset}
          onChange={onChange}
          step={field.whole ? 1 : 0.1}
          {...(field.preset === null ? { placeholder: 'not set' } : {})}
          {...(field.least === null ? {} : { minValue: field.least })}
          {...(field.most === null ? {} : { maxValue: field.most })}
        />
      );
    case 'text':
      return (
        <TextField
          {...words}
          value={typeof value === 'string' ? value : (field.preset ?? '')}
          placeholder="not set"
          onChange={(text) => onChange(text === '' ? undefined : text)}
        />
      );
    case 'json':
      return <JsonField {...words} value={value} onChange={onChange} />;
  }
}
