import type { ComponentProps } from 'react';
import type { Inspection } from '../../../shared/api/dataFiles.ts';
import { Select } from '../../ui/Select.tsx';

/** A choice among columns, each with an example. @param value empty: none @param without choice of none @param except left out */
export function ColumnSelect({
  inspection: { columns },
  value,
  without,
  except = [],
  ...rest
}: {
  inspection: Inspection;
  value: string;
  without?: string | undefined;
  except?: readonly string[];
} & Pick<ComponentProps<typeof Select<string>>, 'label' | 'description' | 'error' | 'onChange'>) {
  const choices = columns
    .filter(({ name }) => !except.includes(name))
    .map(({ name, examples }) => ({ id: name, label: name, note: examples[0]?.slice(0, 60) }));
  return (
    <Select
      {...rest}
      placeholder="Choose a column"
      value={value === '' && without === undefined ? null : value}
      choices={without === undefined ? choices : [{ id: '', label: without }, ...choices]}
    />
  );
}
