import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { RecordCheck, RecordFrame } from '../../../shared/api/record.ts';
import { isOfOtherLog, otherHash, sinceWords } from '../../../shared/checkpoints.ts';
import { erasedText } from '../../../shared/erasure.ts';
import {
  headOfWords,
  headWords,
  heldWords,
  inventedWords,
  passageWords,
  provedWords,
  reportsWords,
  trialsWords,
  unchangedWords,
} from '../../../shared/proved.ts';
import { useRead } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import type { Task } from '../../api/useTask.ts';
import { useEngineStatus } from '../../app/engineStatus.ts';
import { toTrial } from '../../app/routes.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Outside, Paragraph } from '../../ui/HiddenText.tsx';
import { secondText } from '../../ui/moments.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { usePrinting } from '../../ui/useMedia.ts';
import { WordNote } from '../../ui/WordNote.tsx';
import styles from './CheckOutcome.module.css';
import { CopiedFrom } from './CopyOfYourOwn.tsx';
import { type ComparedRoot, faultSentence, holds, isExpected, progressAsText } from './knownRecord.ts';
import { Signatures, SignerOfDamaged } from './Signatures.tsx';

interface Properties {
  readonly task: Task<RecordFrame>;
  readonly root: ComparedRoot;
  /** Fingerprint of the key that should have signed it; null where none is entered. */
  readonly signer?: string | null;
  /** The open record, not a file that somebody gave to the user. */
  readonly isOpen?: boolean;
  /** What can be done with an intact file whose texts are all there. */
  readonly whenIntact?: ReactNode;
}

export const CheckOutcome = (given: Properties) => (
  <div role="status">
    <State signer={null} isOpen={false} whenIntact={null} {...given} />
  </div>
);

function State({ task, ...given }: Required<Properties>) {
  switch (task.state) {
    case 'idle':
      return null;
    case 'running': {
      const { progress, since } = task;
      return (
        <div className="stack gap-6 wrap-anywhere">
          <p>{progressAsText(progress, performance.now() - since)}</p>
          <progress
            className={styles.progress}
            aria-label="Check of the record"
            {...(progress === null ? {} : { value: progress.done, max: Math.max(1, progress.of) })}
          />
        </div>
      );
    }
    case 'failed':
      return given.isOpen && failureOf(task.error).code === 'not-found' ? (
        <p>Nothing is on the record yet, so there is nothing to check.</p>
      ) : (
        <FailureNotice error={task.error} />
      );
    case 'done': {
      const { check } = task.result;
      return (
        <div className="stack gap-6">
          {holds(check, given.root) ? <Intact check={check} {...given} /> : <Tampered check={check} {...given} />}
          <CheckedAt at={task.at} />
        </div>
      );
    }
  }
}

/** When it was checked, and by which program: what a reader of a printed result asks. */
function CheckedAt({ at }: { at: Date }) {
  const version = useEngineStatus()?.version;
  return (
    <p className="muted">
      Checked on {secondText(at)}
      {version === undefined ? null : ` with Assize ${version}`}.
    </p>
  );
}

type Outcome = Omit<Required<Properties>, 'task'> & { readonly check: RecordCheck };
type Fault = NonNullable<RecordCheck['first_bad']>;
type BadUses = NonNullable<Fault['uses']>;

function Tampered({ check, root: { given, asked }, signer, isOpen }: Outcome) {
  const { store, kind, root, first_bad: bad, head_matches: matches, counted, log, roots } = check;
  const isBundle = kind === 'bundle';
  const invented = inventedWords(check);
  const isPrinting = usePrinting();
  if (bad?.kind === 'head') {
    return (
      <>
        <Notice tone={bad.meaning === undefined ? 'bad' : 'warn'}>
          <span className="wrap-anywhere">
            <strong>
              {isOpen ? 'The open record' : <HiddenText text={store} />}{' '}
              {isBundle
                ? 'does not have the root or head that you entered.'
                : bad.meaning === undefined
                  ? 'is not the record that you named.'
                  : 'is intact, and was added to since it had the root that you entered.'}
            </strong>{' '}
            Every hash in it holds
            {bad.meaning === undefined
              ? ', and neither its root nor the end of one of its chains is the number that you entered.'
              : '.'}{' '}
            {bad.meaning ??
              (isOpen
                ? 'Check the number. If it is right, this is another record, or something was added to it since.'
                : isBundle
                  ? 'The root of a whole record fits a bundle only where the record held nothing else: enter the bundle root or the head of a trial. If that is what you entered, ask for the right bundle.'
                  : 'Check the number, or ask for the right record.')}
          </span>
        </Notice>
        <Signatures log={log} root={root} expected={signer} isOpen={isOpen} />
      </>
    );
  }
  const details = (
    <div className="stack gap-6 wrap-anywhere">
      <p>
        {bad === null ? null : (
          <>
            In technical words, the first bad place{bad.seq === null ? '' : `, event ${bad.seq}`} ({bad.kind}):{' '}
            <HiddenText text={bad.problem} />.{' '}
          </>
        )}
        The check names only the first fault. {counted?.words ?? 'There may be others.'}
      </p>
      {roots?.words.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
  return (
    <Notice tone="bad">
      <div className="stack gap-6">
        <span className="wrap-anywhere">
          <strong>
            {isOpen ? 'The record' : <HiddenText text={store} />}{' '}
            {bad?.kind === 'checkpoint' && check.since !== null
              ? 'does not have all that the checkpoint covers'
              : faultSentence(bad?.problem ?? '')}
            .
          </strong>
        </span>
        <Paragraph className="wrap-anywhere" text={bad?.plain} />
        {invented === '' ? null : <p>{invented}</p>}
        <Uses uses={bad?.uses ?? []} usedIn={bad?.used_in ?? 0} given={!isOpen} />
        {counted?.bad_text_places?.map((line) => (
          <p key={line}>
            Texts without their hash: <HiddenText text={line} />
          </p>
        ))}
        {bad?.meaning === undefined ? null : <p>{bad.meaning}</p>}
        <p>
          {isOpen
            ? 'Put back an earlier copy of the store, and compare its root with one that you kept somewhere else.'
            : 'Ask for the file as it was exported, and enter the root that you were given before you check the new one.'}
        </p>
        <Since {...check} tone="" />
        {given === null ? null : (
          <p>{given === asked ? headWords(matches) : 'You entered another root after this check: check again to compare it.'}</p>
        )}
        <SignerOfDamaged log={log} expected={signer} isOtherRoot={given !== null && matches === false} />
        {isPrinting ? details : <Fold title="Details">{details}</Fold>}
        {/* Last: it can be long. */}
        {bad?.passage === undefined ? null : <Changed passage={bad.passage} isBundle={isBundle} />}
      </div>
    </Notice>
  );
}

function Changed({ passage: { text, more }, isBundle }: { passage: NonNullable<Fault['passage']>; isBundle: boolean }) {
  return (
    <figure className="stack gap-4">
      <figcaption>{passageWords}</figcaption>
      <blockquote className={styles.passage}>
        <Outside as="p" text={text} />
        {more > 0 ? <p className="muted">… and {quantity(more, 'more character')}</p> : null}
      </blockquote>
      {isBundle ? <p>{reportsWords}</p> : null}
    </figure>
  );
}

const mostNamed = 5;

/** The way to the trial of the open record that has the name of a trial of a given one; nothing where it has none. */
function SameTrial({ trial }: { trial: string }) {
  const { data: isHere = false } = useRead(['record', 'same', trial], (api, given) =>
    api.trials.read({ trial }, given).then(
      () => true,
      () => false,
    ),
  );
  return isHere ? (
    <>
      . The open record has this trial too: <Link href={toTrial(trial)}>open it</Link>
    </>
  ) : null;
}

/** The trials that a fault concerns, and where in them it is. */
export function Uses({ uses, usedIn, given }: { uses: BadUses; usedIn: number; given: boolean }) {
  const trials = [...Map.groupBy(uses, ({ trial }) => trial)].slice(0, mostNamed);
  if (trials.length === 0) return null;
  return (
    <ul className="stack gap-4 wrap-anywhere">
      {trials.map(([trial, all]) => {
        const [{ experiment, arm, case: kase, replicate = null } = { experiment: null, arm: null, case: null }] = all;
        const isTrial = /^[0-9a-f]{16}$/.test(trial);
        return (
          <li key={trial}>
            {isTrial && experiment !== null ? (
              <>
                Experiment <HiddenText text={experiment} />, arm <HiddenText text={arm ?? ''} />, case{' '}
                <HiddenText text={kase ?? ''} />,{replicate === null ? '' : ` replicate ${replicate + 1},`}{' '}
              </>
            ) : null}
            {isTrial && !given ? (
              <Link href={toTrial(trial)}>trial {trial}</Link>
            ) : (
              <HiddenText text={isTrial ? `trial ${trial}` : trial} />
            )}
            : <HiddenText text={all.map(({ what }) => what).join('; ')} />
            {isTrial && given ? <SameTrial trial={trial} /> : null}
          </li>
        );
      })}
      {usedIn > trials.length ? <li>and {quantity(usedIn - trials.length, 'more trial')}</li> : null}
    </ul>
  );
}

/** What the record says of the checkpoint that was given. */
function Since({ since, log, tone }: Pick<RecordCheck, 'since' | 'log'> & { tone: string }) {
  if (since === null) return null;
  const words = sinceWords(since, log);
  return since.extends ? (
    <p className={tone}>{words}</p>
  ) : (
    <Notice tone="bad">
      {words}
      {log !== null && isOfOtherLog(since, log)
        ? ' A copy that was adopted or merged has another log; so has a record that was written to take its place.'
        : ''}
    </Notice>
  );
}

function Intact({ check, root: compared, signer, isOpen, whenIntact }: Outcome) {
  const { store, events, texts, left_out: leftOut, root, head_of: headOf, log, erasures } = check;
  const given = isExpected(check, compared);
  const isRoot = headOf === null || compared.given === root;
  const other = otherHash(log, compared.given ?? '');
  const invented = inventedWords(check);
  const counts = `${trialsWords(check)}, ${quantity(events, 'event')}, ${quantity(texts, 'text')}`;
  return (
    <div className="stack gap-6 wrap-anywhere">
      <p className="font-600">
        {isOpen ? (
          'Intact'
        ) : (
          <>
            <HiddenText text={store} /> is intact
          </>
        )}
        : {counts}
      </p>
      {given === true ? (
        <p className="text-good">{isRoot ? 'It is the record that you named.' : <HiddenText text={headOfWords(headOf)} />}</p>
      ) : null}
      {given === false ? (
        <Notice tone="bad">
          {other !== null
            ? `That is ${other.words} ${other.of === 'key' ? 'Enter it as the key of the signer.' : 'Enter the record root or bundle root here.'}`
            : isOpen
              ? 'What you entered is not the root of this record. If it is the end of a trial, check again to look for it.'
              : 'What you entered is not the root of this file. If it is the end of a trial, choose the file again to look for it.'}
        </Notice>
      ) : null}
      <Paragraph className="text-good" text={unchangedWords(check)} />
      <Since {...check} tone="text-good" />
      {isOpen ? null : <CopiedFrom adopted={check.adopted} />}
      {invented === '' ? null : <Notice tone={check.standin === 0 ? 'plain' : 'warn'}>{invented}</Notice>}
      {check.held === undefined ? null : <Paragraph text={heldWords(check.held)} />}
      {leftOut === 0 ? (
        whenIntact
      ) : (
        <p>
          {quantity(leftOut, 'text')} left out of it (a redacted bundle). What they say, the prompts of calls and the truth of
          cases were not checked.
        </p>
      )}
      {erasures === null || erasures.length === 0 ? null : (
        <p>
          {quantity(erasures.length, 'erasure')} took texts out of it: <HiddenText text={erasures.map(erasedText).join('; ')} />.
          Not checked without these texts: the prompts and answers of the calls that had them, and whether the verdicts follow
          from those.
        </p>
      )}
      <Signatures log={log} root={root} expected={signer} isOpen={isOpen} />
      {root === null ? null : (
        <p className={`row gap-8 ${styles.root}`}>
          {check.kind === 'bundle' ? 'Bundle root' : 'Record root'} <WordNote term="root" /> <code>{root}</code>{' '}
          <CopyButton text={root}>Copy</CopyButton>
        </p>
      )}
      <p className="muted">{provedWords(check, given === true && isRoot).join(' ')}</p>
      {isOpen ? (
        <p className="muted">Keep this root somewhere else: with it you can later prove that nothing was removed either.</p>
      ) : given === null && check.since?.extends !== true ? (
        <p className="muted">
          To make sure that it is the right record, enter a root or a head that you received in another way.
        </p>
      ) : null}
    </div>
  );
}
