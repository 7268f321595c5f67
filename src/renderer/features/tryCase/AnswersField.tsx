import { useRef } from 'react';
import { theSpeaker } from '../../../core/figures/speakers.ts';
import { capitalized } from '../../../core/text/visible.ts';
import { Button } from '../../ui/Button.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { TagsField } from '../../ui/TagsField.tsx';
import { advocatesOf, takersOf } from '../protocols/acceptance.ts';
import { labelsInOrder, type TryForm, triedCase, wantedCase, withAnswers } from './tryForm.ts';

const longest = 500;
const most = 100;

/** The possible answers; where the protocol does not take so many, those that do are one press away. */
export function AnswersField({
  form,
  error,
  onChange,
}: {
  form: TryForm;
  error: string | null;
  onChange: (part: Partial<TryForm>) => void;
}) {
  const { labels, protocol } = form;
  const place = useRef<HTMLDivElement>(null);
  const takers = error === null || labels.length === 1 ? [] : takersOf(wantedCase(form)).filter(({ id }) => id !== protocol);
  const [advocate, opponent] = labels.length === 2 ? advocatesOf(protocol, form.params, triedCase(form)) : [];
  const civil =
    advocate !== undefined && theSpeaker(advocate) === 'the prosecution'
      ? ' In a civil case, the prosecution speaks for the claimant and the defense for the other party.'
      : '';
  return (
    <div className="stack gap-16" ref={place}>
      <TagsField
        label="Possible answers"
        noun="answer"
        values={labels}
        error={error}
        problemOf={(label) => {
          if (label.length > longest) return `An answer has at most ${longest} characters, and this one ${label.length}.`;
          return labels.length >= most ? `A case has at most ${most} possible answers.` : null;
        }}
        onAdd={(label) => onChange(withAnswers(form, [...labels, label]))}
        onRemove={(label) =>
          onChange(
            withAnswers(
              form,
              labels.filter((other) => other !== label),
            ),
          )
        }
      />
      {takers.length === 0 ? null : (
        <div className="row gap-6">
          <span className="text-13">
            {labels.length === 0 ? 'An open question is tried by' : `Protocols that take ${labels.length} answers:`}
          </span>
          {takers.map(({ id, label }) => (
            <Button
              key={id}
              size="small"
              aria-label={`Change to ${label}`}
              onPress={() => {
                onChange({ protocol: id, params: {}, prompts: '' });
                // The button is gone with what was wrong.
                place.current?.querySelector('input')?.focus();
              }}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
      {advocate === undefined || opponent === undefined ? null : (
        <RadioCards
          label={`Which answer does ${theSpeaker(advocate)} argue for?`}
          description={`${capitalized(theSpeaker(opponent))} argues for the other.${civil}`}
          value={labelsInOrder(form)[1] ?? ''}
          error={null}
          choices={labels.map((id) => ({ id, label: id }))}
          onChange={(positive) => onChange({ positive })}
        />
      )}
    </div>
  );
}
