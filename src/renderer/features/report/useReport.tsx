import { FileText } from 'lucide-react';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { percent } from '../../../core/figures/shares.ts';
import { capitalized } from '../../../core/text/visible.ts';
import type { ReportFrame } from '../../../shared/api/exports.ts';
import { type ReportPart, reportPartTitles } from '../../../shared/reportParts.ts';
import { useApi, useHost } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { useTask } from '../../api/useTask.ts';
import { toExperiment } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { FormatMenu } from '../../ui/FormatMenu.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { notify } from '../../ui/Toasts.tsx';
import { faultSentence } from '../recordCheck/knownRecord.ts';
import { PrevalenceField, shareIn } from './PrevalenceField.tsx';

const formats = [
  { id: 'html', label: 'HTML', note: 'one file, for reading in any browser and for printing' },
  { id: 'pdf', label: 'PDF', note: 'made with the Chrome, Edge or Chromium of this machine' },
] as const;

/** Of a trial: its screen has no export of the bundle. */
const bundle = {
  id: 'bundle',
  label: 'Bundle…',
  note: 'needed to check the report; opens the experiment, where “Export” makes it',
} as const;

/** Of a trial. */
const partly = {
  id: 'partly',
  label: 'Some parts only…',
  note: 'for a reader who needs only these; the report says what is left out',
} as const;

/** Of an experiment with a positive label. */
const elsewhere = {
  id: 'elsewhere',
  label: 'At another prevalence…',
  note: 'the same, and what verdicts are worth where the positive label is rarer or more frequent',
} as const;

type Format = (typeof formats)[number]['id'];

/** How a report is to be other than by default. */
interface Choice {
  readonly prevalence?: number;
  readonly without?: ReportPart[];
}

/** Why nothing was saved, and what to do where the record is at fault. */
export function failedText(error: unknown): string {
  const { message, field } = failureOf(error);
  return field === 'damaged'
    ? `the record ${faultSentence(message)}. “Check the record” in the settings says where, and what it means.`
    : message;
}

/** Makes the report of a trial, or over an experiment, and saves it. `trial`: null for the experiment. */
export function useReport(experiment: string, trial: string | null) {
  const api = useApi();
  const host = useHost();
  const wanted = useRef<Choice & { format: Format }>({ format: 'html' });
  async function* frames(signal: AbortSignal): AsyncGenerator<ReportFrame> {
    try {
      for await (const frame of await api.exports.report({ experiment, trial, ...wanted.current }, { signal })) {
        yield frame;
        if (frame.kind !== 'done' || !(await host.saveExport(frame.file, frame.fileName))) continue;
        const note =
          frame.note === null ? 'It can be read and printed without this program.' : `${frame.note}. It is HTML instead.`;
        notify(`The report was saved as ${frame.fileName}. ${note}`);
      }
    } catch (error) {
      if (!signal.aborted) notify(`The report was not made: ${failedText(error)}`);
      throw error;
    }
  }
  const { task, start, cancel } = useTask<ReportFrame>(async (signal) => frames(signal));
  const make = (format: Format, choice: Choice = {}) => {
    wanted.current = { format, ...choice };
    start();
  };
  return { task, make, cancel, experiment, isOfTrial: trial !== null };
}

const saveButtons = (isDisabled: boolean, onPress: (format: Format) => void) =>
  formats.map(({ id, label }) => (
    <Button key={id} look="primary" isDisabled={isDisabled} onPress={() => onPress(id)}>
      Save as {label}
    </Button>
  ));

function PrevalenceDialog({
  positive,
  decidedBy,
  onClose,
  onMake,
}: {
  positive: string;
  decidedBy: string | undefined;
  onClose: () => void;
  onMake: (format: Format, choice: Choice) => void;
}) {
  const [text, setText] = useState('');
  const share = shareIn(text);
  return (
    <ModalDialog
      title="Report at another prevalence"
      onClose={onClose}
      cancel="Cancel"
      actions={saveButtons(share === null, (format) => {
        if (share === null) return;
        onClose();
        onMake(format, { prevalence: share });
      })}
    >
      <PrevalenceField positive={positive} decidedBy={decidedBy} text={text} onChange={setText} />
    </ModalDialog>
  );
}

function PartsDialog({
  parts,
  onClose,
  onMake,
}: {
  parts: readonly ReportPart[];
  onClose: () => void;
  onMake: (format: Format, choice: Choice) => void;
}) {
  const [without, setWithout] = useState<readonly ReportPart[]>([]);
  return (
    <ModalDialog
      title="What goes into the report"
      onClose={onClose}
      cancel="Cancel"
      actions={saveButtons(false, (format) => {
        onClose();
        onMake(format, { without: [...without] });
      })}
    >
      <p>The question, the verdict, the facts and the limits are always in it. The report says what is left out.</p>
      <div className="stack gap-8">
        {parts.map((part) => (
          <Checkbox
            key={part}
            isSelected={!without.includes(part)}
            onChange={(isIn) => setWithout(isIn ? without.filter((each) => each !== part) : [...without, part])}
          >
            {capitalized(reportPartTitles[part])}
          </Checkbox>
        ))}
      </div>
    </ModalDialog>
  );
}

/** The action of a screen: the choice of a format, then how far the report is and what calls it off. */
export function ReportMenu({
  report: { task, make, cancel, experiment, isOfTrial },
  look,
  parts = [],
  positive = null,
  decidedBy,
}: {
  report: ReturnType<typeof useReport>;
  look?: 'primary';
  /** What the report of a trial can leave out. */
  parts?: readonly ReportPart[];
  /** Label of which a prevalence can be. */
  positive?: string | null;
  decidedBy?: string | undefined;
}) {
  const [asked, ask] = useState<'elsewhere' | 'partly' | null>(null);
  const [, navigate] = useLocation();
  const name = isOfTrial ? 'Trial report' : 'Experiment report';
  if (task.state === 'running') {
    const { progress } = task;
    return (
      <span className="row gap-6 text-13">
        <span role="status">
          {progress === null ? 'Making the report…' : `Making the report: ${percent(progress.share)}, ${progress.what}…`}
        </span>
        <Button size="small" onPress={cancel}>
          Cancel the report
        </Button>
      </span>
    );
  }
  const more = isOfTrial ? [partly, bundle] : positive === null ? [] : [elsewhere];
  const chosen = (format: Format | 'bundle' | 'elsewhere' | 'partly') => {
    if (format === 'bundle') navigate(toExperiment(experiment));
    else if (format === 'elsewhere' || format === 'partly') ask(format);
    else make(format);
  };
  return (
    <>
      <FormatMenu
        label={name}
        formats={[...formats, ...more]}
        onSave={chosen}
        button={
          <Button icon={FileText} {...(look === undefined ? {} : { look })}>
            {name}
          </Button>
        }
      />
      {asked === 'elsewhere' && positive !== null ? (
        <PrevalenceDialog positive={positive} decidedBy={decidedBy} onClose={() => ask(null)} onMake={make} />
      ) : null}
      {asked === 'partly' ? <PartsDialog parts={parts} onClose={() => ask(null)} onMake={make} /> : null}
    </>
  );
}
