// Where a damaged text is used: in which trials, and where in them. A hash alone says nothing to a reader.
import { isUtf8 } from 'node:buffer';
import {
  isCaseIn,
  meaningOf,
  passageOf,
  placeOf,
  plainOf,
  type Subject,
  type Uses,
  usesOf,
} from '../../../../resources/bundle/uses.mjs';
import type { VerifyReport } from '../../../shared/outputs.ts';
import type { Store } from '../store/store.ts';
import { type BadRecord, isTextOf } from './chain.ts';

const nowhere: Uses = { uses: [], more_uses: 0, used_in: 0 };

/** A fault of a stored text, which the checks of events found sound do not name. */
export interface BadText extends BadRecord {
  readonly text: {
    readonly ref: string;
    readonly isGone: boolean /** What is there in its place. */;
    readonly now?: Buffer | undefined;
  };
}

function subjectIn({ trial, seq, kind }: BadRecord): Subject | null {
  const isInTrial = trial !== null && (seq !== null || kind === 'trials' || kind === 'trajectories');
  return isInTrial ? { trial, seq, kind } : null;
}

export const aboutIn = (store: Store) => (trial: string) => {
  const row = store.trials.get(trial);
  return row === undefined
    ? undefined
    : { experiment: row.experiment, arm: row.arm, case: row.case_id, replicate: row.replicate };
};

export const chainIn = (store: Store, chain: string): NonNullable<VerifyReport['head_of']> => ({
  chain,
  ...(aboutIn(store)(chain) ?? { experiment: null, arm: null, case: null }),
});

/** Whether a text that no event names is a case, by the lists of cases that are as they were recorded. */
function isCase(store: Store, ref: string): boolean | null {
  const lists = store.datasets.all().flatMap(({ salt, manifest }) => {
    const bytes = manifest === null ? undefined : store.blobs.bytes(manifest);
    if (manifest === null) return [];
    return [bytes !== undefined && isTextOf(manifest, salt, bytes) ? bytes.toString() : null];
  });
  return isCaseIn(lists, ref);
}

/** Of a changed text that is shown; what it has beyond is not counted. */
const mostBytes = 1_000_000;

/** A fault with the trials that it concerns, as their rows name them. It reads every event once. */
export function placed(store: Store, fault: BadRecord | BadText): BadRecord {
  const { text = null, ...named } = { text: null, ...fault };
  const now = text?.now;
  const bad = now !== undefined && isUtf8(now) ? { ...named, passage: passageOf(now.subarray(0, mostBytes).toString()) } : named;
  const aboutOf = aboutIn(store);
  try {
    const subject = text ?? subjectIn(bad);
    const found =
      subject === null
        ? nowhere
        : 'ref' in subject
          ? usesOf(subject.ref, store.events.all(), aboutOf)
          : placeOf(subject, aboutOf);
    const isListed = text !== null && found.uses.length === 0 ? isCase(store, text.ref) : null;
    const plain = plainOf({ subject, uses: found.uses, isListed });
    return {
      ...bad,
      ...found,
      ...(plain === undefined ? {} : { plain }),
      meaning: meaningOf({ subject, uses: found.uses, areEventsSound: true, isListed }),
    };
  } catch {
    // A file that is damaged, or was made to break this search, hides no fault.
    return bad;
  }
}
