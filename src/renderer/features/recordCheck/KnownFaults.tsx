import { Link } from 'wouter';
import { forRecord, routes, toExperiment, toTrial } from '../../app/routes.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Listed, OutsideLink } from '../../ui/HiddenText.tsx';
import { minuteText } from '../../ui/moments.ts';
import { Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { knownSentence, trialsByExperiment, useKnownRecord } from './knownRecord.ts';

const mostNamed = 3;

/** Links to the trials of an experiment in which something is wrong. */
export function FaultyTrials({ trials }: { trials: readonly string[] }) {
  const further = trials.length - mostNamed;
  return (
    <>
      <Listed of={trials.slice(0, mostNamed)}>{(trial) => <Link href={toTrial(trial)}>trial {trial}</Link>}</Listed>
      {further > 0 ? ` and ${quantity(further, 'more trial')}` : ''}
    </>
  );
}

export const CheckLink = () => (
  <Link href={routes.settings} state={forRecord}>
    Check the record
  </Link>
);

/** What a check reported in its own words, for those who pass it on. */
export function MachineText({ text }: { text: string }) {
  return (
    <Fold title="What the check reported" level={4}>
      <p className="row gap-8">
        <code className="wrap-anywhere">
          <HiddenText text={text} />
        </code>
        <CopyButton text={text}>Copy</CopyButton>
      </p>
    </Fold>
  );
}

/** Says that something is known to be wrong in the record, in which experiments and trials; nothing where nothing is known. */
export function KnownFaults() {
  const { faults = [] } = useKnownRecord() ?? {};
  const [first] = faults;
  if (first === undefined) return null;
  const experiments = [...trialsByExperiment(faults)];
  return (
    <Notice tone="bad">
      <p>
        <strong>The record {knownSentence(first)}.</strong>
      </p>
      {experiments.length === 0 ? null : (
        <ul className="stack gap-4">
          {experiments.slice(0, mostNamed).map(([experiment, trials]) => (
            <li key={experiment}>
              <OutsideLink to={toExperiment(experiment)} text={experiment} />
              {trials.length === 0 ? null : ': '}
              <FaultyTrials trials={trials} />
            </li>
          ))}
          {experiments.length > mostNamed ? <li>and {quantity(experiments.length - mostNamed, 'more experiment')}</li> : null}
        </ul>
      )}
      <p>
        A check of the whole record takes this back if it finds the record intact.
        {faults.some(({ by }) => by === 'replay')
          ? ' But it derives no verdict again: only the check of the trial takes back that a verdict does not follow.'
          : ''}
      </p>
      <MachineText text={first.problem} />
    </Notice>
  );
}

export function LastCheck() {
  const known = useKnownRecord();
  if (known === undefined) return null;
  const { last } = known;
  if (last === null) return <p>This record has not been checked since the program was started.</p>;
  return (
    <p className="muted">
      Last check: {minuteText(last.at)},{' '}
      {last.result === 'intact' ? 'intact' : <strong className="text-bad">damaged or changed</strong>}
      {/* A writer notes in the file that it has it open, and that it closed it. */}
      {last.changed_since ? '. The file was written to since, which a start of the program alone does too' : ''}.
    </p>
  );
}
