import { useState } from 'react';
import { subsetKey } from '../../../core/figures/subset.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { fresh, useRead } from '../../api/ApiContext.tsx';
import { Paragraph } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Select } from '../../ui/Select.tsx';
import { ArmParagraph } from './ArmNames.tsx';
import styles from './Experiment.module.css';
import { statsKey } from './experimentQueries.ts';
import { MeasuresTable } from './MeasuresTable.tsx';

const halves = 'halves';
const named = (experiment: string) => `experiment ${experiment}`;

/** Sets of labels that are calibrated on all cases of another experiment of the same arms, such as that of the validation split. */
export function SetsElsewhere({ report: { experiment }, subset }: { report: Pick<StatsReport, 'experiment'>; subset: Subset }) {
  const [chosen, choose] = useState(halves);
  const choices = useRead(
    ['experiments', 'calibration-choices', experiment],
    (api, given) => api.experiments.calibrationChoices({ experiment }, given),
    fresh,
  );
  const calibration = choices.data?.find((each) => named(each.experiment) === chosen)?.experiment;
  const sets = useRead(
    [...statsKey(experiment), 'calibrated', calibration, subsetKey(subset)],
    (api, given) => api.experiments.calibrated({ experiment, calibration: calibration ?? '', subset }, given),
    { enabled: calibration !== undefined },
  );
  if (choices.data === undefined) return <FailureNotice error={choices.error} />;
  if (choices.data.length === 0) {
    return (
      <p className="quiet">
        To calibrate on the cases of another split instead, try the same arms on that split as a separate experiment. It can then
        be chosen here.
      </p>
    );
  }
  const guarantee = sets.data?.arms.find(({ conformal }) => conformal.guarantee !== null)?.conformal.guarantee;
  return (
    <div className="stack gap-10 pt-8">
      <div className={styles.oneField}>
        <Select
          label="Calibrate sets of labels on"
          choices={[
            { id: halves, label: 'half of these cases, drawn by lot' },
            ...choices.data.map(({ experiment: other, cases, why }) => ({
              id: named(other),
              label: other,
              note: why ?? quantity(cases, 'case'),
              disabled: why !== null,
            })),
          ]}
          value={chosen}
          onChange={choose}
        />
      </div>
      <FailureNotice error={sets.error} />
      {sets.isFetching && sets.data === undefined ? <p className="quiet">Calibrating…</p> : null}
      {calibration === undefined || sets.data === undefined ? null : (
        <>
          <MeasuresTable
            report={{ arms: sets.data.arms, baselines: [] }}
            group="declining"
            caption={`Sets of labels, calibrated on the cases of ${calibration}`}
          />
          {sets.data.arms.map(({ arm, conformal: { why_null: why } }) =>
            why === null ? null : <ArmParagraph key={arm} text={`${arm} has no sets: ${why}.`} />,
          )}
          {sets.data.missing.length === 0 ? null : (
            <ArmParagraph className="quiet" text={`Not tried there: ${sets.data.missing.join('; ')}.`} />
          )}
          <Paragraph className="quiet" text={guarantee} />
        </>
      )}
    </div>
  );
}
