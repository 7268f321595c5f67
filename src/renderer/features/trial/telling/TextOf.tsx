import { type Span, spansOf, type Words } from '../../../../core/telling/blocks.ts';
import { Isolated, IsolatedSet, Outside } from '../../../ui/HiddenText.tsx';
import { Pill } from '../../../ui/Pill.tsx';
import { Spelled } from '../../../ui/Spelled.tsx';
import { CallMarks } from '../CallMarks.tsx';
import { useDrawing } from './drawing.ts';
import styles from './Telling.module.css';

/** Opens the calls behind an entry, by its seq. */
export function Calls({ of, what }: { of: number; what: string }) {
  const drawing = useDrawing();
  return <CallMarks calls={drawing.callsOf(of)} what={what} onInspect={drawing.onInspect} />;
}

function Piece({ span }: { span: Span }) {
  if (typeof span === 'string') return span;
  if ('name' in span) return span.each === undefined ? <Isolated text={span.name} /> : <IsolatedSet of={[...span.each]} />;
  if ('strong' in span) {
    return (
      <b className={span.tone === undefined ? undefined : span.tone === 'good' ? 'text-good' : 'text-bad'}>
        {span.full === undefined ? (
          <TextOf words={span.strong} />
        ) : (
          <Spelled full={span.full}>
            <TextOf words={span.strong} />
          </Spelled>
        )}
      </b>
    );
  }
  if ('quiet' in span) {
    return (
      <span className={styles.quiet}>
        <TextOf words={span.quiet} />
      </span>
    );
  }
  if ('pill' in span) {
    return (
      <Pill tone={span.tone}>
        <TextOf words={span.pill} />
      </Pill>
    );
  }
  if ('code' in span) return <Outside as="code" className={styles.code ?? ''} text={span.code} />;
  return <Calls of={span.callsOf} what={span.what} />;
}

export function TextOf({ words }: { words: Words }) {
  return spansOf(words).map((span, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the words of a line never change places
    <Piece key={index} span={span} />
  ));
}

const isMark = (span: Span) => typeof span === 'object' && ('callsOf' in span || 'pill' in span);

export function Titled({ words, level }: { words: Words; level: number }) {
  const Heading = `h${Math.min(level, 6)}` as 'h3';
  const spans = spansOf(words);
  return (
    <div className={`row justify-between gap-2-12 ${styles.cardHead}`}>
      <Heading>
        <TextOf words={spans.filter((span) => !isMark(span))} />
      </Heading>
      <TextOf words={spans.filter(isMark)} />
    </div>
  );
}
