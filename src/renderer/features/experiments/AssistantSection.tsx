import { GraduationCap } from 'lucide-react';
import { percent } from '../../../core/figures/shares.ts';
import type { AssistantsView, TrainFrame } from '../../../shared/api/assistants.ts';
import { demoMark } from '../../../shared/demoModel.ts';
import { fresh, useApi, useRead, useReread } from '../../api/ApiContext.tsx';
import { type Task, useTask } from '../../api/useTask.ts';
import { useWritable } from '../../app/engineStatus.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { dayText } from '../../ui/moments.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';

const assistantsKey = (experiment: string) => ['assistants', experiment] as const;

function State({ task }: { task: Task<TrainFrame> }) {
  switch (task.state) {
    case 'idle':
      return null;
    case 'running': {
      const { progress } = task;
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
      return <FailureNotice error={task.error} />;
    case 'done':
      return (
        <p>
          {task.result.report.trained_now
            ? `Version ${task.result.report.version} is trained. Arms with a trained assistant take it from now on; those that there are keep theirs.`
            : `Nothing new: version ${task.result.report.version} was made from the same statements and vectors.`}
        </p>
      );
  }
}

function Versions({ versions }: { versions: AssistantsView['versions'] }) {
  if (versions.length === 0) return <p className="quiet">None has been trained for this data set yet.</p>;
  return (
    <div className="stack gap-8 scroll-x">
      <DataTable
        rows={versions}
        keyOf={({ version }) => version}
        columns={[
          { title: 'Version', cell: ({ version }) => version },
          {
            title: 'From',
            cell: ({ experiment, at }) => (
              <>
                <HiddenText text={experiment} />, {dayText(at)}
              </>
            ),
          },
          {
            title: 'Learned from',
            cell: ({ training: { statements, cases } }) =>
              `${quantity(statements, 'statement')} about ${quantity(cases, 'case')}`,
          },
          { title: 'Accuracy, held out', cell: ({ holdout }) => `${percent(holdout.accuracy)} of ${holdout.statements}` },
          { title: 'Area under the curve', cell: ({ holdout: { area } }) => area?.toFixed(3) ?? 'undefined' },
          {
            title: 'Vectors of',
            cell: ({ embedder, standin }) => (
              <>
                <HiddenText text={embedder.model} />
                {demoMark(standin)}
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
  const view = useRead(assistantsKey(experiment), (asked, given) => asked.assistants.look({ experiment }, given), fresh);
  const isWritable = useWritable();
  const api = useApi();
  const reread = useReread();
  // What an ended training has made of vectors is kept.
  const { task, start, cancel } = useTask(
    (signal) => api.assistants.train({ experiment }, { signal }),
    () => reread(assistantsKey(experiment)),
  );
  if (view.data === undefined || !view.data.trainable) return null;
  const { versions, embedder } = view.data;
  const training = task.state === 'running';
  return (
    <Section
      title="Trained assistant"
      lead="Learns from these debates, over cases of the training split, which statements hold the true label. Other experiments over the same data rate their debaters with it."
      actions={
        training ? (
          <Button size="small" onPress={cancel}>
            Call it off
          </Button>
        ) : !isWritable ? null : (
          <Button icon={GraduationCap} size="small" onPress={() => start()} isDisabled={underWay || embedder === null}>
            {versions.length === 0 ? 'Train the assistant' : 'Retrain the assistant'}
          </Button>
        )
      }
    >
      {embedder === null ? (
        <p className="quiet">No arm casts an embedding model in the role “embedder”, without which nothing can be learned.</p>
      ) : null}
      <div role="status">
        <State task={task} />
      </div>
      <Versions versions={versions} />
    </Section>
  );
}
