import { useState } from 'react';
import { Link } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { factLine } from '../../../core/cases/columnNames.ts';
import { splitText } from '../../../core/cases/shares.ts';
import type { DataFile } from '../../../shared/api/dataFiles.ts';
import type { UndrawnCase } from '../../../shared/api/experiments.ts';
import { experimentsCrumb, toExperiment, toUndrawn, wordsIn } from '../../app/routes.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { useDatasets } from '../datasets/datasetQueries.ts';
import { CaseFacts, truthText } from '../datasets/Facts.tsx';
import { EraseButton } from '../erasing/EraseButton.tsx';
import { TryThisCase } from '../tryCase/TryThisCase.tsx';
import { DrawnCases } from './DrawnCases.tsx';
import { countsText, useUndrawnCases } from './undrawnCases.ts';

const excerptLength = 400;

/** The beginning of a text up to the end of a word, with an ellipsis where more follows. */
function beginning(text: string): string {
  if (text.length <= excerptLength) return text;
  const whole = text.slice(0, excerptLength + 1).replace(/\s+\S*$/, '');
  return `${whole.length > excerptLength ? text.slice(0, excerptLength) : whole} …`;
}

function Undrawn({
  kase: { experiment, id, place, kind, listed, left_out: leftOut, decided_by: decidedBy },
  entry,
  isOpen,
}: {
  kase: UndrawnCase;
  /** The data set that the experiment was made from; undefined where the list of data sets does not have it. */
  entry: DataFile | undefined;
  isOpen: boolean;
}) {
  if (listed === null)
    return (
      <p className="wrap-anywhere">
        <Isolated text={id} /> <span className="muted">Its facts were erased.</span>
      </p>
    );
  return (
    <Fold
      level={2}
      title={<Isolated text={id} />}
      aside={
        <>
          <HiddenText text={`(${listed.split === 'test' ? '' : `${splitText[listed.split]}, `}${truthText(listed.truth)}) `} />
          <HiddenText text={beginning(listed.question ?? factLine(listed.facts))} />
        </>
      }
      defaultExpanded={isOpen}
    >
      <div className="stack gap-10">
        <CaseFacts kind={kind} listed={listed} question={null} decidedBy={decidedBy} leftOut={leftOut} />
        <p className="quiet">
          Row {place.toLocaleString('en-GB')} of the data. <Link href={toUndrawn(experiment, id)}>Link to this case</Link>
        </p>
        <div className="row gap-8">
          {entry === undefined ? null : <TryThisCase entry={entry} listed={listed} />}
          <EraseButton
            choices={[
              {
                label: `Case ${id}`,
                note: 'its facts, here and where another data set of this store has the same case',
                target: { kind: 'case', experiment, case: id },
              },
            ]}
          />
        </div>
      </div>
    </Fold>
  );
}

export default function UndrawnScreen({ experiment }: { experiment: string }) {
  const [address] = useHashLocation();
  const [words, setWords] = useState(() => wordsIn(address));
  const sought = useDebounced(words.trim(), 250);
  const { data, error } = useUndrawnCases(experiment, sought);
  const entry = useDatasets().data?.find(({ experiments }) => experiments.includes(experiment));
  return (
    <Screen
      crumbs={[experimentsCrumb, { label: experiment, to: toExperiment(experiment) }]}
      title="Cases that were not drawn"
      subtitle="They are on the record, and this experiment has no trial of them. Examples and precedents can come from them"
    >
      <div className="stack gap-16">
        <TextField label="Words that a case must have" value={words} onChange={setWords} maxLength={200} />
        <FailureNotice error={error} />
        {data === undefined || data.drawn.length === 0 ? null : (
          <div className="stack gap-4 wrap-anywhere">
            <DrawnCases drawn={data.drawn} />
          </div>
        )}
        {data === undefined ? null : data.total === 0 ? (
          <Empty title={sought === '' ? 'Every case was drawn' : 'No such case'}>
            {sought === '' ? 'Each case of the data set has its trials.' : 'No case that was not drawn has all of these words.'}
          </Empty>
        ) : (
          <section className="stack gap-8" aria-label="Cases that were not drawn">
            <p className="quiet">
              {quantity(data.total, 'case')}
              {data.cases.length < data.total ? (
                `; the first ${data.cases.length} are shown`
              ) : (
                <>
                  : <HiddenText text={countsText(data.cases)} />
                </>
              )}
              .
            </p>
            {data.cases.map((kase) => (
              <Undrawn key={kase.id} kase={kase} entry={entry} isOpen={data.cases.length === 1 || kase.id === sought} />
            ))}
          </section>
        )}
      </div>
    </Screen>
  );
}
