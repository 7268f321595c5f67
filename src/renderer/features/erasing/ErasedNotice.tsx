import { type ErasureNote, erasedText } from '../../../shared/erasure.ts';
import { Isolated } from '../../ui/HiddenText.tsx';
import { minuteText } from '../../ui/moments.ts';
import { Notice } from '../../ui/Notice.tsx';

export function ErasedNotice({ erased, of }: { erased: ErasureNote | null; of: 'trial' | 'experiment' }) {
  if (erased === null) return null;
  return (
    <Notice tone="warn">
      <p>
        <strong>Texts of this {of} were erased</strong> on {minuteText(erased.at)}: <Isolated text={erasedText(erased)} />. Ids,
        labels, verdicts, beliefs and the answers of any reviews (not their reasons) are left, and words that other trials have
        too. The {of} cannot be run further{of === 'experiment' ? ' and takes no imported predictions' : ''}, and what needs the
        texts can no longer be checked.
      </p>
    </Notice>
  );
}
