import { TextField as AriaTextField, Input, TextArea, type TextFieldProps } from 'react-aria-components';
import styles from './FormField.module.css';
import { FieldLabel, FieldNotes, type FieldOf, fieldParts } from './FormField.tsx';

interface Properties extends FieldOf<TextFieldProps>, Pick<TextFieldProps, 'value' | 'onChange'> {
  /** Lines of a larger text; absent: one line. */
  readonly rows?: number;
  readonly look?: 'plain' | 'serif' | 'mono';
  readonly placeholder?: string;
}

/** Text on one line or several; its direction follows what is written. */
export function TextField({ rows, look = 'plain', placeholder, ...rest }: Properties) {
  const { words, widget } = fieldParts(rest);
  const face = look === 'plain' ? '' : styles[look];
  const shared = { dir: 'auto', ...(placeholder === undefined ? {} : { placeholder }) } as const;
  return (
    <AriaTextField {...widget}>
      <FieldLabel {...words} />
      {rows === undefined ? (
        <Input {...shared} className={`field-box min-w-0 p-6-10 ${styles.input} ${face}`} />
      ) : (
        <TextArea {...shared} rows={rows} className={`field-box min-w-0 p-6-10 ${styles.input} ${styles.area} ${face}`} />
      )}
      <FieldNotes {...words} />
    </AriaTextField>
  );
}
