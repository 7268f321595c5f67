import { useLocation } from 'wouter';
import { useTakeFile } from '../../api/ApiContext.tsx';
import { routes } from '../../app/routes.ts';
import { saveSessionState } from '../../ui/sessionState.ts';
import { chosen, storageKey } from '../importing/chosen.ts';

export function useImportFile() {
  const [, navigate] = useLocation();
  return useTakeFile((upload) => {
    saveSessionState(storageKey, chosen(upload));
    navigate(routes.importFile);
  });
}
