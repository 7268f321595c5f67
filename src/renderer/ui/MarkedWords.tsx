import type { Piece } from '../../core/text/differences.ts';
import { HiddenText } from './HiddenText.tsx';
import styles from './MarkedWords.module.css';

/** A whole text, with a mark at what another one does not have. */
export function MarkedWords({ pieces }: { pieces: readonly Piece[] }) {
  return (
    <p dir="auto" className={`max-w-80ch serif-16 pre-wrap wrap-anywhere ${styles.words}`}>
      {pieces.map(({ text, isOwn }, index) => {
        const Part = isOwn ? 'mark' : 'span';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change places
          <Part key={index}>
            <HiddenText text={text} />
          </Part>
        );
      })}
    </p>
  );
}
