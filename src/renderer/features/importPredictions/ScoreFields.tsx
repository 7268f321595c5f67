import { RadioCards } from '../../ui/RadioCards.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import styles from '../importing/Importing.module.css';
import { comparisonSigns, type PredictionForm } from './predictionForm.ts';

const readings = [
  { id: 'labels', label: 'labels', note: 'or words that stand for one' },
  { id: 'scores', label: 'scores', note: 'numbers; a limit divides them' },
] as const;

const signWords: Readonly<Record<(typeof comparisonSigns)[number], string>> = {
  '>=': 'at least',
  '>': 'more than',
  '<=': 'at most',
  '<': 'less than',
  '=': 'exactly',
};

/** Whether the file holds labels, or scores with a limit; the latter only where there are two labels, one of them positive. */
export function ScoreFields({
  form,
  labels,
  positive,
  onChange,
  error,
}: {
  form: PredictionForm;
  labels: readonly string[];
  positive: string | null;
  onChange: (change: Partial<PredictionForm>) => void;
  error: string | null;
}) {
  if (labels.length !== 2 || positive === null) return null;
  return (
    <>
      <RadioCards
        label="The predictions are"
        value={form.reading}
        choices={readings}
        onChange={(reading) => onChange({ reading })}
      />
      {form.reading === 'labels' ? null : (
        <div className={styles.fields}>
          <Select
            label={`${positive} where the number is`}
            value={form.sign}
            choices={comparisonSigns.map((id) => ({ id, label: signWords[id] }))}
            onChange={(sign) => onChange({ sign })}
          />
          <TextField
            label="Limit"
            inputMode="decimal"
            value={form.limit}
            error={error}
            onChange={(limit) => onChange({ limit })}
          />
        </div>
      )}
    </>
  );
}
