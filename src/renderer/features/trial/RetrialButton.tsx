import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { stabilityText } from '../../../core/telling/changeTables.ts';
import type { Fact } from '../../../shared/domain.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { toExperiment } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useStatistics } from '../experiments/useStatistics.ts';

interface Wanted {
  readonly seeds: number | null;
  readonly isSuite: boolean;
  readonly fact: string | null;
  readonly value: string;
  readonly model: string;
  readonly isExpected: boolean;
}
const usual: Wanted = { seeds: 3, isSuite: true, fact: null, value: '', model: '', isExpected: false };

/** The changes as `assize vary --change` takes them. */
export const changesOf = ({ seeds, isSuite, fact, value, model }: Wanted): string[] => [
  ...(seeds === null || seeds === 0 ? [] : [`seed=${seeds}`]),
  ...(isSuite ? ['robustness'] : []),
  ...(fact === null ? [] : [`fact=${fact}=${value.trim()}`]),
  ...(model.trim() === '' ? [] : [`model=${model.trim()}`]),
];

/** What changes did to a trial that was tried again with them, in a sentence. */
export function Stability({ experiment }: { experiment: string }) {
  const { report } = useStatistics(experiment, false);
  const text = stabilityText(report?.changes ?? []);
  return (
    <Pill>
      <span>
        <Link href={toExperiment(experiment)}>Tried again with changes</Link>
        {text === null ? null : (
          <>
            : <HiddenText text={text} />
          </>
        )}
      </span>
    </Pill>
  );
}

/** Facts longer than this are not offered for a change: no field shows them well. */
const longestFact = 500;

/** Has the case of a trial decided again, once for each change, and goes to the experiment of these trials. */
export function RetrialButton({ trial, facts }: { trial: string; facts: readonly Fact[] }) {
  const api = useApi();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const [wanted, setWanted] = useState(usual);
  const change = (part: Partial<Wanted>) => setWanted((known) => ({ ...known, ...part }));
  const changes = changesOf(wanted);
  const short = facts.filter(({ value }) => value.length <= longestFact);
  const start = useMutation({
    mutationFn: () => api.trials.vary({ trial, changes, ...(wanted.isExpected ? { expect: 'INV' as const } : {}) }),
    onSuccess: async ({ experiment }) => {
      await client.invalidateQueries({ queryKey: ['experiments'] });
      navigate(toExperiment(experiment));
    },
  });
  const close = () => {
    setIsOpen(false);
    start.reset();
  };
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>Try again…</Button>
      <ModalDialog
        title="Would another court have said the same?"
        isOpen={isOpen}
        onClose={close}
        actions={
          <>
            <Button onPress={close}>Cancel</Button>
            <Button look="primary" isDisabled={changes.length === 0 || start.isPending} onPress={() => start.mutate()}>
              {start.isPending ? 'Starting…' : 'Try again'}
            </Button>
          </>
        }
      >
        <p className="quiet">
          The court decides this case again: once as it is, and once for each change, with nothing else changed. All of these
          trials go on the record, in an experiment of their own.
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
        {short.length === 0 ? null : (
          <Select
            label="Another fact"
            value={wanted.fact ?? ''}
            choices={[{ id: '', label: 'none' }, ...short.map(({ name }) => ({ id: name, label: name }))]}
            onChange={(fact) =>
              change({ fact: fact === '' ? null : fact, value: short.find(({ name }) => name === fact)?.value ?? '' })
            }
          />
        )}
        {wanted.fact === null ? null : (
          <TextField
            label="Its value"
            description="Empty: the fact is left out."
            value={wanted.value}
            onChange={(value) => change({ value })}
          />
        )}
        <TextField
          label="Another model for the judge"
          description="Its name, as the server lists it. Empty: the same."
          value={wanted.model}
          onChange={(model) => change({ model })}
        />
        <Checkbox
          isSelected={wanted.isExpected}
          onChange={(isExpected) => change({ isExpected })}
          note="The record says so before the trials begin. The suite always expects it."
        >
          I expect the same verdict
        </Checkbox>
        {start.isError ? <FailureNotice error={start.error} /> : null}
      </ModalDialog>
    </>
  );
}
