import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useApi, useRead, useReread } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { toExperiment } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { quantity, quantityRange } from '../../ui/quantity.ts';
import { TextField } from '../../ui/TextField.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { ExperimentFields, FactFields, SpeechFields, SwapFields } from './VaryFields.tsx';
import { isSame, noChange, sizeText, suiteText, type TriedTrial, type Wanted } from './variedTrials.ts';

/** What is tried again: one trial, with the facts of its case, or every trial of the experiment. */
export interface Tried {
  readonly experiment: string;
  readonly of: TriedTrial | null;
}

function changesOf({ of }: Tried, wanted: Wanted): string[] {
  const { seeds, isSuite, isWithheld, speech, words, cuts, leftOut, without, fact, value, model, swaps } = wanted;
  return [
    ...(seeds === null || seeds === 0 ? [] : [`seed=${seeds}`]),
    ...(isSuite ? ['robustness'] : []),
    ...(isWithheld ? ['withhold=each'] : []),
    ...(speech === null ? [] : [words.trim() === '' ? `withhold=${speech}` : `replace=${speech}=${words.trim()}`]),
    ...(cuts === null || cuts === 0 ? [] : [`truncate=${cuts}`]),
    ...(leftOut === null ? [] : [leftOut]),
    ...without.map((name) => `fact=${name}=`),
    ...(fact === null || isSame(of, fact, value) ? [] : [of === null ? `attribute=${fact}` : `fact=${fact}=${value.trim()}`]),
    ...swaps,
    ...(model.trim() === '' ? [] : [`model=${model.trim()}`]),
  ];
}

interface Asked {
  readonly tried: Tried;
  readonly changes: readonly string[];
  readonly cases?: number;
}

/** What the chosen changes ask for: the engine makes the set without recording it, and counts. */
function useSize({ tried: { experiment, of }, changes, cases }: Asked) {
  const rested = useDebounced(JSON.stringify(changes), 300);
  const asked = {
    experiment,
    trial: of?.view.line.trial ?? null,
    changes: JSON.parse(rested) as string[],
    ...(cases === undefined ? {} : { cases }),
  };
  return useRead(['experiments', 'varySize', asked], (api, given) => api.experiments.varySize(asked, given), {
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
}

/** That other seeds hardly change anything, where that is so. */
function ColdSeeds(asked: Asked) {
  const cold = useSize(asked).data?.cold ?? [];
  return cold.length === 0 ? null : (
    <Notice tone="warn">
      <span>
        The temperature of <Isolated text={cold.join(', ')} /> is 0: other seeds hardly change such answers, and only show how
        much the server’s answers vary by themselves.
      </span>
    </Notice>
  );
}

function Effort(asked: Asked) {
  const { data, error } = useSize(asked);
  const { of } = asked.tried;
  const calls =
    data === undefined
      ? ''
      : of === null
        ? `, with ${quantityRange(data.calls, 'call')}`
        : `, with about ${quantity(data.trials * of.view.line.calls, 'call')}: this trial made ${of.view.line.calls}`;
  return (
    <p className="quiet" role="status">
      {error !== null
        ? `Not possible: ${failureOf(error).message}.`
        : data === undefined
          ? 'Counting the trials…'
          : `Runs ${sizeText(data)}${calls}.`}
    </p>
  );
}

/** Chooses changes, has the trials tried again with them, and goes to the experiment that they are in. */
export function VaryDialog({ tried, onClose }: { tried: Tried; onClose: () => void }) {
  const { experiment, of } = tried;
  const api = useApi();
  const reread = useReread();
  const [, navigate] = useLocation();
  const [wanted, setWanted] = useState(noChange);
  const change = (part: Partial<Wanted>) => setWanted((known) => ({ ...known, ...part }));
  const changes = changesOf(tried, wanted);
  const sampled = wanted.cases === null ? {} : { cases: wanted.cases };
  // Nothing is expected of withheld speeches and of exchanges.
  const withholdsOne = wanted.speech !== null && wanted.words.trim() === '';
  const withheld = useSize({
    tried,
    changes: changesOf(tried, { ...noChange, seeds: wanted.seeds, isWithheld: true }),
    ...sampled,
  });
  const onlyExchanges = changes.length > 0 && changes.length === wanted.swaps.length;
  const canExpect = !onlyExchanges && !wanted.isWithheld && !withholdsOne && (wanted.cuts ?? 0) === 0;
  const start = useMutation({
    mutationFn: () =>
      api.experiments.vary({
        ...{ experiment, trial: of?.view.line.trial ?? null, changes },
        ...sampled,
        ...(wanted.isExpected && canExpect ? { expect: 'INV' as const } : {}),
      }),
    onSuccess: async (made) => {
      await reread(['experiments']);
      navigate(toExperiment(made.experiment));
      onClose();
    },
  });
  const failure = useRef<HTMLDivElement>(null);
  const refused = start.error;
  useEffect(() => {
    if (refused !== null) failure.current?.scrollIntoView({ block: 'end' });
  }, [refused]);
  // A run that is starting cannot be called back: it is stopped on its own screen.
  const close = () => (start.isPending ? undefined : onClose());
  return (
    <ModalDialog
      title="Would another court have said the same?"
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
          ? 'The court decides every case again, once for each change, with nothing else changed. Imported arms are left out. The trials become further arms of this experiment; if you fill in Cases, to try the changes on a few first, they go into a new experiment.'
          : 'The court decides this case again: once unchanged, and once for each change, with nothing else changed. All of these trials go on the record, in a separate experiment.'}
      </p>
      <NumberField
        label="Other seeds"
        description="Repeats with other seeds and no change. They show how often the verdict changes by chance. With 5, what a speech is worth has an interval."
        value={wanted.seeds}
        minValue={0}
        maxValue={20}
        onChange={(seeds) => change({ seeds })}
      />
      {(wanted.seeds ?? 0) === 0 ? null : <ColdSeeds {...{ tried, changes }} {...sampled} />}
      <Checkbox isSelected={wanted.isSuite} onChange={(isSuite) => change({ isSuite })} note={suiteText(of)}>
        Robustness suite
      </Checkbox>
      <Checkbox
        isSelected={wanted.isWithheld}
        isDisabled={withheld.error !== null}
        onChange={(isWithheld) => change({ isWithheld })}
        note={
          withheld.error === null
            ? 'With the same seeds and with each of the other seeds. Shows what each speech was worth.'
            : `Not possible: ${failureOf(withheld.error).message}.`
        }
      >
        Withhold each speech in turn
      </Checkbox>
      {of === null ? (
        <ExperimentFields experiment={experiment} wanted={wanted} onChange={change} />
      ) : (
        <>
          <SpeechFields {...of} wanted={wanted} onChange={change} />
          <FactFields of={of} wanted={wanted} onChange={change} />
          <SwapFields arms={[{ ...of.view.line, params: of.view.params }]} wanted={wanted} onChange={change} />
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
      {changes.length === 0 ? <p className="quiet">Nothing is chosen yet. Choose one change, or several.</p> : null}
      {changes.length === 0 || start.isPending || start.isSuccess ? null : (
        <Effort tried={tried} changes={changes} {...sampled} />
      )}
      <div ref={failure}>{start.isError ? <FailureNotice error={start.error} /> : null}</div>
    </ModalDialog>
  );
}
