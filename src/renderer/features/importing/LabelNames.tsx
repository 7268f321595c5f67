import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { TextField } from '../../ui/TextField.tsx';

export function LabelNames({
  values,
  map,
  onChange,
}: {
  values: readonly string[];
  /** Value -> label, where it is not the value itself. */
  map: Readonly<Record<string, string>>;
  onChange: (value: string, label: string) => void;
}) {
  return (
    <DataTable
      caption="Label names"
      close
      rows={values}
      keyOf={(value) => value}
      columns={[
        {
          title: 'value in the file',
          look: 'mono-12-5 wrap-anywhere',
          dir: 'auto',
          cell: (value) => <HiddenText text={value} />,
        },
        {
          title: 'label',
          cell: (value) => (
            <TextField
              label={`Label for ${value}`}
              labelHidden
              value={map[value] ?? value}
              error={(map[value] ?? value) === '' ? 'A label needs a name.' : null}
              onChange={(label) => onChange(value, label)}
            />
          ),
        },
      ]}
    />
  );
}
