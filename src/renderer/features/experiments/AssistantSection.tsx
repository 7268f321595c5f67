import { useQuery, useQueryClient } from '@tanstack/react-query';
import { GraduationCap } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { percent } from '../../../core/figures/shares.ts';
import type { AssistantsView, TrainFrame } from '../../../shared/api/assistants.ts';
import type { TrainReport } from '../../../shared/assistants.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import styles from './Experiment.module.css';

type Progress = Extract<TrainFrame, { kind: 'progress' }>;

type TrainingState =
  | { readonly state: 'idle' }
  | { readonly state: 'training'; readonly progress: Progress | null }
  | { readonly state: 'done'; readonly report: TrainReport }
  | { readonly state: 'failed'; readonly error: unknown };

const assistantsKey = (experiment: string) => ['assistants', experiment] as const;

function useAssistants(experiment: string) {
  const api = useApi();
  return useQuery({
    queryKey: assistantsKey(experiment),
    queryFn: ({ signal }) => api.assistants.look({ experiment }, { signal }),
    refetchOnMount: 'always',
  });
}

/** One training at a time; it ends with the screen, and what it has made of vectors is kept. */
function useTraining(experiment: string) {
  const api = useApi();
  const queries = useQueryClient();
  const [state, setState] = useState<TrainingState>({ state: 'idle' });
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const start = async () => {
    controller.current?.abort();
    const mine = new AbortController();
    controller.current = mine;
    setState({ state: 'training', progress: null });
    try {
      for await (const frame of await api.assistants.train({ experiment }, { signal: mine.signal })) {
        if (mine.signal.aborted) return;
        if (frame.kind === 'progress') setState({ state: 'training', progress: frame });
        else setState({ state: 'done', report: frame.report });
      }
      await queries.invalidateQueries({ queryKey: assistantsKey(experiment) });
    } catch (error) {
      if (!mine.signal.aborted) setState({ state: 'failed', error });
    }
  };
  const cancel = () => {
    controller.current?.abort();
    setState({ state: 'idle' });
  };
  return { state, start: () => void start(), cancel };
}

function State({ state }: { state: TrainingState }) {
  switch (state.state) {
    case 'idle':
      return null;
    case 'training': {
      const { progress } = state;
      return (
        <>
          <p className="quiet">
            {progress === null
              ? 'Looking for statements…'
              : progress.phase === 'fit'
                ? 'Learning…'
                : `${progress.done} of ${quantity(progress.of, 'statement')} have a vector`}
          </p>
          <progress
            aria-label="Training of the assistant"
            {...(progress?.phase === 'vectors' ? { value: progress.done, max: Math.max(1, progress.of) } : {})}
          />
        </>
      );
    }
    case 'failed':
      return <FailureNotice error={state.error} />;
    case 'done':
      return (
        <p>
          {state.report.trained_now
            ? `Version ${state.report.version} is trained. Arms with a trained assistant take it from now on; those that there are keep theirs.`
            : `Nothing new: version ${state.report.version} was made from the same statements and vectors.`}
        </p>
      );
  }
}

function Versions({ versions }: { versions: AssistantsView['versions'] }) {
  if (versions.length === 0) return <p className="quiet">None has been trained for this data set yet.</p>;
  return (
    <div className={styles.tableFrame}>
      <DataTable
        rows={versions}
        keyOf={({ version }) => version}
        columns={[
          { title: 'Version', cell: ({ version }) => version },
          {
            title: 'From',
            cell: ({ experiment, at }) => (
              <>
                <HiddenText text={experiment} />, {new Date(at).toLocaleDateString('en-GB')}
              </>
            ),
          },
          {
            title: 'Learned from',
            cell: ({ statements, cases }) => `${quantity(statements, 'statement')} about ${quantity(cases, 'case')}`,
          },
          { title: 'Accuracy, held out', cell: ({ accuracy, heldOut }) => `${percent(accuracy)} of ${heldOut}` },
          { title: 'Area under the curve', cell: ({ auc }) => (auc === null ? 'undefined' : auc.toFixed(3)) },
          {
            title: 'Vectors of',
            cell: ({ embedder, standin }) => (
              <>
                <HiddenText text={embedder} />
                {standin ? ' (stand-in)' : ''}
              </>
            ),
          },
        ]}
      />
    </div>
  );
}

/** The trained assistants that rate debaters, where the experiment has debates to learn from. */
export function AssistantSection({ experiment, underWay }: { experiment: string; underWay: boolean }) {
  const view = useAssistants(experiment);
  const { state, start, cancel } = useTraining(experiment);
  if (view.data === undefined || !view.data.trainable) return null;
  const { versions, embedder } = view.data;
  const training = state.state === 'training';
  return (
    <Section
      title="Trained assistant"
      lead="Learns from these debates, over cases of the training split, which statements hold the true label. Other experiments over the same data rate their debaters with it."
      actions={
        training ? (
          <Button size="small" onPress={cancel}>
            Call it off
          </Button>
        ) : (
          <Button size="small" onPress={start} isDisabled={underWay || embedder === null}>
            <GraduationCap size={13} aria-hidden="true" />
            {versions.length === 0 ? 'Train the assistant' : 'Retrain the assistant'}
          </Button>
        )
      }
    >
      {embedder === null ? (
        <p className="quiet">No arm casts an embedding model in the role “embedder”, without which nothing can be learned.</p>
      ) : null}
      <div role="status">
        <State state={state} />
      </div>
      <Versions versions={versions} />
    </Section>
  );
}
