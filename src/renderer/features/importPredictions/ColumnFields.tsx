import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { ColumnSelect } from '../importing/ColumnSelect.tsx';
import styles from '../importing/Importing.module.css';
import { type ColumnPart, comparisonSigns, type PredictionState } from './predictionForm.ts';

interface Field {
  readonly part: ColumnPart;
  readonly label: string;
  readonly description: string;
  /** What to choose where the file has no such column; absent where there must be one. */
  readonly without?: string;
}

const fields: readonly Field[] = [
  { part: 'case', label: 'Case', description: 'The ids of the cases, spelled as in the data set.' },
  { part: 'prediction', label: 'Prediction', description: 'What was said of the case.' },
  { part: 'confidence', label: 'Confidence', description: 'How sure of the prediction it was.', without: 'none: not stated' },
  {
    part: 'system',
    label: 'System',
    description: 'Who or what predicted, where there are several.',
    without: 'none: one system',
  },
  { part: 'repeat', label: 'Repeat', description: 'Tells several predictions of one case apart.', without: 'none: one a case' },
  {
    part: 'truth',
    label: 'Truth',
    description: 'Compared with the data set; the file must agree.',
    without: 'none: not compared',
  },
];

const scales = [
  { id: '1', label: '0 to 1' },
  { id: '100', label: '0 to 100', note: 'percentages' },
] as const;

/** Which column holds what. */
export function ColumnFields({ inspection, form, onChange, errorAt }: PredictionState) {
  return (
    <>
      <div className={styles.fields}>
        {fields.map(({ part, label, description, without }) => (
          <ColumnSelect
            key={part}
            inspection={inspection}
            label={label}
            description={description}
            value={form.columns[part]}
            error={errorAt(part)}
            without={without}
            onChange={(column) => onChange({ columns: { ...form.columns, [part]: column } })}
          />
        ))}
      </div>
      {form.columns.confidence === '' ? null : (
        <RadioCards label="Confidence goes from" value={form.scale} choices={scales} onChange={(scale) => onChange({ scale })} />
      )}
    </>
  );
}

const readings = [
  { id: 'labels', label: 'labels', note: 'or words for one' },
  { id: 'scores', label: 'scores', note: 'numbers; a limit divides them' },
] as const;

const signText: Readonly<Record<(typeof comparisonSigns)[number], string>> = {
  '>=': 'at least',
  '>': 'more than',
  '<=': 'at most',
  '<': 'less than',
  '=': 'exactly',
};

/** Whether the file holds labels, or scores with a limit; the latter only where there are two labels, one of them positive. */
export function ScoreFields({
  form,
  onChange,
  errorAt,
  labels,
  positive,
}: PredictionState & Pick<ExperimentView, 'labels' | 'positive'>) {
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
            choices={comparisonSigns.map((id) => ({ id, label: signText[id] }))}
            onChange={(sign) => onChange({ sign })}
          />
          <TextField
            label="Limit"
            inputMode="decimal"
            value={form.limit}
            error={errorAt('limit')}
            onChange={(limit) => onChange({ limit })}
          />
        </div>
      )}
    </>
  );
}
