import type { BoundProtocol, RegisteredProtocol } from '../../../core/protocols/index.ts';
import type { ArmDefinition, Experiment } from '../../../shared/experiment.ts';
import type { Swap } from '../../../shared/swaps.ts';
import type { JsonFile } from './jsonFile.ts';

/** An arm whose protocol, parameters and cast have been checked. */
export interface PreparedArm {
  readonly definition: ArmDefinition;
  readonly protocol: RegisteredProtocol;
  readonly bound: BoundProtocol;
  /** What is exchanged in it; null for an arm as the file has it. */
  readonly swap: Swap | null;
}

/** An experiment file that has been checked as far as it can be without its data. */
export interface PreparedExperiment {
  readonly experiment: Experiment;
  /** Those of the file in their places, then those with something exchanged. */
  readonly arms: readonly PreparedArm[];
  /** Absolute path of the data file. */
  readonly dataPath: string;
  /** Makes errors that name the place in the file. */
  readonly file: Pick<JsonFile, 'path' | 'error'>;
}
