import { diffWordsWithSpace } from 'diff';
import { useMemo, useRef } from 'react';
import type { EditablePrompt, EditProblem, OpenedVariant } from '../../../shared/api/prompts.ts';
import { Button } from '../../ui/Button.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { TextField } from '../../ui/TextField.tsx';
import form from '../newExperiment/NewExperiment.module.css';
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
function PartEditor({
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

type Parts = OpenedVariant['edited']['parts'];

export function PromptParts({
  prompt,
  parts,
  problems,
  defaultExpanded,
  onChange,
}: {
  prompt: EditablePrompt;
  /** Those of the whole variant. */
  parts: Parts;
  problems: readonly EditProblem[];
  defaultExpanded: boolean;
  onChange: (parts: Parts) => void;
}) {
  const own = prompt.parts.map((part) => ({
    ...part,
    words: parts.find((each) => each.prompt === prompt.id && each.text === part.text)?.words ?? part.shipped,
    problems: problems.filter(({ place }) => place?.prompt === prompt.id && place.text === part.text),
  }));
  const changed = own.filter(({ words, shipped }) => words !== shipped).length;
  const found = own.flatMap((part) => part.problems);
  const isRefused = found.some(({ refused }) => refused);
  const write = (text: string | null, words: string) =>
    onChange(parts.map((each) => (each.prompt === prompt.id && each.text === text ? { ...each, words } : each)));
  const isAsked = prompt.parts.some(({ text }) => text === null);
  const editors = (ofTexts: boolean) =>
    own
      .filter(({ text }) => (text !== null) === ofTexts)
      .map((part) => (
        <PartEditor
          key={part.text ?? ''}
          prompt={prompt}
          part={part}
          words={part.words}
          problems={part.problems}
          onChange={(words) => write(part.text, words)}
        />
      ));
  return (
    <div className={`card ${form.folded} ${styles.prompt}`}>
      <Fold
        level={2}
        defaultExpanded={defaultExpanded}
        title={
          <>
            {promptTitle(prompt.id)} {changed === 0 ? null : <Pill>{changed} changed</Pill>}{' '}
            {found.length === 0 ? null : (
              <Pill tone={isRefused ? 'bad' : 'warn'}>{quantity(found.length, isRefused ? 'problem' : 'warning')}</Pill>
            )}
          </>
        }
        aside={prompt.step === prompt.id ? undefined : `${isAsked ? 'asked' : 'used'} in ${prompt.step}`}
      >
        <div className="stack gap-16">
          <Fold level={3} title="What fills the slots" aside={quantity(prompt.slots.length, 'slot')}>
            <dl className={`stack gap-4 ${styles.slots}`}>
              {prompt.slots.map(({ name, meaning, needed }) => (
                <div key={name}>
                  <dt>{`{{${name}}}`}</dt>
                  <dd>
                    {meaning}
                    {needed ? ' It cannot be left out.' : ''}
                  </dd>
                </div>
              ))}
            </dl>
          </Fold>
          {own.some(({ text }) => text !== null) ? (
            <div>
              <h3 className="eyebrow">Texts</h3>
              <p className="quiet">
                {isAsked
                  ? 'Where a trial needs one, it fills a slot of the messages below or of another text.'
                  : 'Where a trial needs one, it fills a slot of the prompts above.'}
              </p>
            </div>
          ) : null}
          {editors(true)}
          {editors(false)}
        </div>
      </Fold>
    </div>
  );
}
