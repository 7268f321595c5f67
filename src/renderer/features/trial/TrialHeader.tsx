import { useMutation } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, FileText, Link2, TriangleAlert } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import { useLocation } from 'wouter';
import type { TrialCheck } from '../../../shared/api/trials.ts';
import { isImported } from '../../../shared/imported.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { useApi, useHost } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { toTrial } from '../../app/routes.ts';
import { useShortcuts } from '../../app/Shortcuts.tsx';
import { Button } from '../../ui/Button.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { tell } from '../../ui/Toasts.tsx';
import styles from './Trial.module.css';
import { useNeighbours } from './useNeighbours.ts';
import { count, elapsed, labelWords, verdictOf } from './words.ts';

function VerdictPill({ line }: { line: TrialLine }) {
  const { tone, before, label, after } = verdictOf(line);
  return (
    <Pill tone={tone}>
      <span className={styles.pillText}>
        {before}
        {label === null ? null : (
          <>
            {' '}
            <bdi>
              <b>
                <HiddenText text={label} />
              </b>
            </bdi>
          </>
        )}
        {after}
        {line.correct === false || (line.outcome !== 'decided' && line.truth !== null) ? (
          <>
            {' · truth '}
            <Isolated text={labelWords(line.truth)} />
          </>
        ) : null}
      </span>
    </Pill>
  );
}

const replayWords: Readonly<Record<TrialCheck['replay'], string>> = {
  identical: 'verdict re-derived',
  different: 'verdict does NOT follow from the answers',
  'not-replayable': 'not replayed',
  unfinished: 'unfinished so far',
};

/** Asks the engine to recompute every hash and to derive the verdict again. */
function CheckButton({ line }: { line: TrialLine }) {
  const api = useApi();
  const check = useMutation({
    mutationKey: ['check', line.trial, line.head_hash],
    mutationFn: () => api.trials.check({ trial: line.trial }),
  });
  const { data } = check;
  const good = data?.chain === 'intact' && (data.replay === 'identical' || data.replay === 'unfinished');
  const words = check.isPending
    ? 'Checking…'
    : check.isError
      ? `Not checked: ${failureOf(check.error).message}`
      : data === undefined
        ? 'Check the record'
        : data.chain === 'tampered'
          ? `Chain broken${data.problem === null ? '' : `: ${data.problem}`}`
          : `Chain intact, ${replayWords[data.replay]}${data.problem === null ? '' : `: ${data.problem}`}`;
  return (
    <span role="status">
      <AriaButton
        className={`${styles.check} ${data === undefined ? '' : good ? styles.good : styles.bad}`}
        onPress={() => check.mutate()}
        isDisabled={check.isPending}
      >
        {data !== undefined && !good ? <TriangleAlert size={14} aria-hidden="true" /> : <Link2 size={14} aria-hidden="true" />}
        {words}
        {data === undefined ? null : <small>{quantity(data.events, 'event')}</small>}
      </AriaButton>
    </span>
  );
}

/** Verdict, effort and the state of the record. */
export function TrialPills({ line, onCalls }: { line: TrialLine; onCalls: () => void }) {
  const begun = line.status !== 'queued';
  return (
    <>
      <VerdictPill line={line} />
      {line.incomplete ? <Pill tone="warn">incomplete: a turn was forfeited</Pill> : null}
      {line.inconsistent ? <Pill tone="warn">belief and verdict disagree</Pill> : null}
      {line.attempt > 1 ? <Pill>attempt {line.attempt}</Pill> : null}
      {line.replicate > 0 ? <Pill>replicate {line.replicate + 1}</Pill> : null}
      {isImported(line) ? <Pill>imported</Pill> : null}
      {begun && !isImported(line) ? (
        <AriaButton className={styles.check ?? ''} onPress={onCalls}>
          {quantity(line.calls, 'call')}
          {line.attempts > line.calls ? ` in ${line.attempts} attempts` : ''} ·{' '}
          {count(line.prompt_tokens + line.completion_tokens)} tokens · {elapsed(line.wall_ms)}
        </AriaButton>
      ) : null}
      {begun ? <CheckButton key={line.head_hash ?? line.attempt} line={line} /> : null}
    </>
  );
}

/** Report, and the way to the neighbours in the experiment. */
export function TrialActions({ line }: { line: TrialLine }) {
  const api = useApi();
  const host = useHost();
  const [, navigate] = useLocation();
  const neighbours = useNeighbours(line);
  const report = useMutation({
    mutationFn: async () => {
      const { file, fileName } = await api.exports.make({ experiment: line.experiment, trial: line.trial, format: 'html' });
      return host.saveExport(file, fileName);
    },
    onSuccess: (saved) => {
      if (saved) tell('The report was saved. It can be read and printed without this program.');
    },
    onError: (error) => tell(`The report was not made: ${failureOf(error).message}`),
  });
  const go = (trial: string | null | undefined) => {
    if (trial !== null && trial !== undefined) navigate(toTrial(trial));
  };
  useShortcuts([
    { keys: ['n'], does: 'Next trial of this arm', run: () => go(neighbours?.after) },
    { keys: ['N'], does: 'Previous trial of this arm', run: () => go(neighbours?.before) },
    { keys: ['r'], does: 'Save a report of this trial', run: () => (line.status === 'queued' ? undefined : report.mutate()) },
  ]);
  return (
    <>
      {line.status === 'queued' ? null : (
        <Button look="primary" isDisabled={report.isPending} onPress={() => report.mutate()}>
          <FileText size={15} aria-hidden="true" /> {report.isPending ? 'Writing…' : 'Report'}
        </Button>
      )}
      {neighbours === null || neighbours.total < 2 ? null : (
        <span className={styles.neighbours}>
          <Button
            size="small"
            aria-label="Previous trial of this arm"
            isDisabled={neighbours.before === null}
            onPress={() => go(neighbours.before)}
          >
            <ChevronLeft size={16} aria-hidden="true" />
          </Button>
          <span>
            {count(neighbours.place)} of {count(neighbours.total)}
          </span>
          <Button
            size="small"
            aria-label="Next trial of this arm"
            isDisabled={neighbours.after === null}
            onPress={() => go(neighbours.after)}
          >
            <ChevronRight size={16} aria-hidden="true" />
          </Button>
        </span>
      )}
    </>
  );
}
