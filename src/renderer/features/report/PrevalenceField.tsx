import { rightWords } from '../../../shared/decidedBy.ts';
import { TextField } from '../../ui/TextField.tsx';

/** A percentage between 0 and 100 as a share; null for anything else. */
export function shareIn(text: string): number | null {
  const number = /^\s*\d*[.,]?\d+\s*%?\s*$/.test(text) ? Number(text.replace(',', '.').replace('%', '')) : Number.NaN;
  return number > 0 && number < 100 ? number / 100 : null;
}

export function PrevalenceField({
  positive,
  decidedBy: by,
  text,
  onChange,
}: {
  positive: string;
  /** Who decided the labels; absent: they are the truth. */
  decidedBy: string | undefined;
  text: string;
  onChange: (text: string) => void;
}) {
  return (
    <TextField
      label={
        by === undefined
          ? `Percentage of cases that are truly ${positive}`
          : `Percentage of cases that ${by} decides as ${positive}`
      }
      description={`Predictive values and ${rightWords({ decided_by: by }).accuracy} as they would be there, if positive and negative cases are each as here.`}
      inputMode="decimal"
      value={text}
      error={text.trim() === '' || shareIn(text) !== null ? undefined : 'Write a number between 0 and 100, such as 5.'}
      onChange={onChange}
    />
  );
}
