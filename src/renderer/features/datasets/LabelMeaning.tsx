import { longestDecider } from '../../../shared/experiment.ts';
import { bindFields } from '../../ui/FormField.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Select } from '../../ui/Select.tsx';
import { TagsField } from '../../ui/TagsField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { ColumnSelect } from '../importing/ColumnSelect.tsx';
import { LabelNames } from '../importing/LabelNames.tsx';
import {
  type CaseForm,
  hasSides,
  isGuessed,
  labelsOf,
  positiveLabel,
  sourceValues,
  valueWithLabel,
  withTruth,
} from './importForm.ts';

const separators = [
  { id: 'one', label: 'one label' },
  { id: '|', label: 'several, with | between' },
  { id: ';', label: 'several, with ; between' },
  { id: ',', label: 'several, with a comma between' },
  { id: 'json', label: 'several, as a JSON list' },
] as const;

export function LabelMeaning({ inspection, form, onChange, errorAt }: CaseForm) {
  const at = bindFields(form, onChange, errorAt);
  const values = sourceValues(inspection, form);
  const labels = labelsOf(form, values);
  const isGuess = isGuessed(inspection, form);
  const side = {
    ...at('positive'),
    value: positiveLabel(form),
    onChange: (label: string) => onChange({ positive: valueWithLabel(form.map, label) }),
  };
  const known = separators.some(({ id }) => id === form.multiple);
  return (
    <>
      <div className="fields">
        <ColumnSelect
          inspection={inspection}
          label="Column with the label"
          description={`Never shown to a model. It is what verdicts are compared with.${isGuess ? ' This column is a guess: check it.' : ''}`}
          value={form.label}
          error={errorAt('label')}
          without="none: no label is known"
          onChange={(label) =>
            onChange(withTruth(inspection, form, { label, map: {}, positive: '', ...(label === '' ? {} : { labels: [] }) }))
          }
        />
        {form.label === '' ? null : (
          <Select
            label="Each cell holds"
            value={form.multiple}
            choices={known ? separators : [...separators, { id: form.multiple, label: `several, with ${form.multiple} between` }]}
            onChange={(multiple) => onChange({ multiple, map: {} })}
          />
        )}
      </div>
      {form.label === '' ? null : (
        <>
          <RadioCards
            label="What does this column say?"
            value={form.decidedBy === null ? 'truth' : 'decision'}
            onChange={(says) => onChange({ decidedBy: says === 'truth' ? null : '' })}
            choices={[
              { id: 'truth', label: 'What happened, or what is right' },
              { id: 'decision', label: 'What somebody decided', note: 'Verdicts then agree with it or differ from it.' },
            ]}
          />
          {form.decidedBy === null ? null : (
            <TextField
              {...at('decidedBy')}
              label="By whom?"
              description="As in “differs from the bank”: write “the bank”."
              value={form.decidedBy}
              maxLength={longestDecider}
            />
          )}
        </>
      )}
      {form.label === '' ? (
        <TagsField
          label="Labels to choose from"
          noun="label"
          description="At least two, such as NO and YES."
          values={form.labels}
          error={errorAt('labels')}
          onAdd={(label) => onChange(withTruth(inspection, form, { labels: [...form.labels, label] }))}
          onRemove={(label) => onChange(withTruth(inspection, form, { labels: form.labels.filter((other) => other !== label) }))}
        />
      ) : values === null ? (
        <p className="muted wrap-anywhere">
          {form.multiple === 'json'
            ? 'The labels are read from the lists.'
            : 'There are over 50 different values, or long texts; each becomes its own label.'}
        </p>
      ) : (
        <LabelNames
          values={values}
          map={form.map}
          onChange={(value, label) => onChange({ map: { ...form.map, [value]: label } })}
        />
      )}
      {errorAt('map') === null ? null : (
        <p className="text-bad text-13" data-fault tabIndex={-1}>
          {errorAt('map')}
        </p>
      )}
      {hasSides(form, inspection) ? (
        <RadioCards
          label="Which answer does the prosecution argue for?"
          description="Usually the one against the person concerned, such as “refused”. Precision, recall and F1 are about it."
          {...side}
          choices={labels.map((id) => ({ id, label: id }))}
        />
      ) : labels.length === 0 || form.multiple !== 'one' ? null : (
        <Select
          label="Which answer are precision, recall and F1 about?"
          description="Where a protocol has a prosecution, it argues for this one. With several answers there may be none."
          {...side}
          choices={[{ id: '', label: 'none of them' }, ...labels.map((id) => ({ id, label: id }))]}
        />
      )}
    </>
  );
}
