import { useMemo } from 'react';
import { Link } from 'wouter';
import { groupName } from '../../../core/cases/columnNames.ts';
import { shownArmNames } from '../../../core/figures/armNames.ts';
import { certaintyInList } from '../../../core/figures/certainty.ts';
import { mentionsIn, mentionsText, unnamedText } from '../../../core/figures/mentions.ts';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { sideOf, speakerName } from '../../../core/figures/speakers.ts';
import { plainRole } from '../../../core/protocols/cast.ts';
import { speechNamer } from '../../../core/telling/unheard.ts';
import { instructionsIn, whatInstructionsDo } from '../../../core/text/instructions.ts';
import { dottedText } from '../../../core/text/unfoundedSpeeches.ts';
import type { TranscriptEntry, TrialView } from '../../../shared/api/trials.ts';
import type { CaseKind, ShownFact } from '../../../shared/domain.ts';
import { isImported } from '../../../shared/imported.ts';
import { replicateText, type TrialLine } from '../../../shared/trialLine.ts';
import { toBeside, toTrial } from '../../app/routes.ts';
import { HiddenText, Isolated, IsolatedSet } from '../../ui/HiddenText.tsx';
import { LeftOut } from '../datasets/Facts.tsx';
import { armTitle } from '../protocols/acceptance.ts';
import { AlikeButton } from './AlikeCases.tsx';
import styles from './CaseColumn.module.css';
import type { CourtItem } from './courtItems.ts';
import { heardIn } from './finding.ts';

/** Beyond this many speeches, facts not mentioned are not counted: it would hold up the screen. */
const mostCounted = 200;
const mostNamed = 5;

/** Says so where a fact reads as if it spoke to a model. */
function Marked({ value }: { value: string }) {
  const found = instructionsIn(value);
  return found.length === 0 ? null : <p className={`text-bad text-start ${styles.marked}`}>{whatInstructionsDo(found)}</p>;
}

function FactList({ facts, kind, mentioned }: { facts: readonly ShownFact[]; kind: CaseKind; mentioned: ReadonlySet<number> }) {
  return (
    <dl className={kind === 'tabular' ? styles.facts : `stack gap-12 ${styles.texts}`}>
      {facts.map(({ name, shown = name, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: facts of a case never change places
        <div key={index} className={mentioned.has(index) ? styles.told : undefined}>
          <dt
            dir="auto"
            className={kind === 'text' ? 'visually-hidden' : undefined}
            title={shown === name ? undefined : `models read: ${name}`}
          >
            <HiddenText text={shown} />
            {mentioned.has(index) ? <span className="visually-hidden"> (mentioned in the utterance in view)</span> : null}
          </dt>
          <dd dir="auto">
            <HiddenText text={value} />
            <Marked value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const Names = ({ of }: { of: readonly ShownFact[] }) =>
  of.length > mostNamed ? null : (
    <>
      {' '}
      (<HiddenText text={of.map(({ name, shown = name }) => shown).join('; ')} />)
    </>
  );

function Unmentioned({ facts, entries }: { facts: readonly ShownFact[]; entries: readonly TranscriptEntry[] }) {
  const found = useMemo(() => {
    const speeches = entries.flatMap((entry) =>
      entry.kind === 'utterance' && entry.text !== null ? [{ role: entry.role, text: entry.text }] : [],
    );
    if (speeches.length === 0 || speeches.length > mostCounted || facts.length === 0) return null;
    const lackedBy = (some: typeof speeches) => {
      const mentioned = new Set(some.flatMap(({ text }) => mentionsIn(text, facts).map(({ fact }) => fact)));
      return facts.filter((_, index) => !mentioned.has(index));
    };
    const silent = lackedBy(speeches);
    const sides = speeches.filter(({ role }) => sideOf(role) !== 'neutral');
    return { silent, onlyOthers: sides.length === 0 ? [] : lackedBy(sides).filter((fact) => !silent.includes(fact)) };
  }, [facts, entries]);
  if (found === null) return null;
  const { silent, onlyOthers } = found;
  return (
    <p className={styles.note}>
      {silent.length === 0 ? (
        'Every fact is named or quoted in a speech'
      ) : (
        <>
          No speech has the words of {silent.length} of the {facts.length} facts
          <Names of={silent} />
        </>
      )}
      {onlyOthers.length === 0 ? null : (
        <>
          ; neither side names {onlyOthers.length}
          {silent.length === 0 ? '' : ' more'}
          <Names of={onlyOthers} />
        </>
      )}
      . {silent.length === 0 ? null : unnamedText}
    </p>
  );
}

function otherText(line: TrialLine) {
  const { status, outcome, prediction } = line;
  if (status !== 'done') return <span>{status === 'queued' ? 'not begun' : 'under way'}</span>;
  if (outcome !== 'decided') return <span className="text-bad">{outcome === null ? 'unknown' : outcomeText(outcome)}</span>;
  return (
    <span>
      <IsolatedSet of={prediction} /> {certaintyInList(line)}
    </span>
  );
}

const speaking: readonly TranscriptEntry['kind'][] = ['call', 'share', 'rating'];

/** The case as the court got it, who played whom, and how the other trials of it ended. */
export function CaseColumn({
  view,
  entries,
  running,
  current,
}: {
  view: TrialView;
  entries: readonly TranscriptEntry[];
  running: boolean;
  /** The row in view. */
  current: CourtItem | null;
}) {
  const { facts, left_out: leftOut, kind, cast, others, line } = view;
  const imported = isImported(line);
  const groups = Object.entries(line.groups).map(([name, value]) => ({ name, value: groupName(value) }));
  const names = shownArmNames(
    [line, ...others].map(({ arm }) => arm),
    speechNamer(entries),
  );
  const numberedOf = (of: TrialLine) => {
    const numbered = replicateText(of, view.replicates);
    return numbered === null ? '' : ` · ${numbered}`;
  };
  const text = heardIn(current);
  const mentioned = useMemo(() => new Set(text === '' ? [] : mentionsIn(text, facts).map(({ fact }) => fact)), [text, facts]);
  // One entry of a cast can play several: debaters, judges, voters.
  const spoke = new Set(entries.flatMap(({ kind, role }) => (speaking.includes(kind) ? [role, plainRole(role)] : [])));
  const numberOf = (seat: string) =>
    new Set(entries.flatMap(({ kind, role }) => (speaking.includes(kind) && plainRole(role) === seat ? [role] : []))).size;
  const speakers = running ? cast : cast.filter(({ role }) => imported || spoke.has(role));
  // Of several servers only one may be the demo model: the calls show which.
  const allInvented = view.line.standin && new Set(cast.map(({ backend }) => backend)).size === 1;
  return (
    <div className={`stack content-start min-w-0 ${styles.column}`}>
      <section>
        <div className="row justify-between gap-8">
          <h2 className="eyebrow">{imported ? 'Facts of the case' : 'Facts before the court'}</h2>
          {facts.length > 0 && kind === 'tabular' && view.title === null && !running ? (
            <AlikeButton line={line} others={view.others} />
          ) : null}
        </div>
        {facts.length > 0 && imported ? null : (
          <p className={styles.note}>
            {facts.length > 0
              ? `${mentionsText} ${dottedText}`
              : view.erased !== null
                ? 'They were erased.'
                : imported
                  ? 'No facts were imported.'
                  : 'None: there is only the question.'}
          </p>
        )}
        <FactList facts={facts} kind={kind} mentioned={mentioned} />
        {leftOut.length === 0 ? null : (
          <p className={`${styles.note} wrap-anywhere`}>
            <LeftOut columns={leftOut} />
          </p>
        )}
        {facts.length > 0 || !imported || groups.length === 0 ? null : (
          <>
            <p className={styles.note}>Groups of the case:</p>
            <FactList facts={groups} kind="tabular" mentioned={mentioned} />
          </>
        )}
        {running || kind !== 'tabular' ? null : <Unmentioned facts={facts} entries={entries} />}
      </section>
      {speakers.length === 0 ? null : (
        <section className="whole-on-paper">
          <h2 className="eyebrow">Who spoke</h2>
          <dl className={styles.facts}>
            {speakers.map(({ role, model, backend, claim }) => (
              <div key={role}>
                <dt className={styles[sideOf(role)]}>
                  <bdi>{speakerName(role)}</bdi>
                  {numberOf(role) > 1 ? ` (${numberOf(role)})` : null}
                  {claim === null ? null : (
                    <small className="block muted text-12-5">
                      argues for <Isolated text={claim} />
                    </small>
                  )}
                </dt>
                <dd className={styles.model}>
                  <bdi title={`server: ${backend}`}>
                    <HiddenText text={model} />
                  </bdi>
                  {allInvented ? <span className={styles.note}> (demo model)</span> : null}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {others.length === 0 ? null : (
        <section>
          <h2 className="eyebrow">
            {others.some(({ arm }) => arm === line.arm) ? 'Same case, other trials' : 'Same case, other arms'}
          </h2>
          <ul className={styles.others}>
            {others.map((line) => (
              <li key={line.trial}>
                <Link href={toTrial(line.trial)} dir="auto" className="min-w-0 wrap-anywhere">
                  <HiddenText text={armTitle(names.get(line.arm) ?? line.arm, { ...line, title: view.title })} />
                  {numberedOf(line)}
                </Link>
                <span className={`row-baseline font-600 ${styles.other}`}>
                  {otherText(line)}
                  {line.status === 'done' && view.line.status === 'done' && !isImported(line) ? (
                    <Link
                      href={toBeside(view.line.trial, line.trial)}
                      aria-label={`Side by side with ${line.arm}${numberedOf(line)}`}
                    >
                      side by side
                    </Link>
                  ) : null}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
