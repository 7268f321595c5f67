import { Link } from 'wouter';
import { certaintyInList } from '../../../core/figures/certainty.ts';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { speakerName } from '../../../core/figures/speakers.ts';
import { mainReasons } from '../../../core/telling/mainReasons.ts';
import type { ComparedCase, ComparedVerdict } from '../../../shared/api/compared.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { labelNoun, rightness } from '../../../shared/decidedBy.ts';
import type { CaseKind } from '../../../shared/domain.ts';
import { isImported } from '../../../shared/imported.ts';
import { useRead } from '../../api/ApiContext.tsx';
import { toTrial } from '../../app/routes.ts';
import { Isolated, IsolatedSet, Outside } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Facts } from '../datasets/Facts.tsx';
import { besideOf, trialsOf } from '../experiments/DifferingCases.tsx';
import { toneClass } from '../trial/words.ts';
import styles from './Compare.module.css';
import type { Pair } from './pair.ts';

/** As the report of the trial has them; null of a prediction that was imported, which has none. */
function reasonsOf({ entries, cast, line }: Pick<TrialView, 'entries' | 'cast' | 'line'>) {
  if (isImported(line)) return null;
  const claims = cast.flatMap(({ role, claim }) => (claim === null ? [] : [[role, claim] as const]));
  const drawn = entries.findLast((entry) => entry.kind === 'sides')?.sides;
  return mainReasons({ entries, claims: { ...Object.fromEntries(claims), ...drawn } });
}

function Reasons({ trial }: { trial: string }) {
  const reading = useRead(['trials', 'reasons', trial], async (api, given) => reasonsOf(await api.trials.read({ trial }, given)));
  if (reading.isError) return <FailureNotice error={reading.error} />;
  if (reading.data === null) return null;
  if (reading.data === undefined) return <p className="quiet">Reading the trial…</p>;
  if (reading.data.length === 0) return <p className="quiet">The record has no reasons of this verdict.</p>;
  return reading.data.map(({ role, text }) => (
    <blockquote key={role} className={styles.reason}>
      <p className={`quiet ${styles.speaker}`}>{speakerName(role)}</p>
      <Outside as="p" className={styles.words} text={text ?? 'erased from the record'} />
    </blockquote>
  ));
}

/** A verdict in words: `YES 70%`, `no verdict: timed out`. */
export function Verdict({ verdict, decidedBy }: { verdict: ComparedVerdict; decidedBy: string | undefined }) {
  const { outcome, prediction, confidence, correct } = verdict;
  const judged = { correct, decided_by: decidedBy };
  if (outcome !== 'decided') return <span>no verdict: {outcome === null ? 'unknown' : outcomeText(outcome)}</span>;
  return (
    <span>
      <IsolatedSet of={prediction} />
      {confidence === null ? null : ` ${certaintyInList(verdict)}`}
      {correct === null ? null : <span className={toneClass(judged)}>{` · ${rightness(judged, ['right', 'wrong'])}`}</span>}
    </span>
  );
}

function Side({
  name,
  decidedBy,
  verdicts,
  onOpen,
}: {
  name: string;
  decidedBy: string | undefined;
  verdicts: readonly ComparedVerdict[];
  onOpen: () => void;
}) {
  return (
    <section className="stack content-start gap-8" aria-label={name}>
      <h4>
        <Isolated text={name} />
      </h4>
      {verdicts.map((verdict) => (
        <div key={verdict.trial ?? verdict.replicate} className="stack content-start gap-8">
          <p>
            <Verdict verdict={verdict} decidedBy={decidedBy} />
            {verdicts.length === 1 ? null : <span className="quiet"> replicate {verdict.replicate + 1}</span>}
          </p>
          {verdict.trial === null ? <p className="quiet">A baseline: it gives no reasons.</p> : <Reasons trial={verdict.trial} />}
          {verdict.trial === null ? null : (
            <Link
              href={toTrial(verdict.trial)}
              onClick={onOpen}
              aria-label={`The whole trial of ${name}${verdicts.length === 1 ? '' : `, replicate ${verdict.replicate + 1}`}`}
            >
              The whole trial
            </Link>
          )}
        </div>
      ))}
    </section>
  );
}

export function CaseDetail({
  pair,
  kind,
  decidedBy,
  found,
  onWalk,
}: {
  pair: Pair;
  kind: CaseKind;
  decidedBy: string | undefined;
  found: ComparedCase;
  /** Something of it is opened, from a list that has this of every case. */
  onWalk: (placesOf: (each: ComparedCase) => string[]) => void;
}) {
  return (
    <article className={`card stack content-start gap-14 p-16-20 ${styles.detail}`} aria-label={`Case ${found.case}`}>
      <h3>
        Case <Isolated text={found.case} />
        <span className="quiet">
          {' '}
          · <Isolated text={labelNoun({ decided_by: decidedBy })} /> <IsolatedSet of={found.truth} />
        </span>
      </h3>
      {besideOf(found).map((to) => (
        <p key={to}>
          <Link href={to} onClick={() => onWalk(besideOf)}>
            Both trials side by side, word for word
          </Link>
        </p>
      ))}
      <div className={styles.sides}>
        <Side name={pair.a} decidedBy={decidedBy} verdicts={found.a} onOpen={() => onWalk(({ a }) => trialsOf(a).map(toTrial))} />
        <Side name={pair.b} decidedBy={decidedBy} verdicts={found.b} onOpen={() => onWalk(({ b }) => trialsOf(b).map(toTrial))} />
      </div>
      {found.facts?.length === 0 ? null : (
        <div className="pt-12 ruled-above">
          {found.facts === null ? (
            <p className="quiet">The record no longer lists this case.</p>
          ) : (
            <Facts kind={kind} facts={found.facts} />
          )}
        </div>
      )}
    </article>
  );
}
