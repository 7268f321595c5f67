import { routes } from '../../app/routes.ts';
import { ImportWizard } from '../importing/ImportWizard.tsx';
import { ImportFormPart } from './ImportFormPart.tsx';
import { keptAs } from './importForm.ts';

/** From a file to an entry of the docket: choose it, say what its columns mean, see the cases, add it. */
export default function ImportScreen() {
  return (
    <ImportWizard
      keptAs={keptAs}
      crumbs={[{ label: 'Docket', to: routes.docket }]}
      title="Import"
      invitation={{
        label: 'Drop a data file',
        heading: 'Which cases are to be put on trial?',
        text: 'Drop a CSV, TSV or JSON Lines file here: one case in each row. It stays on this machine, and nothing is added before you have seen what becomes of it.',
      }}
    >
      {(file) => <ImportFormPart file={file} />}
    </ImportWizard>
  );
}
