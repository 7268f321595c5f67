import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { caseEndsText } from '../../../core/telling/findingTexts.ts';
import type { AlikeCase, TrialView } from '../../../shared/api/trials.ts';
import { labelNoun } from '../../../shared/decidedBy.ts';
import { predictionText } from '../../../shared/predictionText.ts';
import { count } from '../../../shared/sizes.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { fresh, useRead } from '../../api/ApiContext.tsx';
import { toBeside } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { CaseName, FactValue, Isolated, Listed, Paragraph } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { Unread } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { toFiltered } from '../dashboard/filter.ts';
import { noFilter } from '../experiments/trialFilter.ts';
import { verdictOf } from './words.ts';

export function ListedRuling({ line }: { line: TrialLine }) {
  const { before, label, after } = verdictOf(line);
  return (
    <span className="quiet">
      {label === null ? before : <Isolated text={label} />}
      {after}
    </span>
  );
}

const mostNamed = 8;
/** Cases that are shown before more are asked for. */
const shownFirst = 5;

interface RowProps {
  readonly of: AlikeCase;
  readonly trial: string;
  /** Whether other arms have trials of the same cases. */
  readonly hasOthers: boolean;
}

function Row({ of: { line, runs, same, facts, differing, isOtherwise }, trial, hasOthers }: RowProps) {
  const more = differing.length - mostNamed;
  const list = { ...noFilter, rows: 'cases', search: line.case } as const;
  return (
    <li className="stack gap-2">
      <div className="row justify-between gap-12">
        <Link href={toBeside(trial, line.trial)} className="min-w-0 wrap-anywhere">
          <CaseName title={null} case={line.case} />
        </Link>
        <ListedRuling line={line} />
      </div>
      <div className="row gap-8">
        {isOtherwise ? <Pill tone="judge">another ruling</Pill> : null}
        <Paragraph className="quiet" text={caseEndsText(runs)} />
        {line.truth === null ? null : (
          <span className="quiet">
            <Isolated text={`${labelNoun(line)}: ${predictionText(line.truth)}`} />
          </span>
        )}
        {hasOthers ? (
          <Link
            className="text-13"
            href={toFiltered(line.experiment, { part: 'trials', subset: {}, behind: null, list })}
            aria-label={`In all arms: case ${line.case}`}
          >
            In all arms
          </Link>
        ) : null}
      </div>
      <p className="quiet wrap-anywhere">
        {same} of {facts} facts the same
        {differing.length === 0 ? '' : '; different (here / there): '}
        <Listed of={differing.slice(0, mostNamed)} between="; ">
          {({ title, one, other }) => (
            <>
              <Isolated text={title} /> (<FactValue of={one} /> / <FactValue of={other} />)
            </>
          )}
        </Listed>
        {more > 0 ? `; and ${more} more` : ''}
      </p>
    </li>
  );
}

/** The table of all cases of the data. */
const allCases = { part: 'trials', subset: {}, behind: null, list: { ...noFilter, rows: 'cases', untried: true } } as const;

/** Cases of the same arm whose facts are most like those of this case. @param none in place of them where there is no such case */
export function AlikeCases({
  line: { trial, experiment, outcome, arm },
  others,
  none = null,
}: Pick<TrialView, 'line' | 'others'> & { none?: ReactNode }) {
  const reading = useRead(['trials', 'alike', experiment, trial], (api, given) => api.trials.alike({ trial }, given), fresh);
  const [isNarrowed, setIsNarrowed] = useState(false);
  const [isLong, setIsLong] = useState(false);
  const { data } = reading;
  if (data === undefined) return <Unread of={reading} words="Looking for cases like this one…" />;
  if (data.cases.length === 0) return none;
  const { part } = data;
  const hasOthers = others.some((each) => each.arm !== arm);
  const kind = isNarrowed ? 'otherwise' : 'cases';
  const [listed, all] = [data[kind], data.counts[kind]];
  const shown = listed.slice(0, isLong ? undefined : shownFirst);
  return (
    <>
      {none === null ? <h3>Cases most like this one</h3> : null}
      <p className="quiet">
        The nearest first. Every fact counts the same: numbers by how many of these cases lie between them, other values as the
        same or not. Only cases that this arm tried are here. To hold some facts fixed, filter{' '}
        <Link href={toFiltered(experiment, allCases)}>all cases by fact</Link>: there are those that no arm tried, too.
      </p>
      {outcome === 'decided' ? (
        <Checkbox isSelected={isNarrowed} onChange={setIsNarrowed} isDisabled={data.counts.otherwise === 0}>
          Only cases that ended otherwise at least once ({count(data.counts.otherwise)})
        </Checkbox>
      ) : null}
      <ul className="stack gap-8" aria-label="Cases most like this one">
        {shown.map((each) => (
          <Row key={each.line.trial} of={each} {...{ trial, hasOthers }} />
        ))}
      </ul>
      {all > shown.length ? (
        <div className="row gap-8">
          {listed.length > shown.length ? (
            <Button size="small" onPress={() => setIsLong(true)}>
              Show {count(listed.length)}
            </Button>
          ) : null}
          <span className="quiet">
            {count(shown.length)} of {count(all)} cases
          </span>
        </div>
      ) : null}
      {part === null ? null : (
        <p className="quiet">
          Only the first {count(part.read)} of {count(part.total)} ended trials of this arm, by case id, were looked at.
        </p>
      )}
    </>
  );
}

/** Next to the facts, from which somebody looks for a case like this one. */
export function AlikeButton(of: Pick<TrialView, 'line' | 'others'>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" onPress={() => setIsOpen(true)}>
        Cases like this one
      </Button>
      <ModalDialog title="Cases most like this one" isOpen={isOpen} onClose={() => setIsOpen(false)} cancel="Close">
        <AlikeCases {...of} none={<p className="quiet">No other case of this arm has a ruling yet.</p>} />
      </ModalDialog>
    </>
  );
}
