import type { Inspection } from '../../../shared/api/docket.ts';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Select } from '../../ui/Select.tsx';
import { columnChoices, noColumn } from '../importing/columnChoices.ts';
import styles from '../importing/Importing.module.css';
import type { ColumnPart, FormPart, PredictionForm } from './predictionForm.ts';

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
export function ColumnFields({
  inspection,
  form,
  onChange,
  errorAt,
}: {
  inspection: Inspection;
  form: PredictionForm;
  onChange: (change: Partial<PredictionForm>) => void;
  errorAt: (part: FormPart) => string | null;
}) {
  return (
    <>
      <div className={styles.fields}>
        {fields.map(({ part, label, description, without }) => (
          <Select
            key={part}
            label={label}
            description={description}
            value={form.columns[part] === '' && without === undefined ? null : form.columns[part]}
            error={errorAt(part)}
            choices={columnChoices(inspection, without === undefined ? undefined : noColumn(without))}
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
