import { titleIn } from '../../../core/cases/columnNames.ts';
import { columnsLeftOut } from '../../../core/cases/columnsRead.ts';
import { splitText } from '../../../core/cases/shares.ts';
import { capitalized } from '../../../core/text/visible.ts';
import type { ListedCase } from '../../../shared/api/dataFiles.ts';
import { labelNoun } from '../../../shared/decidedBy.ts';
import type { CaseKind, ShownFact, Truth } from '../../../shared/domain.ts';
import { predictionText } from '../../../shared/predictionText.ts';
import { Isolated, Outside } from '../../ui/HiddenText.tsx';
import styles from './Facts.module.css';

/** Characters of a value that is next to its name; a longer one is set as text below it. */
const longestInRow = 80;

/** The facts of a case as the court gets them: rows for a table, paragraphs for texts. */
export function Facts({ kind, facts }: { kind: CaseKind; facts: readonly ShownFact[] }) {
  if (facts.length === 0) return <p>No facts.</p>;
  if (kind === 'tabular') {
    return (
      <dl className="stack">
        {facts.map(({ name, shown = name, value }) => (
          <div key={name} className={value.length > longestInRow ? styles.text : styles.row}>
            <Outside as="dt" className="muted wrap-anywhere" text={shown} title={shown === name ? undefined : name} />
            <Outside as="dd" text={value} />
          </div>
        ))}
      </dl>
    );
  }
  return (
    <div className="stack gap-14">
      {facts.map(({ name, shown = name, value }) => (
        <div key={name}>
          {kind === 'text' ? null : <Outside as="h3" className={`eyebrow ${styles.name}`} text={shown} />}
          <Outside as="p" className="max-w-80ch serif-16 pre-wrap wrap-anywhere" text={value} />
        </div>
      ))}
    </div>
  );
}

/** Columns left out that are named; the screen of the data set and the report name all. */
const mostLeftOut = 12;

/** The columns of the case that models do not read; nothing where they read all. */
export const LeftOut = ({ columns }: { columns: readonly string[] }) =>
  columns.length === 0 ? null : (
    <span>
      {columnsLeftOut}: <Isolated text={columns.slice(0, mostLeftOut).join(', ')} />
      {columns.length > mostLeftOut ? ` and ${columns.length - mostLeftOut} more` : ''}
    </span>
  );

export function truthText(truth: Truth): string {
  return predictionText(truth) ?? 'unknown';
}

export function CaseFacts({
  kind,
  listed,
  question,
  decidedBy,
  seed,
  leftOut = [],
}: {
  kind: CaseKind;
  listed: ListedCase;
  question: string | null;
  decidedBy: string | undefined;
  /** That deals the cases to the shares, where experiments can have another; absent: the share is settled. */
  seed?: number | undefined;
  /** Columns of a table that are no facts; absent where the screen shows them elsewhere. */
  leftOut?: readonly string[];
}) {
  const asked = listed.question ?? question;
  return (
    <div className="stack gap-14 min-w-0">
      {asked === null ? null : <Outside as="p" className="serif-16 wrap-anywhere" text={asked} />}
      <Facts kind={kind} facts={listed.facts} />
      <p className={`flex flex-wrap text-13 wrap-anywhere ${styles.truth}`}>
        <span>
          <Isolated text={capitalized(labelNoun({ decided_by: decidedBy }))} />: <Isolated text={truthText(listed.truth)} />
        </span>
        <span>
          Share: {splitText[listed.split]}
          {seed === undefined ? '' : ` with seed ${seed}`}
        </span>
        {Object.entries(listed.groups).map(([name, value]) => (
          <span key={name}>
            Group <Isolated text={titleIn(listed.groupTitles, name)} />: <Isolated text={value} />
          </span>
        ))}
        <span>None of this is shown to a model, except groups that are facts as well.</span>
        <LeftOut columns={leftOut} />
        {listed.facts.some(({ shown }) => shown !== undefined) ? <span>Models read the columns’ own names.</span> : null}
      </p>
    </div>
  );
}
