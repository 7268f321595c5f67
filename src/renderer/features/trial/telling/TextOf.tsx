import { RotateCcw, ScanSearch } from 'lucide-react';
import { Button } from 'react-aria-components';
import { type Span, spansOf, type Words } from '../../../../core/telling/blocks.ts';
import { Isolated, IsolatedSet, Outside } from '../../../ui/HiddenText.tsx';
import { Pill } from '../../../ui/Pill.tsx';
import { Spelled } from '../../../ui/Spelled.tsx';
import transcript from '../Transcript.module.css';
import { type CallEntry, mishap } from '../trialCalls.ts';
import { useDrawing } from './drawing.ts';
import styles from './Telling.module.css';

/** Opens the call behind a text, with the attempts that failed. @param what it led to: `the opening of the prosecution` @param isAskedAgain also the last */
export function CallMarks({
  calls,
  what,
  isAskedAgain = false,
}: {
  calls: readonly Pick<CallEntry, 'key' | 'failure' | 'rejected'>[];
  what: string;
  isAskedAgain?: boolean;
}) {
  const { onInspect } = useDrawing();
  const failed = calls.filter((call) => mishap(call) !== null);
  const last = calls.at(-1);
  return (
    <span className={`off-paper flex-wrap gap-4 ${transcript.marks}`}>
      {failed.map((call) => (
        <Button key={call.key} className={`${transcript.mark} ${transcript.failedMark}`} onPress={() => onInspect(call.key)}>
          <RotateCcw size={12} aria-hidden="true" /> {mishap(call)}
          {call === last && !isAskedAgain ? '' : ', asked again'}
        </Button>
      ))}
      {last === undefined || failed.includes(last) ? null : (
        <Button className={transcript.mark ?? ''} aria-label={`Call behind ${what}`} onPress={() => onInspect(last.key)}>
          <ScanSearch size={14} aria-hidden="true" /> call
        </Button>
      )}
    </span>
  );
}

export const Calls = ({ of, what }: { of: number; what: string }) => <CallMarks calls={useDrawing().callsOf(of)} what={what} />;

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
      <span className="quiet font-400">
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
  if ('code' in span) return <Outside as="code" text={span.code} />;
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
