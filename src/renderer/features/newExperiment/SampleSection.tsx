import type { DataFile } from '../../../shared/api/dataFiles.ts';
import { type SplitName, splitNames } from '../../../shared/domain.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { bindFields } from '../../ui/FormField.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { splitText } from '../datasets/definition.ts';
import type { DraftForm } from './draft.ts';

interface Properties {
  readonly entry: DataFile;
  readonly sizes: Readonly<Record<SplitName, number>>;
  readonly form: DraftForm;
  readonly onChange: (part: Partial<Omit<DraftForm, 'arms'>>) => void;
  readonly errorAt: (place: string, below?: boolean) => string | null;
}

/** Which cases are tried, how often, and under which name. */
export function SampleSection({ entry, sizes, form, onChange, errorAt }: Properties) {
  const { extend } = form;
  const at = bindFields(form, onChange, errorAt);
  const most = form.from === 'all' ? entry.cases : sizes[form.from];
  const least = extend?.sample.n ?? 1;
  return (
    <Section
      title="Cases"
      lead={
        <>
          Picked at random from <Isolated text={entry.name} />, by the seed. If you add cases later, these stay.
        </>
      }
    >
      <TextField
        label="Name of the experiment"
        placeholder="made from the data set and the protocols"
        maxLength={200}
        {...at('name')}
        isDisabled={extend !== undefined}
      />
      <div className="fields">
        <Select
          label="Cases from"
          value={form.from}
          isDisabled={extend !== undefined}
          error={errorAt('sample.from') ?? errorAt('sample')}
          choices={[
            ...splitNames.map((name) => ({
              id: name,
              label: `the ${splitText[name]} share, ${quantity(sizes[name], 'case')}`,
              disabled: sizes[name] === 0,
            })),
            { id: 'all' as const, label: `all ${quantity(entry.cases, 'case')}` },
          ]}
          onChange={(from) => onChange(from === 'all' ? { from, n: null } : { from })}
        />
        {extend !== undefined && extend.sample.n === undefined ? null : (
          <div className="stack gap-6">
            <NumberField
              label="Number of cases"
              value={form.n ?? most}
              minValue={least}
              maxValue={Math.max(1, most)}
              isDisabled={form.n === null}
              error={
                errorAt('sample.n') ??
                (form.n !== null && form.n > most ? `There are ${quantity(most, 'case')} to draw from.` : null)
              }
              description={`of ${most.toLocaleString('en-GB')}`}
              onChange={(n) => onChange({ n: n ?? least })}
            />
            <Checkbox
              isSelected={form.n === null}
              onChange={(all) => onChange({ n: all ? null : Math.max(least, Math.min(most, 20)) })}
            >
              all of them
            </Checkbox>
          </div>
        )}
        <NumberField
          label="Seed"
          description="Of the sample and of every call."
          {...at('seed')}
          minValue={0}
          isDisabled={extend !== undefined}
          formatOptions={{ useGrouping: false }}
        />
        <NumberField
          label="Replicates"
          description="Trials of each case in each arm, each with its own seed."
          {...at('replicates')}
          minValue={extend?.replicates ?? 1}
          maxValue={100_000}
        />
      </div>
    </Section>
  );
}
