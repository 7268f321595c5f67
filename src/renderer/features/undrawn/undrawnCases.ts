// Reads the cases that no trial is about, which neither the trials nor the search of them have.
import { useRead } from '../../api/ApiContext.tsx';

/** @param sought words that a case has to have; empty: any. @param experiment null: cases that no experiment drew */
export const useUndrawnCases = (experiment: string | null, sought: string) =>
  useRead(['experiments', 'undrawn', experiment, sought], (api, given) => api.experiments.undrawn({ experiment, sought }, given));
