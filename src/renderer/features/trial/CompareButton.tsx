import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { shownArmNames } from '../../../core/figures/armNames.ts';
import { speechName } from '../../../core/figures/speakers.ts';
import { speechNamer } from '../../../core/telling/unheard.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { isImported } from '../../../shared/imported.ts';
import { replicateText, type TrialLine } from '../../../shared/trialLine.ts';
import { fresh, useApi, useRead } from '../../api/ApiContext.tsx';
import { useWritable } from '../../app/engineStatus.ts';
import { routes, toBeside } from '../../app/routes.ts';
import { useShortcuts } from '../../app/Shortcuts.tsx';
import { useSettings } from '../../app/theme.tsx';
import { Button } from '../../ui/Button.tsx';
import { Isolated, IsolatedSet } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { minuteText } from '../../ui/moments.ts';
import { FailureNotice, Unread } from '../../ui/Notice.tsx';
import { saveSessionState } from '../../ui/sessionState.ts';
import { TextField } from '../../ui/TextField.tsx';
import { trialsKey, useExperiment, useExperiments } from '../experiments/experimentQueries.ts';
import { titleOf } from '../experiments/shownExperiments.ts';
import { armTitle, protocolTitle } from '../protocols/acceptance.ts';
import { tryKey } from '../tryCase/tryForm.ts';
import { tryOfTrial } from '../tryCase/tryOfTrial.ts';
import { AlikeCases, ListedRuling } from './AlikeCases.tsx';

/** Trials of one case that are offered; those of a case come before those whose id holds its id. */
const mostOffered = 500;

const looking = 'Looking for trials of this case…';
const Looking = () => <p className="quiet">{looking}</p>;

function SameCase({
  line: { case: id, trial, protocol },
  title,
  entries,
  experiment,
}: { line: TrialLine; experiment: string } & Pick<TrialView, 'title' | 'entries'>) {
  const reading = useRead(
    [...trialsKey(experiment), 'of the case', id],
    (api, given) => api.experiments.trials({ experiment, search: id.slice(0, 200), order: 'case', limit: mostOffered }, given),
    fresh,
  );
  const order = useExperiment(experiment).data?.arms.map(({ name }) => name) ?? [];
  if (reading.data === undefined) return <Unread of={reading} words={looking} />;
  const same = reading.data.lines
    .filter((line) => line.case === id && line.trial !== trial && !isImported(line))
    .toSorted((one, other) => order.indexOf(one.arm) - order.indexOf(other.arm) || one.replicate - other.replicate);
  const called = speechNamer(entries);
  const alike = new Set(same.flatMap((line) => (line.protocol === protocol ? [line.base_arm] : [])));
  const names = shownArmNames(
    same.map(({ arm }) => arm),
    (speech, arm) => (alike.has(arm) ? called(speech) : speechName(speech)),
  );
  if (same.length === 0 && reading.isFetching) return <Looking />;
  if (same.length === 0) return <p className="quiet">This experiment has no other trial of this case yet.</p>;
  return (
    <ul className="stack gap-6" aria-label="Trials of this case">
      {same.map((line) => {
        const numbered = replicateText(line, reading.data.replicates);
        return (
          <li key={line.trial} className="row justify-between gap-12">
            <Link href={toBeside(trial, line.trial)} className="min-w-0 wrap-anywhere">
              <Isolated text={armTitle(names.get(line.arm) ?? line.arm, { ...line, title })} />
              {numbered === null ? '' : ` · ${numbered}`}
            </Link>
            <ListedRuling line={line} />
          </li>
        );
      })}
    </ul>
  );
}

/** Cases described in Try a case, on the same question. Each is a separate experiment. */
function SameQuestion({ trial, question }: { trial: string; question: string }) {
  const { data, isFetching } = useExperiments();
  const tried = (data ?? []).filter(
    (each) => each.single && each.question === question && each.trial !== null && each.trial !== trial,
  );
  if (tried.length === 0) return isFetching ? <Looking /> : null;
  return (
    <>
      <h3>Single cases on the same question</h3>
      <ul className="stack gap-6" aria-label="Single cases on the same question">
        {tried.slice(0, mostOffered).map(({ name, at, protocol, trial: other, verdict }) => (
          <li key={name} className="row justify-between gap-12">
            <Link href={toBeside(trial, other ?? '')} className="min-w-0 wrap-anywhere">
              {protocolTitle(protocol ?? '')} · <time dateTime={at}>{minuteText(at)}</time>
            </Link>
            <span className="quiet">{verdict === null ? 'no verdict' : <IsolatedSet of={verdict} />}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Origin({ line: { trial, experiment } }: { line: TrialLine }) {
  const retrial = useExperiment(experiment).data?.definition.retrial;
  const titles = useSettings().data?.experiments ?? [];
  if (retrial === undefined) return null;
  return (
    <p>
      <Link href={toBeside(trial, retrial.trial)}>The trial that this one tries again</Link>{' '}
      <span className="quiet">
        <Isolated text={titleOf(titles, retrial.experiment)} />
      </span>
    </p>
  );
}

/** The way to try the only case of an experiment before another court. */
function AnotherProtocol({ view }: { view: TrialView }) {
  const isWritable = useWritable();
  const { data } = useExperiment(view.line.experiment);
  if (data === undefined || !isWritable || data.summary.cases > 1) return null;
  return (
    <p>
      <Link href={routes.tryCase} onClick={() => saveSessionState(tryKey, tryOfTrial(view, data.definition))}>
        Try this case under another protocol
      </Link>
    </p>
  );
}

/** Any trial, of this experiment or another one, or that of another case before the same court. */
function AnyTrial({ line: { trial, experiment, arm, replicate } }: { line: TrialLine }) {
  const [, navigate] = useLocation();
  const api = useApi();
  const [typed, setTyped] = useState('');
  const find = useMutation({
    mutationFn: async () => {
      const named = /(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])/.exec(typed)?.[0];
      if (named !== undefined) return named;
      const id = typed.trim();
      const search = { experiment, search: id.slice(0, 200), order: 'case', limit: mostOffered } as const;
      const { lines } = await api.experiments.trials({ ...search, arm });
      const same = lines.filter((line) => line.case === id);
      return (same.find((line) => line.replicate === replicate) ?? same[0])?.trial ?? null;
    },
    onSuccess: (other) => (other === null || other === trial ? undefined : navigate(toBeside(trial, other))),
  });
  const error =
    find.data === null
      ? 'This arm has no trial of a case with this id yet. The id of a trial is 16 digits and letters from a to f: you find it on its screen and in exports.'
      : find.data === trial
        ? 'This is the trial itself.'
        : null;
  const compare = (event: FormEvent) => {
    event.preventDefault();
    find.mutate();
  };
  return (
    <form className="stack gap-8 content-start" onSubmit={compare}>
      <TextField
        label="Id of another case, or id or address of any other trial"
        description="Of another case, the trial in the same arm."
        value={typed}
        onChange={(text) => {
          find.reset();
          setTyped(text);
        }}
        error={error}
        look="mono"
      />
      <FailureNotice error={find.error} />
      <div>
        <Button type="submit">Compare</Button>
      </div>
    </form>
  );
}

/** Puts another trial next to this one: a replicate, one of another arm, one with changes, or any. */
export function CompareButton({ line, view }: { line: TrialLine; view: TrialView }) {
  const [isOpen, setIsOpen] = useState(false);
  const { again, question, title, entries } = view;
  const isOffered = line.status !== 'queued' && !isImported(line);
  useShortcuts(isOffered ? [{ keys: [], does: 'Compare with…', run: () => setIsOpen(true) }] : []);
  if (!isOffered) return null;
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>Compare with…</Button>
      <ModalDialog title="Compare with" isOpen={isOpen} onClose={() => setIsOpen(false)} cancel="Close">
        <AnyTrial line={line} />
        <Origin line={line} />
        <SameCase {...{ line, title, entries }} experiment={line.experiment} />
        {again === null ? null : (
          <>
            <h3>Tried again, unchanged and with changes</h3>
            <SameCase {...{ line, title, entries }} experiment={again} />
          </>
        )}
        <SameQuestion trial={line.trial} question={question} />
        {view.kind === 'tabular' && view.erased === null ? <AlikeCases line={line} others={view.others} /> : null}
        {view.erased !== null ? null : <AnotherProtocol view={{ ...view, line }} />}
      </ModalDialog>
    </>
  );
}
