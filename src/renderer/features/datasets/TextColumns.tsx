import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { ColumnSelect } from '../importing/ColumnSelect.tsx';
import styles from './Import.module.css';
import { type CaseForm, type TextColumn, textColumnsOf } from './importForm.ts';

const labels: Readonly<Record<TextColumn, string>> = {
  text: 'Column with the text',
  premise: 'Column with the premise',
  hypothesis: 'Column with the hypothesis',
  question: 'Column with the question',
  passage: 'Column with the passage',
};

/** Which columns hold the texts of a case; nothing for table rows, whose facts are all columns. */
export function TextColumns(state: CaseForm) {
  const { inspection, form, onChange, errorAt } = state;
  if (form.kind === 'sections') return <Sections {...state} />;
  return (
    <>
      {form.kind === 'pair' ? (
        <RadioCards
          label="The pair is"
          value={form.pair}
          onChange={(pair) => onChange({ pair })}
          choices={[
            { id: 'inference', label: 'Premise and hypothesis' },
            { id: 'reading', label: 'Question and passage' },
          ]}
        />
      ) : null}
      <div className="fields">
        {textColumnsOf(form).map((name) => (
          <ColumnSelect
            key={name}
            inspection={inspection}
            label={labels[name]}
            value={form.columns[name]}
            error={errorAt(name)}
            onChange={(column) => onChange({ columns: { ...form.columns, [name]: column } })}
          />
        ))}
      </div>
    </>
  );
}

function moved(names: readonly string[], from: number, by: number): string[] {
  const order = [...names];
  const [name] = order.splice(from, 1);
  if (name !== undefined) order.splice(from + by, 0, name);
  return order;
}

function Sections({ inspection, form, onChange, errorAt }: CaseForm) {
  const { sections } = form;
  return (
    <div className={`stack gap-10 ${styles.sections}`}>
      <ol>
        {sections.map((name, index) => (
          <li key={name}>
            <Isolated text={name} />
            <Button
              icon={ArrowUp}
              size="small"
              look="quiet"
              aria-label={`Move ${name} up`}
              isDisabled={index === 0}
              onPress={() => onChange({ sections: moved(sections, index, -1) })}
            />
            <Button
              icon={ArrowDown}
              size="small"
              look="quiet"
              aria-label={`Move ${name} down`}
              isDisabled={index === sections.length - 1}
              onPress={() => onChange({ sections: moved(sections, index, 1) })}
            />
            <Button
              icon={X}
              size="small"
              look="quiet"
              aria-label={`Leave ${name} out`}
              onPress={() => onChange({ sections: sections.filter((other) => other !== name) })}
            />
          </li>
        ))}
      </ol>
      <ColumnSelect
        inspection={inspection}
        label="Add a section"
        value=""
        error={errorAt('sections')}
        except={[...sections, form.label]}
        onChange={(name) => onChange({ sections: [...sections, name] })}
      />
    </div>
  );
}
