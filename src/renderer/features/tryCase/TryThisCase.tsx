import { useLocation } from 'wouter';
import type { DataFile, ListedCase } from '../../../shared/api/dataFiles.ts';
import { useWritable } from '../../app/engineStatus.ts';
import { routes } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { saveSessionState } from '../../ui/sessionState.ts';
import { casesOf } from '../datasets/definition.ts';
import { tryKey, tryOfCase } from './tryForm.ts';

/** Takes a case of a data set to Try a case; says so where such cases cannot be tried there. */
export function TryThisCase({ entry, listed }: { entry: DataFile; listed: ListedCase }) {
  const [, navigate] = useLocation();
  const isWritable = useWritable();
  const { definition, labels, positive } = entry;
  if (!isWritable) return null;
  if (casesOf(entry).multiLabel)
    return <span className="muted wrap-anywhere">tried in an experiment: a case tried alone has one label</span>;
  if (labels.length < 2) return null;
  return (
    <Button
      size="small"
      onPress={() => {
        const question = listed.question ?? definition.question ?? null;
        saveSessionState(tryKey, tryOfCase({ kind: definition.kind, facts: listed.facts, question }, labels, positive));
        navigate(routes.tryCase);
      }}
    >
      Try this case
    </Button>
  );
}
