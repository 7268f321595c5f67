import { Link } from 'wouter';
import type { DocketEntry } from '../../../shared/api/docket.ts';
import { toExperiment } from '../../app/routes.ts';
import { HiddenText, Isolated, Outside } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import { formatWords, kindWords, splitSentence } from './definition.ts';
import { useLabelCounts } from './docketQueries.ts';
import styles from './Entry.module.css';
import { LabelBars } from './LabelBars.tsx';
import { TrialButton } from './TrialButton.tsx';

const listed = (names: readonly string[]) => names.join(', ');

function textsOf({ definition }: DocketEntry): string | null {
  if (definition.kind === 'tabular') return null;
  if (definition.kind === 'sections') return listed(definition.sections ?? []);
  return (
    listed(Object.entries(definition.columns).map(([part, column]) => `${part} from column ${column}`)) ||
    'columns by their usual names'
  );
}

/** What a data set is: where it comes from, what its columns mean, how its labels are distributed. */
export function EntryAbout({ entry }: { entry: DocketEntry }) {
  const { definition } = entry;
  const counts = useLabelCounts(entry);
  const rows: readonly (readonly [string, string | null])[] = [
    ['Cases', `${quantity(entry.cases, 'case')}, ${formatWords[entry.format]}`],
    ['A case is', `${kindWords[definition.kind].label}. ${kindWords[definition.kind].note}`],
    ['Its texts', textsOf(entry)],
    ['Id', definition.id ?? 'number of the row'],
    ['True label', definition.label?.column ?? (definition.kind === 'open' ? null : 'not known')],
    ['Left out', listed(definition.exclude) || null],
    ['Groups', listed(definition.groups) || null],
    ['Shares', splitSentence(definition.split)],
    ['Source', entry.source],
    ['Added', entry.addedAt === null ? null : new Date(entry.addedAt).toLocaleString('en-GB')],
  ];
  return (
    <section className={styles.about} aria-label="About the data set">
      <TrialButton entry={entry} explained />
      {entry.labels.length === 0 ? null : (
        <div>
          <h2>Labels</h2>
          {counts.data === undefined ? (
            <p className="muted wrap-anywhere">
              <Isolated text={listed(entry.labels.slice(0, 12))} />
              {entry.labels.length > 12 ? ` and ${entry.labels.length - 12} more` : ''}
              {counts.isPending ? '; counting…' : '; how many cases each has is unknown'}
            </p>
          ) : (
            <LabelBars counts={counts.data} cases={entry.cases} positive={entry.positive} />
          )}
        </div>
      )}
      <div>
        <h2>Definition</h2>
        <dl className={styles.definition}>
          {rows.map(([term, value]) =>
            value === null ? null : (
              <div key={term}>
                <dt>{term}</dt>
                <Outside as="dd" text={value} />
              </div>
            ),
          )}
        </dl>
      </div>
      {entry.experiments.length === 0 ? null : (
        <div>
          <h2>Experiments</h2>
          <ul className="stack gap-4 wrap-anywhere">
            {entry.experiments.map((name) => (
              <li key={name}>
                <Link href={toExperiment(name)} dir="auto">
                  <HiddenText text={name} />
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
