import { useState } from 'react';
import { Link } from 'wouter';
import { columnTitle } from '../../../core/cases/columnNames.ts';
import { mostWords } from '../../../shared/changes.ts';
import type { ArmDefinition } from '../../../shared/experiment.ts';
import { useRead } from '../../api/ApiContext.tsx';
import { routes } from '../../app/routes.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { Unread } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Select } from '../../ui/Select.tsx';
import { saveSessionState } from '../../ui/sessionState.ts';
import { TextField } from '../../ui/TextField.tsx';
import { counterbalanceChoices } from '../protocols/counterbalanceChoices.ts';
import { tryKey } from '../tryCase/tryForm.ts';
import { tryOfTrial } from '../tryCase/tryOfTrial.ts';
import { useExperiment } from './experimentQueries.ts';
import { isSame, leftOutChoices, type TriedTrial, type Wanted } from './variedTrials.ts';

/** Facts longer than this are not offered for a change: no field shows them well. */
const longestFact = 500;
const none = { id: '', label: 'none' };
const unheard = 'Nobody whose belief counts heard it, so a change here can change nothing.';

type OnChange = (part: Partial<Wanted>) => void;

interface Chosen {
  readonly wanted: Wanted;
  readonly onChange: OnChange;
}

type SpeechState = Pick<TriedTrial, 'speeches' | 'heard'> & Chosen;

export function SpeechFields({ speeches, heard, wanted, onChange }: SpeechState) {
  if (speeches.size === 0) return null;
  return (
    <>
      <Select
        label="One speech to withhold or replace"
        value={wanted.speech ?? ''}
        choices={[none, ...[...speeches].map(([id, label]) => ({ id, label, note: heard.includes(id) ? undefined : unheard }))]}
        onChange={(key) => onChange({ speech: key === '' ? null : key })}
      />
      {wanted.speech === null ? null : (
        <TextField
          label="What the court hears in its place"
          description="Empty: nobody hears the speech. These words stay in the record, also if the case is erased."
          rows={5}
          maxLength={mostWords}
          value={wanted.words}
          onChange={(words) => onChange({ words })}
        />
      )}
    </>
  );
}

export function FactFields({ of, wanted, onChange }: { of: TriedTrial } & Chosen) {
  const { view } = of;
  const { facts, line } = view;
  const isOneText = facts.length === 1;
  const definition = useExperiment(line.experiment, { enabled: isOneText }).data?.definition;
  const short = facts.filter(({ value }) => value.length <= longestFact);
  if (facts.length === 0) return null;
  return (
    <>
      {isOneText ? (
        <p className="quiet">
          The facts are one text, so no single line can be left out here.
          {definition === undefined ? null : (
            <>
              {' '}
              To try it without a line, edit it in{' '}
              <Link href={routes.tryCase} onClick={() => saveSessionState(tryKey, tryOfTrial(view, definition))}>
                Try a case
              </Link>
              , before the same court.
            </>
          )}
        </p>
      ) : (
        <Select
          label="Facts to leave out"
          description="Which facts does the verdict depend on?"
          value={wanted.leftOut ?? ''}
          choices={[none, ...leftOutChoices(facts)]}
          onChange={(leftOut) => onChange({ leftOut: leftOut === '' ? null : leftOut })}
        />
      )}
      {short.length === 0 ? null : (
        <Select
          label="Fact to change"
          value={wanted.fact ?? ''}
          choices={[none, ...short.map(({ name, shown = name }) => ({ id: name, label: shown }))]}
          onChange={(fact) =>
            onChange({ fact: fact === '' ? null : fact, value: short.find(({ name }) => name === fact)?.value ?? '' })
          }
        />
      )}
      {wanted.fact === null ? null : (
        <TextField
          label="New value"
          description={
            isSame(of, wanted.fact, wanted.value)
              ? 'This is the value that it has: without another one, this change is not tried.'
              : 'Empty: the fact is left out.'
          }
          value={wanted.value}
          onChange={(value) => onChange({ value })}
        />
      )}
    </>
  );
}

export function SwapFields({ arms, wanted, onChange }: { arms: readonly Pick<ArmDefinition, 'protocol' | 'params'>[] } & Chosen) {
  const choices = arms.flatMap(({ protocol, params }) => counterbalanceChoices(protocol, params));
  const isFirst = ({ swap }: (typeof choices)[number], place: number) =>
    choices.findIndex((each) => each.swap === swap) === place;
  return choices.filter(isFirst).map(({ swap, title, does }) => (
    <Checkbox
      key={swap}
      isSelected={wanted.swaps.includes(swap)}
      onChange={(isChosen) => onChange({ swaps: [...wanted.swaps.filter((each) => each !== swap), ...(isChosen ? [swap] : [])] })}
      note={
        choices.some((each) => each.swap === swap && each.does !== does) ? 'In each arm that has something to exchange.' : does
      }
    >
      {title}
    </Checkbox>
  ));
}

function FactChoices({ experiment, wanted, onChange }: { experiment: string } & Chosen) {
  const read = useRead(['experiments', 'facts', experiment], (api, given) => api.experiments.facts({ experiment }, given));
  const facts = read.data;
  if (facts === undefined) return <Unread of={read} words="Reading the cases…" />;
  if (facts.length < 2) return <p className="quiet">The cases have no second fact, so none can be left out.</p>;
  return (
    <div className="stack gap-8">
      <p className="quiet">Each case is tried once without each of these.</p>
      <div className="flex flex-wrap gap-12">
        {facts.map(({ name, shown = name }) => (
          <Checkbox
            key={name}
            isSelected={wanted.without.includes(name)}
            onChange={(isLeftOut) =>
              onChange({ without: [...wanted.without.filter((each) => each !== name), ...(isLeftOut ? [name] : [])] })
            }
          >
            {shown}
          </Checkbox>
        ))}
      </div>
    </div>
  );
}

/** The facts of an experiment's cases, which are only read when somebody asks for them. */
function LeftOutFacts(properties: { experiment: string } & Chosen) {
  const [isOpen, setIsOpen] = useState(false);
  const chosen = properties.wanted.without.length;
  return (
    <Fold
      title="Facts to leave out"
      aside={chosen === 0 ? 'none' : quantity(chosen, 'fact')}
      isExpanded={isOpen}
      onExpandedChange={setIsOpen}
    >
      {isOpen ? <FactChoices {...properties} /> : null}
    </Fold>
  );
}

export function ExperimentFields({ experiment, wanted, onChange }: { experiment: string } & Chosen) {
  const view = useExperiment(experiment);
  if (view.data === undefined) return <Unread of={view} words="Reading the record…" />;
  const { definition } = view.data;
  const { groups } = definition.dataset;
  return (
    <>
      <NumberField
        label="Cases"
        description="Empty: all. With a number, the first cases of the sample are tried, unchanged and with each change, in a separate experiment."
        value={wanted.cases}
        minValue={1}
        onChange={(cases) => onChange({ cases })}
      />
      <NumberField
        label="Debates cut at random"
        description="How often for each case: the court does not hear what follows a speech drawn at random. Shows the effect of each turn."
        value={wanted.cuts}
        minValue={0}
        maxValue={20}
        onChange={(cuts) => onChange({ cuts })}
      />
      <LeftOutFacts experiment={experiment} wanted={wanted} onChange={onChange} />
      {groups.length === 0 ? null : (
        <Select
          label="Attribute to swap"
          description="Would the verdict be the same if only this were different? Each value is replaced by the next one in alphabetical order, the last by the first; with more than two values, there is one change for each step."
          value={wanted.fact ?? ''}
          choices={[none, ...groups.map((group) => ({ id: group, label: columnTitle(group, definition.dataset) }))]}
          onChange={(fact) => onChange({ fact: fact === '' ? null : fact })}
        />
      )}
      <SwapFields arms={definition.arms.filter(({ change }) => change === undefined)} wanted={wanted} onChange={onChange} />
    </>
  );
}
