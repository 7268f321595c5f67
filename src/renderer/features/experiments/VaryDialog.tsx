import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { columnTitle } from '../../../core/cases/columnNames.ts';
import { mostExact } from '../../../core/statistics/shapley.ts';
import { mostWords } from '../../../shared/changes.ts';
import type { ShownFact } from '../../../shared/domain.ts';
import { mostLeftOut, setsUpTo } from '../../../shared/leftOut.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { toExperiment } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';

interface TriedTrial {
  readonly trial: string;
  readonly facts: readonly ShownFact[];
  /** Its speeches by their keys in the record, as the transcript calls them. */
  readonly speeches: ReadonlyMap<string, string>;
}

/** What is tried again: one trial, with the facts of its case, or every trial of the experiment. */
export interface Tried {
  readonly experiment: string;
  readonly of: TriedTrial | null;
}

interface Wanted {
  readonly seeds: number | null;
  readonly isSuite: boolean;
  /** Each speech is withheld in turn. */
  readonly isWithheld: boolean;
  /** A speech of one trial, and what the court hears in its place; no words: nothing. */
  readonly speech: string | null;
  readonly words: string;
  /** How often each debate of an experiment is cut at random; null or 0: not at all. */
  readonly cuts: number | null;
  /** Sets of facts of one case that are left out, as `--change` takes them; null: none. */
  readonly leftOut: string | null;
  /** Of a trial the fact that gets `value`, of an experiment the attribute whose values are exchanged. */
  readonly fact: string | null;
  readonly value: string;
  readonly model: string;
  readonly isExpected: boolean;
}
const usual: Wanted = {
  seeds: 3,
  isSuite: true,
  isWithheld: false,
  speech: null,
  words: '',
  cuts: 0,
  leftOut: null,
  fact: null,
  value: '',
  model: '',
  isExpected: false,
};

/** The changes as `assize vary --change` takes them. */
function changesOf({ of }: Tried, wanted: Wanted): string[] {
  const { seeds, isSuite, isWithheld, speech, words, cuts, leftOut, fact, value, model } = wanted;
  return [
    ...(seeds === null || seeds === 0 ? [] : [`seed=${seeds}`]),
    ...(isSuite ? ['robustness'] : []),
    ...(isWithheld ? ['withhold=each'] : []),
    ...(speech === null ? [] : [words.trim() === '' ? `withhold=${speech}` : `replace=${speech}=${words.trim()}`]),
    ...(cuts === null || cuts === 0 ? [] : [`truncate=${cuts}`]),
    ...(leftOut === null ? [] : [leftOut]),
    ...(fact === null ? [] : [of === null ? `attribute=${fact}` : `fact=${fact}=${value.trim()}`]),
    ...(model.trim() === '' ? [] : [`model=${model.trim()}`]),
  ];
}

/** Changes of the robustness suite without its other seed. */
const inSuite = 7;

/** As many arms as the chosen changes make at most, where an attribute has two values. */
const mostChanges = ({ seeds, isSuite, cuts, fact, model }: Wanted): number =>
  Math.max(seeds ?? 0, isSuite ? 1 : 0) +
  (cuts ?? 0) +
  (isSuite ? inSuite : 0) +
  (fact === null ? 0 : 1) +
  (model.trim() === '' ? 0 : 1);

/** Facts longer than this are not offered for a change: no field shows them well. */
const longestFact = 500;
const none = { id: '', label: 'none' };

/** Which sets of facts can be left out, each with its number of trials. */
function leftOutChoices(facts: readonly ShownFact[]) {
  const n = new Set(facts.map(({ name }) => name)).size;
  // Of too many facts for all sets, as many orders are drawn as fit.
  const orders = Math.floor(mostLeftOut / n);
  const trials = (most: number) => `${most > 1 ? 'up to ' : ''}${quantity(most, 'trial')}`;
  const choices = [
    { id: 'leave-out=1', what: 'each fact', most: n },
    { id: 'leave-out=2', what: 'each fact and each pair', most: setsUpTo(n, 2) },
    n <= mostExact
      ? { id: 'shapley', what: 'all sets, for Shapley values', most: 2 ** n - 1 }
      : { id: `shapley=${orders}`, what: `${orders} random orders, for Shapley values`, most: orders * n },
  ];
  return choices.flatMap(({ id, what, most }) =>
    most > mostLeftOut || most === 0 ? [] : [{ id, label: `${what}: ${trials(most)}` }],
  );
}

type OnChange = (part: Partial<Wanted>) => void;

/** The speech of a trial that nobody hears, or that gets other words. */
function SpeechFields({ speeches, wanted, onChange }: Pick<TriedTrial, 'speeches'> & { wanted: Wanted; onChange: OnChange }) {
  if (speeches.size === 0) return null;
  return (
    <>
      <Select
        label="Speech to withhold or replace"
        value={wanted.speech ?? ''}
        choices={[none, ...[...speeches].map(([id, label]) => ({ id, label }))]}
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

/** The fact of a case that changes, and its new value. */
function FactFields({ facts, wanted, onChange }: Pick<TriedTrial, 'facts'> & { wanted: Wanted; onChange: OnChange }) {
  const short = facts.filter(({ value }) => value.length <= longestFact);
  if (facts.length === 0) return null;
  return (
    <>
      {facts.length === 1 ? null : (
        <Select
          label="Facts to leave out"
          description="Which facts does the verdict hang on?"
          value={wanted.leftOut ?? ''}
          choices={[none, ...leftOutChoices(facts)]}
          onChange={(leftOut) => onChange({ leftOut: leftOut === '' ? null : leftOut })}
        />
      )}
      <Select
        label="Fact to change"
        value={wanted.fact ?? ''}
        choices={[none, ...short.map(({ name, shown = name }) => ({ id: name, label: shown }))]}
        onChange={(fact) =>
          onChange({ fact: fact === '' ? null : fact, value: short.find(({ name }) => name === fact)?.value ?? '' })
        }
      />
      {wanted.fact === null ? null : (
        <TextField
          label="New value"
          description="Empty: the fact is left out."
          value={wanted.value}
          onChange={(value) => onChange({ value })}
        />
      )}
    </>
  );
}

/** The attribute whose values are exchanged in every case, and how many trials a change makes. */
function ExperimentFields({ experiment, wanted, onChange }: { experiment: string; wanted: Wanted; onChange: OnChange }) {
  const api = useApi();
  const view = useQuery({
    queryKey: ['experiments', 'read', experiment],
    queryFn: ({ signal }) => api.experiments.read({ experiment }, { signal }),
  });
  if (view.data === undefined) return view.isError ? <FailureNotice error={view.error} onRetry={view.refetch} /> : null;
  const { definition, summary } = view.data;
  const { groups } = definition.dataset;
  const arms = definition.arms.filter(({ change }) => change === undefined);
  const trials = summary.cases * definition.replicates * arms.length;
  const changes = mostChanges(wanted);
  return (
    <>
      <NumberField
        label="Debates cut at random"
        description="So many times for each case: what follows a speech drawn at random is heard by nobody. Shows the effect of each turn."
        value={wanted.cuts}
        minValue={0}
        maxValue={20}
        onChange={(cuts) => onChange({ cuts })}
      />
      {groups.length === 0 ? null : (
        <Select
          label="Attribute to swap"
          description="Would the verdict be the same if only this were different?"
          value={wanted.fact ?? ''}
          choices={[none, ...groups.map((group) => ({ id: group, label: columnTitle(group, definition.dataset) }))]}
          onChange={(fact) => onChange({ fact: fact === '' ? null : fact })}
        />
      )}
      <p className="quiet">
        At most {quantity(trials * changes, 'trial')} more: {quantity(summary.cases, 'case')}, {quantity(arms.length, 'arm')},{' '}
        {quantity(changes, 'change')}.{' '}
        {wanted.isWithheld ? 'Withheld speeches come on top: each makes one change, and one for each other seed. ' : ''}
        {wanted.fact === null ? '' : 'An attribute with more than two values has a change for each further one.'}
      </p>
    </>
  );
}

/** Chooses changes, has the trials tried again with them, and goes to the experiment that they are in. */
export function VaryDialog({ tried, onClose }: { tried: Tried; onClose: () => void }) {
  const { experiment, of } = tried;
  const api = useApi();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [wanted, setWanted] = useState(usual);
  const change = (part: Partial<Wanted>) => setWanted((known) => ({ ...known, ...part }));
  const changes = changesOf(tried, wanted);
  // Nothing is expected of speeches that nobody hears.
  const withholdsOne = wanted.speech !== null && wanted.words.trim() === '';
  const canExpect = !wanted.isWithheld && !withholdsOne && (wanted.cuts ?? 0) === 0;
  const start = useMutation({
    mutationFn: () =>
      api.experiments.vary({
        ...{ experiment, trial: of?.trial ?? null, changes },
        ...(wanted.isExpected && canExpect ? { expect: 'INV' as const } : {}),
      }),
    onSuccess: async (made) => {
      await client.invalidateQueries({ queryKey: ['experiments'] });
      navigate(toExperiment(made.experiment));
      onClose();
    },
  });
  // A run that is starting cannot be called back: it is stopped on its own screen.
  const close = () => (start.isPending ? undefined : onClose());
  return (
    <ModalDialog
      title="Would another court have said the same?"
      isOpen
      onClose={close}
      actions={
        <>
          <Button isDisabled={start.isPending} onPress={close}>
            Cancel
          </Button>
          <Button look="primary" isDisabled={changes.length === 0 || start.isPending} onPress={() => start.mutate()}>
            {start.isPending ? 'Starting…' : 'Try again'}
          </Button>
        </>
      }
    >
      <p className="quiet">
        {of === null
          ? 'The court decides every case again, once for each change, with nothing else changed. These trials become further arms of the experiment.'
          : 'The court decides this case again: once unchanged, and once for each change, with nothing else changed. All of these trials go on the record, in an experiment of their own.'}
      </p>
      <NumberField
        label="Other seeds"
        description="Trials that differ only by chance: what the changes are compared with."
        value={wanted.seeds}
        minValue={0}
        maxValue={20}
        onChange={(seeds) => change({ seeds })}
      />
      <Checkbox
        isSelected={wanted.isSuite}
        onChange={(isSuite) => change({ isSuite })}
        note="Typing errors and another order of the facts, the question in other words, a planted instruction, an advocate who misleads, a shorter and a longer debate. None should change the verdict."
      >
        Robustness suite
      </Checkbox>
      <Checkbox
        isSelected={wanted.isWithheld}
        onChange={(isWithheld) => change({ isWithheld })}
        note="Each speech in turn, with the same seeds and with each of the other seeds. Shows what each speech was worth."
      >
        Withhold speeches
      </Checkbox>
      {of === null ? (
        <ExperimentFields experiment={experiment} wanted={wanted} onChange={change} />
      ) : (
        <>
          <SpeechFields speeches={of.speeches} wanted={wanted} onChange={change} />
          <FactFields facts={of.facts} wanted={wanted} onChange={change} />
        </>
      )}
      <TextField
        label="Another model for the judge"
        description="Its name, as the server lists it. Empty: the same."
        value={wanted.model}
        onChange={(model) => change({ model })}
      />
      {canExpect ? (
        <Checkbox
          isSelected={wanted.isExpected}
          onChange={(isExpected) => change({ isExpected })}
          note="The record says so before the trials begin. The suite always expects it."
        >
          I expect the same verdict
        </Checkbox>
      ) : null}
      {start.isError ? <FailureNotice error={start.error} /> : null}
    </ModalDialog>
  );
}
