import { Link } from 'wouter';
import { splitText } from '../../../core/cases/shares.ts';
import type { DataFile } from '../../../shared/api/dataFiles.ts';
import { type SplitName, splitNames } from '../../../shared/domain.ts';
import { count } from '../../../shared/sizes.ts';
import { toEntry } from '../../app/routes.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { bindFields } from '../../ui/FormField.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { LeftOut } from '../datasets/Facts.tsx';
import type { DraftFault, DraftForm } from './draft.ts';

interface Properties {
  readonly entry: DataFile;
  readonly sizes: Sizes;
  readonly form: DraftForm;
  readonly onChange: (part: Partial<Omit<DraftForm, 'arms'>>) => void;
  readonly errorAt: (place: string, below?: boolean) => string | null;
}

type Sizes = Readonly<Record<SplitName, number>>;

const mostOf = ({ from }: DraftForm, { cases }: DataFile, sizes: Sizes) => (from === 'all' ? cases : sizes[from]);
const leastOf = ({ extend }: DraftForm) => extend?.sample.n ?? 1;

/** Whether there is a case that the sample of the experiment could have and has not. */
export const canAddCases = (form: DraftForm, entry: DataFile, sizes: Sizes): boolean => {
  const { ids, n } = form.extend?.sample ?? { n: 0 };
  return ids === undefined && n !== undefined && n < mostOf(form, entry, sizes);
};

/** A number of cases that cannot be meant, such as that of the added ones; it stays as it was typed. */
export function sampleFaults(form: DraftForm, entry: DataFile, sizes: Sizes): DraftFault[] {
  const { n } = form;
  const [least, most] = [leastOf(form), mostOf(form, entry, sizes)];
  if (n === null || (n >= least && n <= most)) return [];
  const message =
    n > most
      ? `There are ${quantity(most, 'case')} to draw from.`
      : `This experiment has ${quantity(least, 'case')} already. ${least + n <= most ? `To add ${n.toLocaleString('en-GB')}, write ${(least + n).toLocaleString('en-GB')}` : `Write ${least.toLocaleString('en-GB')} to ${most.toLocaleString('en-GB')}`}.`;
  return [{ path: 'sample.n', message }];
}

/** Of how many cases a number is, how many of it are new, and how many are not tried. */
export function ofCases(n: number, least: number, most: number): string {
  const left = most - n;
  return [
    `of ${count(most)}`,
    ...(least > 0 && n > least && left >= 0 ? [`${count(n - least)} of them new`] : []),
    ...(left > 0 ? [`${count(left)} ${left === 1 ? 'is' : 'are'} not tried`] : []),
  ].join(', ');
}

export function SampleSection({ entry, sizes, form, onChange, errorAt }: Properties) {
  const { extend } = form;
  const at = bindFields(form, onChange, errorAt);
  const most = mostOf(form, entry, sizes);
  const least = leastOf(form);
  const { label, groups } = entry.definition;
  const columns = [...new Set([...(label === undefined ? [] : [label.column]), ...groups])];
  return (
    <Section
      title="Cases"
      lead={
        <>
          Picked at random from “<Isolated text={entry.name} />
          ”, by the seed. If you add cases later, these stay. <LeftOut columns={entry.definition.exclude} />
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
      {canAddCases(form, entry, sizes) ? null : (
        <Notice>
          <span>
            {extend?.sample.ids === undefined
              ? `No case can be added: all ${quantity(most, 'case')}${form.from === 'all' ? '' : ` of the ${splitText[form.from]} share`} are on trial.`
              : 'No case can be added: the experiment names its cases one by one.'}{' '}
            To try another case, open it in the <Link href={toEntry(entry.id)}>data set</Link> and press “Try this case”. To
            compare arms on other cases, make a new experiment and choose another share under “Cases from”.
          </span>
        </Notice>
      )}
      <div className="fields">
        <Select
          label="Cases from"
          value={form.from}
          isDisabled={extend !== undefined}
          description={extend === undefined ? undefined : 'The share of an experiment stays.'}
          error={errorAt('sample.from') ?? errorAt('sample')}
          choices={[
            ...splitNames.map((name) => ({
              id: name,
              label: `the ${splitText[name]} share, ${quantity(sizes[name], 'case')}`,
              disabled: sizes[name] === 0,
            })),
            { id: 'all' as const, label: `all ${quantity(entry.cases, 'case')}` },
          ]}
          onChange={(from) => onChange({ from })}
        />
        {!canAddCases(form, entry, sizes) ? null : (
          <div className="stack gap-6">
            <NumberField
              label={extend === undefined ? 'Number of cases' : `Cases in all, ${least.toLocaleString('en-GB')} now`}
              value={form.n ?? most}
              minValue={1}
              isDisabled={form.n === null}
              error={errorAt('sample.n')}
              description={ofCases(form.n ?? most, extend === undefined ? 0 : least, most)}
              onChange={(n) => onChange({ n: n ?? least })}
            />
            <Checkbox
              isSelected={form.n === null}
              onChange={(all) => onChange({ n: all ? null : Math.max(least, Math.min(most, 20)) })}
            >
              all of them
            </Checkbox>
            <Checkbox
              isSelected={form.distinct === true}
              isDisabled={extend !== undefined}
              onChange={(distinct) => onChange({ distinct: distinct || undefined })}
            >
              repeated cases only once
            </Checkbox>
          </div>
        )}
        {columns.length === 0 || !canAddCases(form, entry, sizes) ? null : (
          <Select
            label="In proportion to"
            value={form.by ?? ''}
            isDisabled={extend !== undefined || form.n === null}
            description="Each value of the column gets the share of the sample that it has of the cases."
            error={errorAt('sample.by')}
            choices={[{ id: '', label: 'no column, by lot only' }, ...columns.map((column) => ({ id: column, label: column }))]}
            onChange={(by) => onChange({ by: by === '' ? undefined : by })}
          />
        )}
        <NumberField
          label="Seed"
          description={
            entry.definition.split.by === undefined
              ? 'Deals test and training, the sample and every call.'
              : 'Of the sample and of every call.'
          }
          {...at('seed')}
          minValue={0}
          isDisabled={extend !== undefined}
          formatOptions={{ useGrouping: false }}
        />
        <NumberField
          label={extend === undefined ? 'Replicates' : `Replicates in all, ${extend.replicates.toLocaleString('en-GB')} now`}
          description="Trials of each case in each arm, each with its own seed."
          {...at('replicates')}
          minValue={extend?.replicates ?? 1}
          maxValue={100_000}
        />
      </div>
    </Section>
  );
}
