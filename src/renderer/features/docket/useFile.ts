import { useLocation } from 'wouter';
import { useTakeFile } from '../../api/useTakeFile.ts';
import { routes } from '../../app/routes.ts';
import { keep } from '../../ui/kept.ts';
import { uploadKey } from '../importing/ImportWizard.tsx';
import { keptAs } from './importForm.ts';

/** Takes a file from the user, and goes on to the import. */
export function useFile() {
  const [, navigate] = useLocation();
  return useTakeFile((upload) => {
    keep(uploadKey(keptAs), upload);
    navigate(routes.importFile);
  });
}
