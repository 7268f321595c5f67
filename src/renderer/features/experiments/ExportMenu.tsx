import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useApi, useHost } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { copyText } from '../../ui/CopyButton.tsx';
import { FormatMenu } from '../../ui/FormatMenu.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import { notify } from '../../ui/Toasts.tsx';
import { useCheckpoint } from '../recordCheck/knownRecord.ts';
import { failedText } from '../report/useReport.tsx';

function BundleNote() {
  const { data } = useCheckpoint();
  const what = 'a zip with the report to read (report.html), which anyone can check offline, in a browser or with Node';
  if (data === undefined) return what;
  const { size, bundle, checkpoint } = data;
  if (bundle !== null)
    return (
      <>
        {what}; it carries no signature. Those of this record, if it has any, are in <Isolated text={bundle} />: to pass them on,
        give that file itself
      </>
    );
  if (checkpoint === null) return `${what}; not signed with a key: no checkpoint yet, see Settings`;
  const later = size - checkpoint.size;
  return later <= 0
    ? `${what}; signed by a checkpoint`
    : `${what}; signed but for ${quantity(later, 'later entry', 'later entries')} of the log`;
}

const formats = [
  { id: 'trials-csv', label: 'Trials as CSV', note: 'one row a trial, for a spreadsheet; replicates count from 0' },
  { id: 'trials-jsonl', label: 'Trials as JSON Lines', note: 'the same with nested values' },
  { id: 'cases-csv', label: 'Cases as CSV', note: 'one row a case, with the answer of every arm' },
  {
    id: 'statistics-json',
    label: 'Statistics as JSON',
    note: 'every measure with its interval, or why it has none, as “assize stats --json” prints',
  },
  { id: 'reviews-csv', label: 'Reviews as CSV', note: 'reviews, comments, adjudications and sign-offs' },
  { id: 'reviews-jsonl', label: 'Reviews as JSON Lines', note: 'the same with nested values' },
  { id: 'events-jsonl', label: 'Events as JSON Lines', note: 'the hash-chained record, with a hash in place of each text' },
  { id: 'bundle', label: 'Bundle', note: <BundleNote /> },
  {
    id: 'redacted-bundle',
    label: 'Redacted bundle',
    note: 'the same without facts, speeches and prompts; case ids, truths, verdicts and totals by group stay',
  },
  {
    id: 'experiment-file',
    label: 'Experiment file',
    note: 'for “assize run”; on another machine, put in the paths of your data file and the address of your server',
  },
] as const;

type Format = (typeof formats)[number]['id'];

export function ExportMenu({ experiment }: { experiment: string }) {
  const api = useApi();
  const host = useHost();
  const save = useMutation({
    mutationFn: async (format: Format) => {
      const { file, fileName, root } = await api.exports.make({ experiment, trial: null, format });
      const { checkpoint = null, size = 0 } = root === null ? {} : await api.record.checkpoint({});
      if (!(await host.saveExport(file, fileName))) return;
      const saved = `Saved as ${fileName}.`;
      if (root === null) {
        notify(saved);
        return;
      }
      const signer =
        checkpoint === null
          ? ''
          : `, and the fingerprint of the key that signed ${checkpoint.size === size ? 'it' : 'all but its newest entries'} is ${checkpoint.fingerprint}`;
      const what = `Its bundle root is ${root}${signer}`;
      notify(
        `${saved} ${what}. Give ${signer === '' ? 'it' : 'both'} to your readers by another way than the file: with ${signer === '' ? 'it' : 'them'} they see that the bundle was not replaced.`,
        {
          label: 'Copy',
          act: async () => {
            if (await copyText(`${fileName}\n${what}.`)) notify('Copied.');
          },
        },
        true,
      );
    },
    onError: (error) => notify(`Nothing was saved: ${failedText(error)}`),
  });
  return (
    <FormatMenu
      label="Export"
      formats={formats}
      onSave={(format) => save.mutate(format)}
      button={
        <Button icon={Download} isPending={save.isPending}>
          {save.isPending ? 'Saving…' : 'Export'}
        </Button>
      }
    />
  );
}
