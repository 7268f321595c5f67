import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ToggleButton } from 'react-aria-components';
import { type TrialQueue, trialQueues, truthQueues } from '../../../shared/api/experiments.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import dashboard from '../dashboard/Dashboard.module.css';
import { queuesKey } from './experimentQueries.ts';
import { countedText, elsewhereText, queueText } from './queueTexts.ts';
import { any, type Filter } from './trialFilter.ts';

/** The queues that have trials, each at one press; those of the whole experiment, under any filter. */
export function TrialQueues({
  experiment,
  decidedBy,
  isHidden,
  isListed,
  chosen,
  onChoose,
}: {
  experiment: string;
  decidedBy: string | undefined;
  isHidden: boolean;
  /** Whether the list has its rows, or failed: counting at the same time would hold them up, and make the same index twice. */
  isListed: boolean;
  chosen: Filter['queue'];
  onChoose(queue: Filter['queue']): void;
}) {
  const api = useApi();
  const counted = useQuery({
    queryKey: queuesKey(experiment),
    queryFn: ({ signal }) => api.experiments.queues({ experiment }, { signal }),
    enabled: isListed,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const against = counted.data?.['against-own-percentage'] ?? 0;
  // The empty queue of sure ones says where verdicts are that cannot be sure.
  const held = (queue: TrialQueue) => (counted.data?.[queue] ?? 0) + (queue === 'wrong-and-sure' ? against : 0);
  const shown = trialQueues.filter((queue) => !(isHidden && truthQueues.has(queue)) && (queue === chosen || held(queue) > 0));
  if (counted.isError) return <FailureNotice error={counted.error} onRetry={counted.refetch} />;
  if (counted.data !== undefined && shown.length === 0) return null;
  return (
    <fieldset className={`off-paper unframed flex flex-wrap gap-6 ${dashboard.choices}`}>
      <legend>Worth reading first, of all trials of the experiment</legend>
      {counted.data === undefined ? <span className="quiet">Counting…</span> : null}
      {shown.map((queue) => (
        <ToggleButton
          key={queue}
          className={`chip text-13 ${dashboard.choice}`}
          isSelected={queue === chosen}
          onChange={(isChosen) => onChoose(isChosen ? queue : any)}
        >
          <HiddenText text={queueText(queue, decidedBy).title} />{' '}
          {counted.data === undefined ? '…' : countedText(queue, counted.data)}
        </ToggleButton>
      ))}
      {chosen === any ? null : (
        <p className={`quiet ${dashboard.rule}`}>
          <HiddenText text={queueText(chosen, decidedBy).rule} />
          {chosen === 'wrong-and-sure' ? elsewhereText(against) : null}
        </p>
      )}
    </fieldset>
  );
}
