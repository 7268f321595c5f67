import { Link } from 'wouter';
import { planRows } from '../../../core/matrix/planRows.ts';
import { type Check, screenSentenceOf } from '../../../shared/checks.ts';
import type { PlanReport } from '../../../shared/outputs.ts';
import { byteRange } from '../../../shared/sizes.ts';
import { forCalls, routes } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Outside } from '../../ui/HiddenText.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { quantity, quantityRange } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { screenText } from '../protocols/screenText.ts';
import type { Missing } from './draft.ts';
import styles from './NewExperiment.module.css';
import { trialsText } from './StartBar.tsx';

interface Properties {
  readonly plan: PlanReport | undefined;
  readonly counting: boolean;
  /** What has to be put right before the draft can be counted; null: nothing. */
  readonly waitsFor: string | null;
  /** How to get models that are missing; null where that could not be found out. */
  readonly missing: Missing | null;
  readonly measuring: Measuring;
  /** What goes to the temperature of an arm; null where it cannot be set. */
  readonly temperatureOf: (arm: string) => (() => void) | null;
}

/** Measuring the models of a draft, which takes some ten seconds each. */
export interface Measuring {
  /** Null while it cannot begin. */
  readonly start: (() => void) | null;
  readonly pending: boolean;
  readonly error: unknown;
  /** Why a model has no measurement. */
  readonly notes: readonly string[];
}

export function PlanSection({ plan, counting, waitsFor, missing, measuring, temperatureOf }: Properties) {
  const lead =
    waitsFor ??
    (counting
      ? 'Counting…'
      : plan === undefined
        ? 'The plan could not be made.'
        : 'Retries not counted. Tokens are those of past calls, or estimated from a dry run with one case.');
  const rows = planRows(plan?.arms ?? []);
  return (
    <Section title="Plan" lead={<span role="status">{lead}</span>}>
      {plan === undefined || waitsFor !== null ? null : (
        <>
          <p className="text-16">
            {quantity(plan.cases, 'case')} × {quantity(plan.arms.length, 'arm')}
            {plan.replicates === 1 ? '' : ` × ${quantity(plan.replicates, 'replicate')}`} ={' '}
            <strong>{quantity(plan.trials, 'trial')}</strong>
            {plan.done === 0 ? '' : `: ${trialsText(plan)}`}
          </p>
          <dl className="terms">
            <dt>Calls</dt>
            <dd>
              {quantityRange(plan.calls, 'call')}
              {plan.preparation_calls.max === 0
                ? ''
                : `, ${quantityRange(plan.preparation_calls, 'call')} of them made once for several trials`}
            </dd>
            <dt>Prompts</dt>
            <dd>
              {plan.preparation_prompt_tokens.max === plan.preparation_prompt_tokens.min ? 'about' : 'at most about'}{' '}
              {quantity(plan.prompt_tokens, 'token')}
            </dd>
            <dt>Answers</dt>
            <dd>about {quantityRange(plan.completion_tokens, 'token')}</dd>
            <dt>Time</dt>
            <dd>
              <Outside text={plan.timing.sentence} />
              {'. '}
              <Link href={routes.settings} state={forCalls}>
                Calls at a time
              </Link>
              {plan.timing.unmeasured.length === 0 ? null : <MeasureButton measuring={measuring} />}
            </dd>
            <dt>Disk</dt>
            <dd>
              {byteRange({ min: plan.disk_bytes, max: plan.disk_bytes_most })}
              {plan.calls.max === 0
                ? ''
                : '. The larger number is for the time of the run, when a second file holds the newest changes.'}
            </dd>
          </dl>
          {plan.arms.length < 2 ? null : (
            <DataTable
              label="Calls and tokens of each arm"
              fits
              close
              {...(rows.length < plan.arms.length
                ? { caption: 'Arms that differ only by model are in one line, with their sums.' }
                : {})}
              rows={rows}
              keyOf={({ name }) => name}
              columns={[
                { title: 'arm', dir: 'auto', cell: ({ name }) => <HiddenText text={name} /> },
                {
                  title: plan.done === 0 ? 'trials' : 'new trials',
                  number: ({ remaining }) => remaining.toLocaleString('en-GB'),
                },
                {
                  title: 'calls',
                  number: ({ calls: { min, max } }) => (min === max ? min.toLocaleString('en-GB') : `${min}–${max}`),
                },
              ]}
            />
          )}
          <MissingModels missing={missing} />
          {plan.checks.map((check) => (
            <CheckNotice key={check.text} check={check} temperatureOf={temperatureOf} />
          ))}
        </>
      )}
    </Section>
  );
}

export const CheckNotice = ({ check, temperatureOf }: { check: Check } & Partial<Pick<Properties, 'temperatureOf'>>) => {
  const goThere = check.temperature_of === undefined ? null : temperatureOf?.(check.temperature_of);
  return (
    <Notice tone={check.severity === 'note' ? 'plain' : 'warn'}>
      <Outside text={screenText(screenSentenceOf(check))} />
      {goThere ? (
        <Button size="small" onPress={goThere}>
          Go to the field
        </Button>
      ) : null}
    </Notice>
  );
};

function MeasureButton({ measuring: { start, pending, error, notes } }: { measuring: Measuring }) {
  return (
    <div className={`stack gap-8 ${styles.measure}`}>
      <Button size="small" isDisabled={start === null || pending} onPress={() => start?.()}>
        {pending ? 'Measuring…' : 'Measure'}
      </Button>
      <FailureNotice error={error} />
      {notes.map((note) => (
        <Notice key={note} tone="warn">
          <Outside text={note} />
        </Notice>
      ))}
    </div>
  );
}

function MissingModels({ missing }: { missing: Missing | null }) {
  if (missing === null) {
    return (
      <Notice tone="warn">
        A server that is asked does not answer: whether it has the models is unknown, and the experiment cannot start.
      </Notice>
    );
  }
  const { pull, elsewhere } = missing;
  return (
    <>
      {pull === null ? null : (
        <Notice tone="warn">
          <span>
            Ollama does not have {pull.includes('\n') ? 'some models' : 'a model'}. Fetch what is missing under{' '}
            <Link href={routes.models}>Models</Link>, or in a terminal of the server’s machine:
          </span>
          <code className={styles.command}>{pull}</code>
          <CopyButton text={pull}>Copy</CopyButton>
        </Notice>
      )}
      {elsewhere.map((words) => (
        <Notice key={words} tone="warn">
          <Outside text={words} />
        </Notice>
      ))}
    </>
  );
}
