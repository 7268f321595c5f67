import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportReport } from '../../../shared/imported.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { routes, toExperiment } from '../../app/routes.ts';
import { Notice } from '../../ui/Notice.tsx';
import { experimentKey } from '../experiments/experimentQueries.ts';
import { ImportWizard } from '../importing/ImportWizard.tsx';
import { ImportResult } from './ImportResult.tsx';
import { PredictionFormPart } from './PredictionFormPart.tsx';

/** From a file of predictions to an arm of an experiment: choose it, say what its columns mean, see what comes out, import it. */
export default function ImportPredictionsScreen({ experiment }: { experiment: string }) {
  const api = useApi();
  const [report, setReport] = useState<ImportReport | null>(null);
  // Both are read here: a query tells a component only of what that component itself has read.
  const { data: view, error } = useQuery({
    queryKey: experimentKey(experiment),
    queryFn: ({ signal }) => api.experiments.read({ experiment }, { signal }),
  });
  return (
    <ImportWizard
      keptAs={`predictions/${experiment}`}
      crumbs={[
        { label: 'Experiments', to: routes.experiments },
        { label: experiment, to: toExperiment(experiment) },
      ]}
      title="Import predictions"
      invitation={{
        label: 'Drop a file of predictions',
        heading: 'What did another system, or people, say of these cases?',
        text: 'Drop a CSV, TSV or JSON Lines file here: one prediction in each row, with the id of its case. It becomes an arm beside the others, and nothing is imported before you have seen what comes out.',
      }}
      failure={error}
      instead={report === null ? null : <ImportResult report={report} />}
      onTaken={() => setReport(null)}
    >
      {(file) =>
        view === undefined ? (
          <Notice>Looking through the file…</Notice>
        ) : (
          <PredictionFormPart file={file} view={view} onImported={setReport} />
        )
      }
    </ImportWizard>
  );
}
