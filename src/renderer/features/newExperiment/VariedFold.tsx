import type { ReactNode } from 'react';
import { findProtocol } from '../../../core/protocols/index.ts';
import type { Matrix } from '../../../shared/matrix.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { TagsField } from '../../ui/TagsField.tsx';
import { useVariants } from '../prompts/promptQueries.ts';
import { protocolTitle } from '../protocols/acceptance.ts';
import { type ParameterField, parameterFields } from '../protocols/parameters.ts';
import { choiceText, parameterText } from '../protocols/words.ts';
import styles from './NewExperiment.module.css';

/** What varies in a protocol. */
export type Varied = Matrix['protocols'][string];

/** A parameter with a value that can be named alone. */
type VariableField = Extract<ParameterField, { kind: 'choice' | 'switch' | 'number' }>;

const isVariable = (field: ParameterField): field is VariableField => ['choice', 'switch', 'number'].includes(field.kind);

export const toggled = <Value,>(values: readonly Value[], value: Value): Value[] =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value];

export function Choices<Value>({
  legend,
  choices,
  chosen,
  onChange,
}: {
  legend: string;
  choices: readonly { readonly id: Value; readonly label: ReactNode }[];
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
}) {
  return (
    <fieldset className={`unframed ${styles.matrixChoices}`}>
      <legend className="font-600">{legend}</legend>
      {choices.map(({ id, label }) => (
        <Checkbox key={String(id)} isSelected={chosen.includes(id)} onChange={() => onChange(toggled(chosen, id))}>
          {label}
        </Checkbox>
      ))}
    </fieldset>
  );
}

function numberProblem({ whole, least, most }: VariableField & { kind: 'number' }, typed: string): string | null {
  const value = Number(typed);
  if (!Number.isFinite(value)) return 'This is not a number.';
  if (whole && !Number.isInteger(value)) return 'This is not a whole number.';
  if (least !== null && value < least) return `The smallest value is ${least}.`;
  return most !== null && value > most ? `The largest value is ${most}.` : null;
}

function ValuesField({
  protocol,
  field,
  values,
  onChange,
}: {
  protocol: string;
  field: VariableField;
  values: readonly unknown[];
  onChange: (values: unknown[]) => void;
}) {
  const { label } = parameterText(protocol, field.name);
  if (field.kind !== 'number') {
    const choices = field.kind === 'switch' ? [false, true] : field.choices;
    const named = choices.map((choice) => ({ id: choice as unknown, label: choiceText(protocol, field.name, choice) }));
    return <Choices legend={label} choices={named} chosen={values} onChange={onChange} />;
  }
  return (
    <TagsField
      label={label}
      noun="value"
      values={values.map(String)}
      problemOf={(typed) => (values.includes(Number(typed)) ? 'This value is in the list already.' : numberProblem(field, typed))}
      onAdd={(typed) => onChange([...values, Number(typed)])}
      onRemove={(typed) => onChange(values.filter((value) => String(value) !== typed))}
    />
  );
}

/** The values of a protocol's parameters and prompts that arms are made of; without a choice, those of the protocol. */
export function VariedFold({
  protocol,
  varied,
  onChange,
}: {
  protocol: string;
  varied: Varied;
  onChange: (varied: Varied) => void;
}) {
  const variants = useVariants().data?.variants.filter((variant) => variant.protocol === protocol) ?? [];
  const fields = parameterFields(findProtocol(protocol)?.paramsSchema ?? {}).filter(isVariable);
  const { prompts = [null], params } = varied;
  const several = [...Object.values(params), prompts].filter((values) => values.length > 1).length;
  return (
    <Fold
      title={`Parameters${variants.length === 0 ? '' : ' and prompts'} of ${protocolTitle(protocol)}`}
      aside={several === 0 ? 'one value each' : `${several} with several values`}
    >
      <div className="stack gap-14">
        {variants.length === 0 ? null : (
          <Choices
            legend="Prompts"
            choices={[{ id: null, label: 'as shipped' }, ...variants.map(({ name }) => ({ id: name, label: name }))]}
            chosen={prompts}
            onChange={(chosen) => onChange({ ...varied, prompts: chosen.length === 0 ? [null] : chosen })}
          />
        )}
        {fields.map((field) => (
          <ValuesField
            key={field.name}
            protocol={protocol}
            field={field}
            values={params[field.name] ?? (field.preset === null ? [] : [field.preset])}
            onChange={(values) => {
              const { [field.name]: _before, ...others } = params;
              onChange({ ...varied, params: values.length === 0 ? others : { ...others, [field.name]: values } });
            }}
          />
        ))}
      </div>
    </Fold>
  );
}
