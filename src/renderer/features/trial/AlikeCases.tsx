import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { caseEndsText } from '../../../core/telling/findingTexts.ts';
import type { AlikeCase } from '../../../shared/api/trials.ts';
import { count } from '../../../shared/sizes.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { fresh, useRead } from '../../api/ApiContext.tsx';
import { toBeside } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { CaseName, Isolated, Listed, Paragraph } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { Unread } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { verdictOf } from './words.ts';

/** The ruling of a trial in a list of trials to compare one with. */
export function ListedRuling({ line }: { line: TrialLine }) {
  const { before, label, after } = verdictOf(line);
  return (
    <span className="quiet">
      {label === null ? before : <Isolated text={label} />}
      {after}
    </span>
  );
}

/** Facts that are named. */
const mostNamed = 5;

function Row({ of: { line, runs, same, facts, differing, isOtherwise }, trial }: { of: AlikeCase; trial: string }) {
  const more = differing.length - mostNamed;
  return (
    <li className="stack gap-2">
      <div className="row justify-between gap-12">
        <Link href={toBeside(trial, line.trial)} className="min-w-0 wrap-anywhere">
          <CaseName title={null} case={line.case} />
        </Link>
        <span className="row gap-8">
          {isOtherwise ? <Pill tone="judge">another ruling</Pill> : null}
          <ListedRuling line={line} />
        </span>
      </div>
      <Paragraph className="quiet" text={caseEndsText(runs)} />
      <p className="quiet wrap-anywhere">
        {same} of {facts} facts the same
        {differing.length === 0 ? '' : '; different: '}
        <Listed of={differing.slice(0, mostNamed)}>{(title) => <Isolated text={title} />}</Listed>
        {more > 0 ? ` and ${more} more` : ''}
      </p>
    </li>
  );
}

/** Cases of the same arm whose facts are most like those of this case. @param none in place of them where there is no such case */
export function AlikeCases({ line: { trial, experiment, outcome }, none = null }: { line: TrialLine; none?: ReactNode }) {
  const reading = useRead(['trials', 'alike', experiment, trial], (api, given) => api.trials.alike({ trial }, given), fresh);
  const { data } = reading;
  if (data === undefined) return <Unread of={reading} words="Looking for cases like this one…" />;
  const { cases, otherwise, part } = data;
  if (cases.length === 0) return none;
  const isOtherwiseSaid = outcome !== 'decided' || cases.some(({ isOtherwise }) => isOtherwise);
  return (
    <>
      {none === null ? <h3>Cases most like this one</h3> : null}
      <ul className="stack gap-8" aria-label="Cases most like this one">
        {cases.map((each) => (
          <Row key={each.line.trial} of={each} trial={trial} />
        ))}
      </ul>
      {isOtherwiseSaid ? null : (
        <p>
          {otherwise === null
            ? 'Every case that was looked at has the same ruling.'
            : 'The case most like this one with another ruling:'}
        </p>
      )}
      {otherwise === null ? null : (
        <ul aria-label="Most like this one, with another ruling">
          <Row of={otherwise} trial={trial} />
        </ul>
      )}
      {part === null ? null : (
        <p className="quiet">
          Only the first {count(part.read)} of {count(part.total)} ended trials of this arm, by case id, were looked at.
        </p>
      )}
    </>
  );
}

/** Next to the facts, from which somebody looks for a case like this one. */
export function AlikeButton({ line }: { line: TrialLine }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" onPress={() => setIsOpen(true)}>
        Cases like this one
      </Button>
      <ModalDialog title="Cases most like this one" isOpen={isOpen} onClose={() => setIsOpen(false)} cancel="Close">
        <AlikeCases line={line} none={<p className="quiet">No other case of this arm has a ruling yet.</p>} />
      </ModalDialog>
    </>
  );
}
