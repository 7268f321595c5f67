import type { EditablePrompt, EditProblem, OpenedVariant } from '../../../shared/api/prompts.ts';
import { Fold } from '../../ui/Fold.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import form from '../newExperiment/NewExperiment.module.css';
import { promptTitle } from '../protocols/words.ts';
import { PartEditor } from './PartEditor.tsx';
import styles from './Prompts.module.css';

type Parts = OpenedVariant['edited']['parts'];

/** One prompt: its messages, the texts that it is put together from, and what fills their slots. */
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
