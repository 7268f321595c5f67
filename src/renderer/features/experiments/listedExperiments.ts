import { isUnderWay } from '../../../shared/api/engine.ts';
import { useWrittenElsewhere } from '../../app/engineStatus.ts';
import { toExperiment, toTrial } from '../../app/routes.ts';
import { useSettings } from '../../app/theme.tsx';
import { useExperiments } from './experimentQueries.ts';
import { runText, waitingText } from './outcomes.ts';
import { listedTitle, shownAs } from './shownExperiments.ts';

/** The experiments that are neither archived nor removed, the newest first: what each is called, where it is, and why its run waits to be continued; null where it does not. */
export function useListedExperiments() {
  const shown = useSettings().data?.experiments ?? [];
  const writtenElsewhere = useWrittenElsewhere();
  const { data = [], isPending, error } = useExperiments();
  const listed = data.flatMap((summary) => {
    const { name, single, trial, open_run: isOpen, run } = summary;
    const { done, planned } = summary.part ?? summary;
    const brokeOff = !writtenElsewhere && isOpen && done < planned && !isUnderWay(run);
    return shownAs(shown, name).place === 'listed'
      ? [
          {
            name,
            title: listedTitle(shown, summary),
            to: single && trial !== null ? toTrial(trial) : toExperiment(name),
            waits: brokeOff ? runText('interrupted') : waitingText(summary, writtenElsewhere),
          },
        ]
      : [];
  });
  // One case can be tried more than once.
  const titles = Map.groupBy(listed, ({ title }) => title);
  const titled = listed.map((each) =>
    titles.get(each.title)?.length === 1 ? each : { ...each, title: `${each.title} (${each.name})` },
  );
  return { listed: titled, isPending, error };
}

/** What an experiment is called in a list: its name where it is in none. */
export function useTitles(): (experiment: string) => string {
  const { listed } = useListedExperiments();
  return (experiment) => listed.find(({ name }) => name === experiment)?.title ?? experiment;
}
