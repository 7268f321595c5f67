import { readerVersion } from '../../../core/answers/answer.ts';
import { guardRules } from '../../../core/text/found.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { FrozenArm, RecordEvent } from '../../../shared/events.ts';
import { isImported } from '../../../shared/imported.ts';
import type { Store } from '../store/store.ts';
import type { FrozenExperiment } from './frozen.ts';

/** The version of an arm's protocol in words, where this program does not have it; else null. */
export const missingProtocol = (frozen: FrozenExperiment, arm: FrozenArm): string | null =>
  frozen.protocol(arm) === undefined ? `version ${arm.protocolVersion} of protocol ${arm.protocol}` : null;

/** The version of the rules by which an attempt's answers were read, in words, where it is not this program's; else null. */
export function otherReader(attempt: readonly RecordEvent[]): string | null {
  for (const { kind, payload } of attempt) {
    if (kind !== 'call-answer' && kind !== 'answer-share') continue;
    const { reader = 1 } = payload;
    if (reader !== readerVersion) return `version ${reader} of the rules by which answers are read`;
  }
  return null;
}

/** The version of the rules by which foreign texts are made harmless, in words, where it is newer than this program's; else null. */
export const newerGuard = ({ guard }: FrozenExperiment): string | null =>
  guard > guardRules ? `version ${guard} of the rules by which texts from outside are made harmless` : null;

/** Throws bad input where an experiment was begun with a protocol or with rules that this program does not have. */
export function refuseOtherVersions(store: Store, frozen: FrozenExperiment): void {
  const run = frozen.arms.filter((arm) => !isImported(arm));
  const [protocol] = run.flatMap((arm) => missingProtocol(frozen, arm) ?? []);
  const reading = 'other rules by which answers are read';
  const lacks = protocol ?? (run.length > 0 && frozen.reader !== readerVersion ? reading : newerGuard(frozen));
  if (lacks === null) return;
  throw new AssizeError(
    'bad-input',
    `experiment ${JSON.stringify(frozen.name)} was begun with ${lacks}, which this program does not have; ` +
      'give the experiment another name, or use another store',
    { file: store.path, field: 'name' },
  );
}
