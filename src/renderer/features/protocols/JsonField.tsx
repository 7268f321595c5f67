import { useState } from 'react';
import type { FieldWords } from '../../ui/FormField.tsx';
import { TextField } from '../../ui/TextField.tsx';

/** A value that has no field of its own, written as JSON. */
export function JsonField({
  value,
  onChange,
  error,
  ...words
}: FieldWords & { value: unknown; onChange: (value: unknown) => void }) {
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value)));
  const [broken, setBroken] = useState(false);
  return (
    <TextField
      {...words}
      look="mono"
      error={broken ? 'This is not JSON yet; text stands in double quotes, lists in square brackets.' : error}
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
