import type { ScoreColumn } from '../../../core/imported/scoreColumns.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { bindFields } from '../../ui/FormField.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { ColumnSelect } from '../importing/ColumnSelect.tsx';
import { groupsCost, NumbersNote } from '../importing/NumbersNote.tsx';
import {
  type ColumnPart,
  comparisonSigns,
  groupColumns,
  type Labels,
  type OwnColumns,
  type PredictionForm,
  type PredictionState,
  scaleOf,
  statedIn,
  unread,
  unusedColumns,
} from './predictionForm.ts';

interface Field {
  readonly part: ColumnPart;
  readonly label: string;
  readonly description: string;
  /** What to choose where the file has no such column; absent where there must be one. */
  readonly without?: string;
  /** What is otherwise for a new experiment. */
  readonly made?: Pick<Field, 'description' | 'without'>;
}

const fields: readonly Field[] = [
  {
    part: 'case',
    label: 'Case',
    description: 'The ids of the cases, spelled as in the data set.',
    made: { description: 'The id of the case or person.' },
  },
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
  {
    part: 'weight',
    label: 'Weight',
    description: 'The sampling weight of the case, compared with the data set.',
    without: 'none: not compared',
    made: { description: 'How many of a population the case represents.', without: 'none: each case counts once' },
  },
];

/** Labels or columns beyond which a screen has no room for each. */
const mostLabels = 20;

const scales = [
  { id: '1', label: '0 to 1' },
  { id: '100', label: '0 to 100', note: 'percentages' },
] as const;

function OpinionFields({ inspection, form, onChange, errorAt }: PredictionState) {
  const { opinions } = form;
  return ['', ...opinions].map((_, place) => (
    <ColumnSelect
      // biome-ignore lint/suspicious/noArrayIndexKey: an opinion is its place in the order
      key={place}
      inspection={inspection}
      label={`Opinion ${place + 1}`}
      description="What was said before the prediction, in this order."
      value={opinions[place] ?? ''}
      error={place === 0 ? errorAt('opinion') : undefined}
      without={
        place < opinions.length ? 'none: leave this one out' : place === 0 ? 'none: the prediction alone' : 'none: that was all'
      }
      except={opinions.filter((column) => column !== opinions[place])}
      onChange={(column) => onChange({ opinions: opinions.toSpliced(place, 1, ...(column === '' ? [] : [column])) })}
    />
  ));
}

/** Asks what a score says: without it, nothing says how sure each prediction was. */
function ScoreQuestion({
  column,
  scale,
  why,
  labels,
  onChoose,
  onConfidence,
}: ScoreColumn & Pick<Labels, 'labels'> & { onChoose: (label: string) => void; onConfidence: () => void }) {
  return (
    <Notice tone="warn">
      <span>
        <Isolated text={column} /> has {why}.{' '}
        {scale === null
          ? 'Such ranks are no probabilities. If they are the prediction, choose them there, and “scores” below.'
          : `Is it how sure each prediction was, whatever it was, or the probability of one label? Without either, there is no calibration and no Brier score.${labels.length === 2 ? '' : ' Choose the probability of each label above.'}`}
      </span>
      {scale === null ? null : (
        <Button size="small" onPress={onConfidence}>
          Confidence of the prediction
        </Button>
      )}
      {scale === null || labels.length !== 2
        ? null
        : labels.map((label) => (
            <Button key={label} size="small" onPress={() => onChoose(label)}>
              <span>
                Probability of <Isolated text={label} />
              </span>
            </Button>
          ))}
    </Notice>
  );
}

function proposal({ columns }: PredictionState['inspection'], form: PredictionForm, part: ColumnPart) {
  const chosen = columns.find(({ name }) => name !== '' && name === form.columns[part]);
  if (chosen === undefined || form.columns.case === '') return {};
  if (part === 'system' && chosen.eachOncePer === form.columns.case)
    return { description: `Every case has each of its ${chosen.values?.length ?? 0} values once.` };
  if (part === 'prediction' && chosen.variesPer === form.columns.case)
    return { description: 'What was said of the case: rows of one case differ in it.' };
  return {};
}

export function ColumnFields({ own, labels, positive, ...state }: PredictionState & { own: OwnColumns } & Labels) {
  const { inspection, form, onChange, errorAt } = state;
  const at = bindFields(form, onChange);
  const stated = statedIn(form).some(([label]) => labels.includes(label));
  const stating = (edit: Partial<PredictionForm>) => ({ ...edit, scale: scaleOf(inspection, { ...form, ...edit }) });
  const groups = groupColumns(inspection, form, own);
  const unused = unusedColumns(inspection, form);
  const left = unread(inspection, form, labels);
  // The confidence of a prediction is its probability, and without a prediction the likeliest label is it.
  const shown = fields.filter(
    ({ part }) =>
      (part !== 'confidence' || !stated) &&
      // A new experiment has the column of its truths next to its labels.
      (part !== 'truth' || own !== null) &&
      (part !== 'weight' || own === null || own.weight !== undefined),
  );
  return (
    <>
      <div className="fields">
        {shown.map(({ part, label, made, ...recorded }) => (
          <ColumnSelect
            key={part}
            inspection={inspection}
            label={label}
            value={form.columns[part]}
            error={errorAt(part)}
            {...(own === null && made !== undefined ? made : recorded)}
            {...proposal(inspection, form, part)}
            {...(part === 'prediction' && stated ? { without: 'none: the likeliest label' } : {})}
            onChange={(column) => {
              const columns = { ...form.columns, [part]: column };
              onChange(part === 'confidence' ? stating({ columns }) : { columns });
            }}
          />
        ))}
        {labels.length > mostLabels
          ? null
          : labels.map((label, place) => (
              <ColumnSelect
                key={`probability of ${label}`}
                inspection={inspection}
                label={`Probability of ${label}`}
                description={labels.length === 2 ? 'Of two labels one suffices.' : 'All are needed, or none.'}
                value={form.probabilities[label] ?? ''}
                error={place === 0 ? errorAt('probability') : undefined}
                without="none: not stated"
                onChange={(column) => onChange(stating({ probabilities: { ...form.probabilities, [label]: column } }))}
              />
            ))}
        <OpinionFields {...state} />
      </div>
      {groups.length === 0 ? null : (
        <fieldset className="unframed stack gap-8 min-w-0">
          <legend className="text-13">{own === null ? 'Groups to compare' : 'Groups, compared with the data set'}</legend>
          {groups.map((group) => (
            <Checkbox
              key={group}
              isSelected={form.groups.includes(group)}
              onChange={(on) => onChange({ groups: groups.filter((each) => (each === group ? on : form.groups.includes(each))) })}
            >
              {group}
            </Checkbox>
          ))}
          {own === null ? <p className="quiet max-w-80ch">{groupsCost}</p> : null}
          {errorAt('group') === null ? null : (
            <p className="text-bad text-13" data-fault tabIndex={-1}>
              {errorAt('group')}
            </p>
          )}
        </fieldset>
      )}
      {own === null ? <NumbersNote inspection={inspection} groups={form.groups} /> : null}
      {unused.length === 0 ? null : (
        <p className="muted wrap-anywhere">
          Other columns are not imported: <Isolated text={unused.slice(0, mostLabels).join(', ')} />
          {unused.length > mostLabels ? ` and ${unused.length - mostLabels} more` : ''}.
        </p>
      )}
      {left.labels.length === 0 ? null : (
        <Notice tone="warn">
          No column is chosen as the prediction, and these hold labels: <Isolated text={left.labels.join(', ')} />. If one of them
          is what was predicted, choose it.
        </Notice>
      )}
      {left.scores.map((score) => (
        <ScoreQuestion
          key={score.column}
          {...score}
          labels={positive === null ? labels : labels.toSorted((a, b) => Number(b === positive) - Number(a === positive))}
          onConfidence={() => onChange(stating({ columns: { ...form.columns, confidence: score.column } }))}
          onChoose={(label) => onChange(stating({ probabilities: { ...form.probabilities, [label]: score.column } }))}
        />
      ))}
      {form.columns.confidence === '' && !stated ? null : (
        <RadioCards label={stated ? 'Probabilities go from' : 'Confidence goes from'} {...at('scale')} choices={scales} />
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
export function ScoreFields({ form, onChange, errorAt, labels, positive }: PredictionState & Labels) {
  if (labels.length !== 2 || positive === null) return null;
  const at = bindFields(form, onChange);
  return (
    <>
      <RadioCards label="The predictions are" {...at('reading')} choices={readings} />
      {form.reading === 'labels' ? null : (
        <div className="fields">
          <Select
            label={`${positive} where the number is`}
            {...at('sign')}
            choices={comparisonSigns.map((id) => ({ id, label: signText[id] }))}
          />
          <TextField label="Limit" inputMode="decimal" {...at('limit')} error={errorAt('limit')} />
        </div>
      )}
    </>
  );
}
