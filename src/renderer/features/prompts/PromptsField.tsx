import { Select } from '../../ui/Select.tsx';
import { useVariants } from './promptQueries.ts';

/** The words of an arm's prompts. There is nothing to choose, and no field, where the user has no variant of the protocol. */
export function PromptsField({
  protocol,
  value,
  error,
  onChange,
}: {
  protocol: string;
  /** Name of a variant; empty: the shipped words. */
  value: string;
  error: string | null;
  onChange: (name: string) => void;
}) {
  const { data } = useVariants();
  const own = data?.variants.filter((variant) => variant.protocol === protocol) ?? [];
  const broken = data?.broken ?? [];
  if (own.length === 0 && value === '' && broken.length === 0) return null;
  // A name of a kept form whose file is gone is in the list until another one is chosen.
  const gone = value === '' || own.some(({ name }) => name === value) ? [] : [{ id: value, label: value, note: 'not found' }];
  return (
    <Select
      label="Prompts"
      value={value}
      error={error}
      description={broken.length === 0 ? undefined : `Not usable: ${broken.join(' ')}`}
      choices={[
        { id: '', label: 'as shipped' },
        ...own.map(({ name, about }) => ({ id: name, label: name, ...(about === '' ? {} : { note: about }) })),
        ...gone,
      ]}
      onChange={onChange}
    />
  );
}
