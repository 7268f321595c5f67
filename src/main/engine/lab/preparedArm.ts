// What a checked arm and a checked experiment are.
import { ZodError } from 'zod';
import type { Variant } from '../../../core/prompts/variant.ts';
import { type Templates, templatesOf } from '../../../core/prompts/wording.ts';
import type { BoundProtocol, RegisteredProtocol } from '../../../core/protocols/index.ts';
import type { ArmDefinition, Experiment } from '../../../shared/experiment.ts';
import type { Swap } from '../../../shared/swaps.ts';
import type { Dataset } from '../datasets/dataset.ts';
import type { JsonFile } from './jsonFile.ts';

export interface PreparedArm {
  readonly definition: ArmDefinition;
  readonly protocol: RegisteredProtocol;
  readonly bound: BoundProtocol;
  /** What is exchanged in it; null for an arm as the file has it. */
  readonly swap: Swap | null;
  /** The other words of its prompts; null where they are the shipped ones. */
  readonly variant: Variant | null;
}

export const wordsOfArm = ({ protocol, variant }: Pick<PreparedArm, 'protocol' | 'variant'>): Templates =>
  variant === null ? protocol.templates : templatesOf(variant.prompts);

/** An experiment that has been checked as far as it can be without its data: of a file, of a screen, or of a tried case. */
export interface PreparedExperiment {
  readonly experiment: Experiment;
  /** Those of the file in their places, then those with something exchanged. */
  readonly arms: readonly PreparedArm[];
  readonly dataPath: string;
  /** Folder from which relative paths in it start; absent where it is in no file. */
  readonly folder?: string;
  readonly data?: Dataset;
  /** Arms of what comes after it, whose models must be there too before anything is asked. */
  readonly later?: readonly ArmDefinition[];
  readonly file: Pick<JsonFile, 'error'>;
}

export type Fail = (message: string, at: (string | number)[]) => Error;

/** The protocol with parameters; null where it does not take them. */
export function boundOrNull(
  protocol: RegisteredProtocol,
  ...given: Parameters<RegisteredProtocol['bind']>
): BoundProtocol | null {
  try {
    return protocol.bind(...given);
  } catch (error) {
    if (error instanceof ZodError) return null;
    throw error;
  }
}
