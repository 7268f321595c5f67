import { useMutation } from '@tanstack/react-query';
import { BookOpen, FileSearch, FileUp, Gavel, Printer, ShieldCheck } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Upload } from '../../../shared/api/dataFiles.ts';
import type { DraftInput } from '../../../shared/api/experiments.ts';
import { useApi, useRead, useTakeFile } from '../../api/ApiContext.tsx';
import { showGivenRecord } from '../../api/givenRecord.ts';
import { useTask } from '../../api/useTask.ts';
import { useWritable } from '../../app/engineStatus.ts';
import { routes, toTrial } from '../../app/routes.ts';
import { WritingButton, WritingLink } from '../../app/Writing.tsx';
import { Button } from '../../ui/Button.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { Isolated, Outside, OutsideLink } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Section } from '../../ui/Section.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { WordNote } from '../../ui/WordNote.tsx';
import { useStartExperiment } from '../datasets/datasetQueries.ts';
import { useImportFile } from '../datasets/useImportFile.ts';
import { useExperiments } from '../experiments/experimentQueries.ts';
import { useListedExperiments } from '../experiments/listedExperiments.ts';
import { inventedAt, type Preferred, preferredBackend } from '../protocols/backends.ts';
import { useFound } from '../protocols/useBackends.ts';
import { CheckOutcome } from '../recordCheck/CheckOutcome.tsx';
import { OwnCopies } from '../recordCheck/CopyOfYourOwn.tsx';
import { KnownFaults } from '../recordCheck/KnownFaults.tsx';
import { holds, useKnownRecord, useRecordCheck, useTypedHash } from '../recordCheck/knownRecord.ts';
import { OpenRecord } from '../recordCheck/OpenRecord.tsx';
import { hintAt } from '../trial/TrialNotices.tsx';
import { CompareCopies } from './CompareCopies.tsx';
import styles from './Start.module.css';

/** Experiments that are named to continue with. */
const recent = 3;

export default function StartScreen() {
  const file = useImportFile();
  const isWritable = useWritable();
  const typed = useTypedHash();
  const signer = useTypedHash();
  const [checkpoint, setCheckpoint] = useState('');
  const check = useCheckFile(typed.given, checkpoint);
  const open = useRecordCheck(typed.given);
  const experiments = useExperiments().data ?? [];
  const { listed, isPending } = useListedExperiments();
  const waits = listed.some((each) => each.waits !== null);
  const isDamaged = useKnownRecord()?.faults.some(({ by }) => by !== 'replay') ?? false;
  const openPart = useShownAt(open.task.state);
  const filePart = useShownAt(check.task.state);
  return (
    <Screen title="Assize">
      <div className={`stack ${styles.start}`}>
        <p className={styles.what}>
          Assize puts a language model’s decision on trial, on your own machine: prosecution, defense and judges argue over a
          case, and you keep a record that anyone can check offline.
        </p>
        <KnownFaults />
        {experiments.length === 0 && open.task.state === 'idle' ? null : (
          <div ref={openPart} tabIndex={-1}>
            <OpenRecord check={open} signer={signer.given} />
          </div>
        )}
        {isWritable ? (
          <>
            <Answerer />
            {waits ? <Recent /> : null}
            {isPending || waits || isDamaged ? null : <FirstTrial />}
          </>
        ) : (
          <Recent label="Its experiments" />
        )}
        <div className={`stack gap-16 ${styles.ways}`}>
          {isWritable ? (
            <>
              <Way title="Try a case" text="Describe one case in your own words, hear both sides and read the ruling.">
                <WritingLink href={routes.tryCase}>Describe a case</WritingLink>
              </Way>
              <Way
                title="Study a model on data"
                text="Put many cases on trial, compare courts with simple rules, and see how sure the differences are."
              >
                <WritingButton icon={FileUp} onPress={file.choose} isDisabled={file.taking}>
                  {file.taking ? 'Taking the file…' : 'Import your cases'}
                </WritingButton>
                <Link href={routes.datasets}>See data sets and samples</Link>
                <WritingLink href={routes.importNewPredictions}>Audit predictions made elsewhere</WritingLink>
                <FailureNotice error={file.error} />
              </Way>
            </>
          ) : null}
          <Way
            title="Check somebody’s record"
            text={
              <>
                A store <WordNote term="record, store" /> or a bundle <WordNote term="bundle" /> that you were given: every hash
                is checked, and every result against the events. No model is asked.
              </>
            }
          >
            <CheckFile typed={typed} signer={signer} checkpoint={[checkpoint, setCheckpoint]} check={check} />
            <Button icon={ShieldCheck} onPress={open.start} isDisabled={open.task.state === 'running' || typed.isWrong}>
              Check the record that is open
            </Button>
            <OwnCopies />
          </Way>
        </div>
        {check.task.state === 'idle' ? null : (
          <div ref={filePart} tabIndex={-1} className={check.task.state === 'done' ? styles.found : undefined}>
            <Section title="What the check found" actions={check.task.state === 'done' ? <PrintIt /> : undefined}>
              <CheckOutcome
                task={check.task}
                root={check.root}
                signer={signer.given}
                whenIntact={check.checked === null ? null : <ReadIt upload={check.checked} />}
              />
              {check.checked !== null && check.task.state === 'done' && check.task.result.check.kind === 'bundle' ? (
                <CompareCopies
                  key={check.checked}
                  upload={check.checked}
                  isChanged={!holds(check.task.result.check, check.root)}
                />
              ) : null}
            </Section>
          </div>
        )}
        {isWritable && !waits ? <Recent /> : null}
      </div>
    </Screen>
  );
}

/** A part that comes into view when a check begins and when it has ended, then with the focus. */
function useShownAt(state: ReturnType<typeof useRecordCheck>['task']['state']): RefObject<HTMLDivElement | null> {
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state === 'idle') return;
    part.current?.scrollIntoView({ block: 'nearest' });
    if (state !== 'running') part.current?.focus({ preventScroll: true });
  }, [state]);
  return part;
}

function Way({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) {
  return (
    <section className={`card stack gap-10 content-start p-18-20 ${styles.way}`} aria-label={title}>
      <h2 className="title-18">{title}</h2>
      <p>{text}</p>
      <div className="stack gap-10 content-start">{children}</div>
    </section>
  );
}

function Answerer() {
  const found = useFound();
  if (found.isPending) return <p className="muted">Looking for models…</p>;
  const preferred = preferredBackend(found);
  const known = preferred.away ?? (preferred.backend === 'standin' ? null : preferred.why);
  if (known !== null) {
    return (
      <p className="muted wrap-anywhere">
        <strong>{known}</strong> <Link href={routes.models}>See the models</Link>
      </p>
    );
  }
  if (preferred.backend === 'standin') {
    return (
      <p className="muted wrap-anywhere">
        <strong>No model is connected.</strong> Demo answers are used, and say so. <Link href={routes.models}>Set up Ollama</Link>
      </p>
    );
  }
  return (
    <p className="muted wrap-anywhere">
      <Isolated text={preferred.model} /> answers, on this machine or where you connected it.{' '}
      <Link href={routes.models}>See the models</Link>
    </p>
  );
}

/** Experiments whose run was stopped or interrupted, then the newest; nothing where there are none. */
function Recent({ label = 'Continue with' }: { label?: string }) {
  const { listed } = useListedExperiments();
  if (listed.length === 0) return null;
  const [first, others] = [true, false].map((is) => listed.filter(({ waits }) => (waits !== null) === is));
  return (
    <nav aria-label={label} className="row gap-12">
      <span className="muted">{label}</span>
      {[...(first ?? []), ...(others ?? [])].slice(0, recent).map(({ name, title, to, waits }) => (
        <span key={name} className="row gap-6">
          <OutsideLink to={to} text={title} />
          {waits === null ? null : <Pill tone="warn">{waits}</Pill>}
        </span>
      ))}
      <Link href={routes.experiments}>All experiments</Link>
    </nav>
  );
}

/** The sample of which one case is tried: a few facts, and two sides that anyone understands. */
const sample = 'deposits';

/** With it the judge of the demo model changes sides by 24 points at one speech. */
const seed = 125;

/** One case before a court of two sides and a judge. */
const firstDraft = ({ backend, server, model }: Preferred): DraftInput => ({
  entry: sample,
  sample: { from: 'test', n: 1 },
  seed,
  backend,
  arms: [{ name: 'AgenticSimLLM', protocol: 'agentic-sim', cast: { '*': { model, backend: server } } }],
});

function FirstTrial() {
  const found = useFound();
  const start = useStartExperiment(
    ({ trial }) => hintAt(trial),
    ({ trial }) => toTrial(trial),
  );
  const cases = useRead(['datasets', 'first', sample], (api, given) =>
    api.dataFiles.list({}, given).then((all) => all.find(({ id }) => id === sample) ?? null),
  );
  const preferred = preferredBackend(found);
  const invented = inventedAt(found, preferred.backend, [preferred.server]);
  const question = cases.data?.definition.question;
  return (
    <Section title="Your first trial, in two minutes">
      <p className="max-w-80ch">
        A tenant and a landlord dispute a deposit.{' '}
        {question === undefined ? null : <Outside className="serif-16" text={question} />} The prosecution argues for one answer,
        the defense for the other. A judge hears both and says after every speech how likely it finds each answer.
      </p>
      <div className="row gap-10">
        <WritingButton
          icon={Gavel}
          look="primary"
          onPress={() => start.mutate(firstDraft(preferred))}
          isDisabled={found.isPending || start.isPending}
        >
          {start.isPending ? 'Starting…' : 'Start the first trial'}
        </WritingButton>
        {found.isPending ? null : (
          <span className="muted">
            {invented ? (
              'Demo answers are used: no model is asked.'
            ) : (
              <>
                <Isolated text={preferred.model} /> {preferred.away === null ? 'answers' : 'does not answer now'}.
              </>
            )}
          </span>
        )}
      </div>
      <FailureNotice error={start.error} />
    </Section>
  );
}

/** The check of a store or a bundle from another person. @param given its root or head, if one is entered @param since a checkpoint */
function useCheckFile(given: string | null, since: string) {
  const api = useApi();
  const [asked, setAsked] = useState<string | null>(null);
  const [checked, setChecked] = useState<string | null>(null);
  const { task, start, cancel } = useTask((signal, { upload }: Upload) => {
    setAsked(given);
    setChecked(upload);
    return api.record.checkFile({ upload, head: given, since: since.trim() === '' ? null : since }, { signal });
  });
  return { task, cancel, root: { given, asked }, file: useTakeFile(start), checked };
}

function ReadIt({ upload }: { upload: string }) {
  const api = useApi();
  const reading = useMutation({
    mutationFn: () => api.record.read({ upload }),
    onSuccess: ({ record }) => showGivenRecord(record),
  });
  return (
    <>
      <p>
        <Button icon={BookOpen} onPress={() => reading.mutate()} isPending={reading.isPending} isDisabled={reading.isSuccess}>
          {reading.isPending ? 'Opening it…' : 'Read its experiments and trials'}
        </Button>
      </p>
      <FailureNotice error={reading.error} />
    </>
  );
}

function PrintIt() {
  const print = () => {
    const { dataset } = document.documentElement;
    const { theme = 'light' } = dataset;
    dataset.theme = 'light';
    addEventListener('afterprint', () => (dataset.theme = theme), { once: true });
    window.print();
  };
  return (
    <Button icon={Printer} size="small" onPress={print}>
      Print
    </Button>
  );
}

function CheckFile({
  typed: { text, setText, isWrong },
  signer,
  checkpoint: [checkpoint, setCheckpoint],
  check: { task, cancel, file },
}: {
  typed: ReturnType<typeof useTypedHash>;
  signer: ReturnType<typeof useTypedHash>;
  checkpoint: readonly [string, (text: string) => void];
  check: ReturnType<typeof useCheckFile>;
}) {
  return (
    <>
      <Fold title="What you were given with it" aside="checkpoint, root, key" isFaulty={isWrong || signer.isWrong}>
        <div className="stack gap-10">
          <TextField
            label="Earlier checkpoint, if you have one"
            value={checkpoint}
            onChange={setCheckpoint}
            look="mono"
            rows={2}
            description="A text that you kept, of a few lines: first the name of a log, then a number. The check says whether the record still has all that it covers; put it here before you choose the file."
          />
          <TextField
            label="Its root or head, if you know it"
            value={text}
            onChange={setText}
            look="mono"
            description={
              <>
                The record root, of a bundle its bundle root, or the head of a trial: it shows which record this is.{' '}
                <WordNote term="root" />
              </>
            }
            error={isWrong ? 'A root or head has 64 hexadecimal digits.' : null}
          />
          <TextField
            label="Key of the signer, if you have it"
            value={signer.text}
            onChange={signer.setText}
            look="mono"
            description="The fingerprint, as the signer gave it to you by another way than the file."
            error={signer.isWrong ? 'A fingerprint has 64 hexadecimal digits.' : null}
          />
        </div>
      </Fold>
      {task.state === 'running' ? (
        <Button onPress={cancel}>Cancel the check</Button>
      ) : (
        <Button icon={FileSearch} onPress={file.choose} isPending={file.taking} isDisabled={isWrong}>
          {file.taking ? 'Taking the file…' : 'Choose the file'}
        </Button>
      )}
      <FailureNotice error={file.error} />
    </>
  );
}
