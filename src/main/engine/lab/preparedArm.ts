import type { BoundProtocol, RegisteredProtocol } from '../../../core/protocols/index.ts';
import type { ArmDefinition } from '../../../shared/experiment.ts';
import type { Swap } from '../../../shared/swaps.ts';

/** An arm whose protocol, parameters and cast have been checked. */
export interface PreparedArm {
  readonly definition: ArmDefinition;
  readonly protocol: RegisteredProtocol;
  readonly bound: BoundProtocol;
  /** What is exchanged in it; null for an arm as the file has it. */
  readonly swap: Swap | null;
}
