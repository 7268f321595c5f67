import { diffWordsWithSpace } from 'diff';
import { useMemo, useRef } from 'react';
import type { EditablePrompt, EditProblem } from '../../../shared/api/prompts.ts';
import { Button } from '../../ui/Button.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { quantity } from '../../ui/quantity.ts';
import { TextField } from '../../ui/TextField.tsx';
import { promptTitle } from '../protocols/words.ts';
import styles from './Prompts.module.css';

const charactersPerToken = 4;
const tokensIn = (words: string) => Math.ceil(words.length / charactersPerToken);

const mostRows = 18;
const rowsOf = (words: string) =>
  Math.min(
    mostRows,
    words.split('\n').reduce((rows, line) => rows + 1 + Math.floor(line.length / 80), 1),
  );

/** What was taken out and put in, among what stayed. */
function Difference({ before, now }: { before: string; now: string }) {
  const pieces = useMemo(() => diffWordsWithSpace(before, now), [before, now]);
  return (
    <p className={`verbatim ${styles.difference}`} dir="auto">
      {pieces.map(({ value, added, removed }, index) => {
        const Part = added ? 'ins' : removed ? 'del' : 'span';
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one difference never change places
        return <Part key={index}>{value}</Part>;
      })}
    </p>
  );
}

/** The words of one part, with the slots that it may have. A press on a slot puts it where the cursor is. */
export function PartEditor({
  prompt,
  part,
  words,
  problems,
  onChange,
}: {
  prompt: EditablePrompt;
  part: EditablePrompt['parts'][number];
  words: string;
  problems: readonly EditProblem[];
  onChange: (words: string) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const { text, shipped, slots } = part;
  const changed = words !== shipped;
  const more = tokensIn(words) - tokensIn(shipped);
  const insert = (slot: string) => {
    place.current?.querySelector('textarea')?.focus();
    // There is no other way to write into a field that Ctrl+Z takes back.
    document.execCommand('insertText', false, `{{${slot}}}`);
  };
  const about = (slot: string) => prompt.slots.find(({ name }) => name === slot);
  const name = text === null ? 'Messages' : promptTitle(text);
  const refused = problems.find((problem) => problem.refused);
  return (
    <div ref={place} className="stack gap-6">
      <TextField
        label={name}
        look="mono"
        rows={rowsOf(words)}
        value={words}
        spellCheck="false"
        description={`About ${quantity(tokensIn(words), 'token')} without what fills the slots${more === 0 ? '' : `, ${Math.abs(more)} ${more > 0 ? 'more' : 'fewer'} than shipped`}.`}
        error={refused === undefined ? null : `Line ${refused.place?.line ?? 1}: ${refused.message}.`}
        onChange={onChange}
      />
      {problems.map(({ message, refused: isRefused }) =>
        isRefused ? null : (
          <p key={message} className="text-warn text-13">
            {message}
          </p>
        ),
      )}
      {slots.length === 0 ? null : (
        <ul className={`flex flex-wrap gap-4 ${styles.chips}`} aria-label={`Slots of ${name}`}>
          {slots.map((slot) => {
            const missing = !words.includes(`{{${slot}}}`);
            const look = about(slot)?.needed ? styles.needed : styles.missing;
            return (
              <li key={slot} className={missing ? look : undefined}>
                <Button
                  size="small"
                  aria-label={`Insert {{${slot}}}${missing ? ', which is missing' : ''}: ${about(slot)?.meaning ?? ''}`}
                  onPress={() => insert(slot)}
                >
                  {`{{${slot}}}`}
                  {missing ? ' missing' : ''}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      {changed ? (
        <div className="stack gap-6">
          <Fold level={4} title="Difference from the shipped words">
            <Difference before={shipped} now={words} />
          </Fold>
          <div>
            <Button size="small" onPress={() => onChange(shipped)}>
              Restore the shipped words
            </Button>
          </div>
        </div>
      ) : null}
    </div>
  );
}
