import type { TranscriptEntry } from '../../../../shared/api/trials.ts';
import type { Fact } from '../../../../shared/domain.ts';
import { Pill } from '../../../ui/Pill.tsx';
import { Speech } from '../Speech.tsx';

type Utterance = Pick<Extract<TranscriptEntry, { kind: 'utterance' }>, 'text' | 'shortened'>;

/** A speech as others heard it, and how much of it that is where it was cut. */
export function HeardSpeech({ speech: { text, shortened }, facts }: { speech: Utterance; facts: readonly Fact[] }) {
  return (
    <>
      <Speech text={text} facts={facts} />
      {shortened === undefined ? null : (
        <p>
          <Pill tone="warn">
            cut: {shortened.kept} of {shortened.words} words were heard
          </Pill>
        </p>
      )}
    </>
  );
}
