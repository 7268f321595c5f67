import { bindFields } from '../../ui/FormField.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { ColumnSelect } from '../importing/ColumnSelect.tsx';
import { LabelNames } from '../importing/LabelNames.tsx';
import { newLabels, type PredictionState, truthValues } from './predictionForm.ts';
import { withTruth } from './predictionGuess.ts';

/** What a new experiment is called and asks, and the truths that its labels come from. */
export function ExperimentFields({ isRecorded, ...state }: PredictionState & { isRecorded: boolean }) {
  const { inspection, form, onChange, errorAt } = state;
  const at = bindFields(form, onChange, errorAt);
  return (
    <Section title={isRecorded ? 'The experiment' : 'The new experiment'}>
      <TextField
        label="Name of the experiment"
        description={
          isRecorded
            ? 'An experiment of this name is on the record. The predictions go into it, under its question and its positive label.'
            : 'Its cases are those of the file, without facts. You can import more files into it later.'
        }
        {...at('name')}
      />
      {isRecorded ? null : (
        <TextField
          label="Which question was decided?"
          description="The same for every case, as “Will this person repay the loan?”"
          rows={2}
          look="serif"
          {...at('question')}
        />
      )}
      <ColumnSelect
        inspection={inspection}
        label="Truth"
        description="What really happened. Its values become the labels."
        value={form.columns.truth}
        error={errorAt('truth')}
        onChange={(truth) => onChange(withTruth(inspection, form, truth))}
      />
      <NewLabels {...state} isRecorded={isRecorded} />
    </Section>
  );
}

function NewLabels({ inspection, form, onChange, errorAt, isRecorded }: PredictionState & { isRecorded: boolean }) {
  const values = truthValues(inspection, form);
  const { labels, positive } = newLabels(inspection, form);
  if (values === null) {
    return <p className="muted wrap-anywhere">There are over 50 different values; each becomes its own label.</p>;
  }
  if (values.length === 0) return null;
  const side = {
    label: 'Which label is the positive one?',
    description:
      'The one that rates are counted of, such as “default” or “repays”: precision, recall and the rates of groups are about it.',
    value: positive ?? '',
    error: errorAt('positive'),
    onChange: (chosen: string) => onChange({ positive: chosen }),
  };
  const choices = labels.map((id) => ({ id, label: id }));
  return (
    <>
      <LabelNames
        values={values}
        map={form.map}
        onChange={(value, label) => onChange({ map: { ...form.map, [value]: label } })}
      />
      {isRecorded || labels.length < 2 ? null : labels.length === 2 ? (
        <RadioCards {...side} choices={choices} />
      ) : (
        <Select {...side} choices={[{ id: '', label: 'none of them' }, ...choices]} />
      )}
    </>
  );
}
