import type { UndrawnCases } from '../../../shared/api/experiments.ts';
import { Isolated, Listed, OutsideLink } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import { toFiltered } from '../dashboard/filter.ts';
import { useTitles } from '../experiments/listedExperiments.ts';
import { noFilter } from '../experiments/trialFilter.ts';

/** The found cases that are on trial, experiment by experiment, each with the way to its trials. */
export function DrawnCases({ drawn }: Pick<UndrawnCases, 'drawn'>) {
  const titleOf = useTitles();
  return drawn.map(({ experiment, total, ids }) => (
    <p key={experiment}>
      {quantity(total, 'case')} on trial in <Isolated text={titleOf(experiment)} />:{' '}
      <Listed of={ids}>
        {(id) => (
          <OutsideLink
            to={toFiltered(experiment, { part: 'trials', subset: {}, behind: null, list: { ...noFilter, search: id } })}
            text={id}
          />
        )}
      </Listed>
      {total > ids.length ? ' and others' : ''}
    </p>
  ));
}
