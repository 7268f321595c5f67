import { useLocation } from 'wouter';
import type { Upload } from '../../../shared/api/docket.ts';
import { useTakeFile } from '../../api/useTakeFile.ts';
import { routes } from '../../app/routes.ts';
import { keepUpload } from './importForm.ts';

/** Takes a file from the user, and goes on to the import. */
export function useFile(onTaken?: (upload: Upload) => void) {
  const [, navigate] = useLocation();
  return useTakeFile((upload) => {
    keepUpload(upload);
    onTaken?.(upload);
    navigate(routes.importFile);
  });
}
