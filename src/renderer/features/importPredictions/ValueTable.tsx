import type { ImportPreview } from '../../../shared/api/imports.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Isolated, Listed } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Select } from '../../ui/Select.tsx';
import type { PredictionForm } from './predictionForm.ts';

export const ReadAs = ({ label }: { label: string | null }) =>
  label === null ? <span className="text-warn">undecided</span> : <Isolated text={label} />;

const asItIs = '';

/** The values of the file, how often each occurs, and the label that it means. */
export function ValueTable({
  preview,
  form,
  onMap,
}: {
  preview: ImportPreview;
  form: PredictionForm;
  onMap: (pairs: Readonly<Record<string, string>>) => void;
}) {
  const { labels, alike } = preview.report;
  const asIs = (value: string) => {
    if (form.reading === 'scores') return 'by the limit';
    return labels.includes(value) ? 'itself' : 'no label';
  };
  return (
    <>
      {alike.length === 0 ? null : (
        <Notice tone="warn">
          <span>
            Some undecided values read like a label and are spelled in another way:{' '}
            <Listed of={alike}>
              {({ value, label, trials }) => (
                <>
                  <Isolated text={JSON.stringify(value)} /> ({trials.toLocaleString('en-GB')}) like <Isolated text={label} />
                </>
              )}
            </Listed>
            .
          </span>
          <Button size="small" onPress={() => onMap(Object.fromEntries(alike.map(({ value, label }) => [value, label])))}>
            Map them
          </Button>
        </Notice>
      )}
      <div className="scroll-x">
        <DataTable
          label="Values of the file and the labels that they mean"
          fits
          close
          rows={preview.values}
          keyOf={({ value }) => value}
          columns={[
            {
              title: 'value in the file',
              look: 'mono-12-5 wrap-anywhere',
              dir: 'auto',
              cell: ({ value }) =>
                value === '' ? <span className="muted wrap-anywhere">empty</span> : <HiddenText text={value} />,
            },
            { title: 'predictions', number: ({ trials }) => trials.toLocaleString('en-GB') },
            {
              title: 'means',
              cell: ({ value }) => (
                <Select
                  label={`Label for ${value === '' ? 'the empty cell' : value}`}
                  labelHidden
                  value={form.map[value] ?? asItIs}
                  choices={[{ id: asItIs, label: asIs(value) }, ...labels.map((id) => ({ id, label: id }))]}
                  onChange={(chosen) => onMap({ [value]: chosen })}
                />
              ),
            },
            { title: 'read as', cell: ({ label }) => <ReadAs label={label} /> },
          ]}
        />
      </div>
      {preview.more_values === 0 ? null : (
        <p className="muted wrap-anywhere">
          {quantity(preview.more_values, 'further different value')}: each is read by its own spelling
          {form.reading === 'scores' ? ' or the comparison' : ''}.
        </p>
      )}
    </>
  );
}
