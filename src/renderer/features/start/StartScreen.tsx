import { FileUp, ShieldCheck } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { useWritable } from '../../app/engineStatus.ts';
import { routes } from '../../app/routes.ts';
import { WritingButton, WritingLink } from '../../app/Writing.tsx';
import { Button } from '../../ui/Button.tsx';
import { Isolated, OutsideLink } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Section } from '../../ui/Section.tsx';
import { WordNote } from '../../ui/WordNote.tsx';
import { useImportFile } from '../datasets/useImportFile.ts';
import { useExperiments } from '../experiments/experimentQueries.ts';
import { useListedExperiments } from '../experiments/listedExperiments.ts';
import { inventedAt, preferredBackend } from '../protocols/backends.ts';
import { useFound } from '../protocols/useBackends.ts';
import { CheckOutcome } from '../recordCheck/CheckOutcome.tsx';
import { OwnCopies } from '../recordCheck/CopyOfYourOwn.tsx';
import { KnownFaults } from '../recordCheck/KnownFaults.tsx';
import { holds, useRecordCheck, useTypedHash } from '../recordCheck/knownRecord.ts';
import { OpenRecord } from '../recordCheck/OpenRecord.tsx';
import { CheckFile, PrintIt, ReadIt, useCheckFile } from './CheckFile.tsx';
import { CompareCopies } from './CompareCopies.tsx';
import { FirstTrial } from './FirstTrial.tsx';
import styles from './Start.module.css';

/** Experiments that are named to continue with. */
const recent = 3;

export default function StartScreen() {
  const file = useImportFile();
  const isWritable = useWritable();
  const typed = useTypedHash();
  const signer = useTypedHash();
  const check = useCheckFile(typed.given);
  const open = useRecordCheck(typed.given);
  const experiments = useExperiments().data ?? [];
  const waits = useListedExperiments().listed.some((each) => each.waits !== null);
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
            {waits ? <Recent /> : <FirstTrial />}
          </>
        ) : null}
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
            <CheckFile typed={typed} signer={signer} check={check} />
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
        {isWritable && waits ? null : <Recent />}
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
    <section className={`card stack gap-10 content-start ${styles.way}`} aria-label={title}>
      <h2 className="title-18">{title}</h2>
      <p>{text}</p>
      <div className="stack gap-10 content-start">{children}</div>
    </section>
  );
}

function Answerer() {
  const found = useFound();
  if (found.isPending) return <p className="muted">Looking for models…</p>;
  const preferred = preferredBackend(found.reports, found.servers);
  if (inventedAt(found, preferred.backend, [preferred.server])) {
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
function Recent() {
  const { listed } = useListedExperiments();
  if (listed.length === 0) return null;
  const [first, others] = [true, false].map((is) => listed.filter(({ waits }) => (waits !== null) === is));
  return (
    <nav aria-label="Continue" className="row gap-12">
      <span className="muted">Continue with</span>
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
