import type { ReactNode } from 'react';
import type { TrialView } from '../../../shared/api/trials.ts';
import type { CallEntry } from './trialCalls.ts';
import type { TrialState } from './trialState.ts';

/** What a view of one protocol gets of a trial. */
export interface LayoutProperties {
  readonly view: TrialView;
  readonly state: TrialState;
  /** Calls behind an entry, by its seq. */
  readonly calls: ReadonlyMap<number, readonly CallEntry[]>;
  /** Private notes are all unfolded. */
  readonly allOpen: boolean;
  readonly onInspect: (key: string) => void;
}

/** A view of the trials of one protocol. */
export interface TrialLayout {
  /** Name of its tab. */
  readonly title: string;
  readonly Layout: (properties: LayoutProperties) => ReactNode;
}
