import { useQueryClient } from '@tanstack/react-query';
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { Link, Route, Router, Switch, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import type { EngineStatus } from '../../shared/api/engine.ts';
import { useHost } from '../api/ApiContext.tsx';
import { experimentsKey } from '../features/experiments/experimentQueries.ts';
import { titleOf } from '../features/experiments/shownExperiments.ts';
import { Button } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';
import { Screen } from '../ui/Screen.tsx';
import { Toasts } from '../ui/Toasts.tsx';
import { EngineFollower, useEngineStatus } from './engineStatus.ts';
import { Frame } from './Frame.tsx';
import { experimentIn, routes, toExperiment } from './routes.ts';
import { endedSince, noticeOf } from './runNotices.ts';
import { Shortcuts } from './Shortcuts.tsx';
import { ThemeKeeper, useSettings } from './theme.tsx';
import { Writing } from './Writing.tsx';

const statesOf = (status: EngineStatus | null) =>
  `${status?.writtenElsewhere} ${status?.runs.map(({ experiment, state }) => `${experiment} ${state}`)}`;

/** Rereads the lists of experiments when a run begins or ends, here or elsewhere; while no screen of ours has the focus, the operating system says that it has. */
function RunFollower(): null {
  const host = useHost();
  const queries = useQueryClient();
  const settings = useSettings().data;
  const [, navigate] = useLocation();
  const status = useEngineStatus();
  const before = useRef(status);
  useEffect(() => {
    const ended = endedSince(before.current?.runs ?? [], status?.runs ?? []);
    // A quick run can begin and end between two frames.
    const isNew = statesOf(before.current) !== statesOf(status);
    before.current = status ?? before.current;
    const filters = { queryKey: experimentsKey };
    // The first reading of a list is not begun again by itself, and may have missed the change.
    if (status !== null && isNew) void queries.cancelQueries(filters).then(() => queries.invalidateQueries(filters));
    if (settings?.notices !== true || document.hasFocus()) return;
    for (const run of ended) {
      const { title, body } = noticeOf(run, titleOf(settings.experiments, run.experiment));
      void host.notify(title, body).then(
        (pressed) => (pressed ? navigate(toExperiment(run.experiment)) : undefined),
        // The screens say the same.
        () => undefined,
      );
    }
  }, [status, settings, host, navigate, queries]);
  return null;
}

interface State {
  readonly failed: boolean;
}

/** Keeps the rest of the window when a screen cannot be drawn, and offers to draw it again. */
class ScreenGuard extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <Screen title="This screen cannot be shown">
        <Empty
          title="An error in the program, not in your data"
          actions={
            <>
              <Button look="primary" onPress={() => this.setState({ failed: false })}>
                Try again
              </Button>
              <Link href={routes.datasets}>Go to the data sets</Link>
            </>
          }
        >
          Your record is safe, and runs continue. If the program was updated in the meantime, reload the page.
        </Empty>
      </Screen>
    );
  }
}

function NotFoundScreen() {
  return (
    <Screen title="Nothing is here">
      <Empty title="No screen has this address" actions={<Link href={routes.datasets}>Go to the data sets</Link>}>
        The link may belong to another version of the program.
      </Empty>
    </Screen>
  );
}

const StartScreen = lazy(() => import('../features/start/StartScreen.tsx'));
const DatasetsScreen = lazy(() => import('../features/datasets/DatasetsScreen.tsx'));
const DatasetScreen = lazy(() => import('../features/datasets/DatasetScreen.tsx'));
const ImportScreen = lazy(() => import('../features/datasets/ImportScreen.tsx'));
const TryScreen = lazy(() => import('../features/tryCase/TryScreen.tsx'));
const NewExperimentScreen = lazy(() => import('../features/newExperiment/NewExperimentScreen.tsx'));
const ExperimentsScreen = lazy(() => import('../features/experiments/ExperimentsScreen.tsx'));
const ExperimentScreen = lazy(() => import('../features/experiments/ExperimentScreen.tsx'));
const ImportPredictionsScreen = lazy(() => import('../features/importPredictions/ImportPredictionsScreen.tsx'));
const ReviewScreen = lazy(() => import('../features/review/ReviewScreen.tsx'));
const UndrawnScreen = lazy(() => import('../features/undrawn/UndrawnScreen.tsx'));
const TrialScreen = lazy(() => import('../features/trial/TrialScreen.tsx'));
const SideBySideScreen = lazy(() => import('../features/sideBySide/SideBySideScreen.tsx'));
const LiveScreen = lazy(() => import('../features/live/LiveScreen.tsx'));
const SearchScreen = lazy(() => import('../features/search/SearchScreen.tsx'));
const PromptsScreen = lazy(() => import('../features/prompts/PromptsScreen.tsx'));
const VariantScreen = lazy(() => import('../features/prompts/VariantScreen.tsx'));
const ModelsScreen = lazy(() => import('../features/runtime/ModelsScreen.tsx'));
const SettingsScreen = lazy(() => import('../features/settings/SettingsScreen.tsx'));

/** A screen of the experiment in the address. The router has undone a part of the escapes, so that its own word for it is not the name. */
function OfExperiment({ screen: OneOf }: { screen: ComponentType<{ experiment: string }> }) {
  const [address] = useHashLocation();
  const experiment = experimentIn(address);
  return experiment === null ? <NotFoundScreen /> : <OneOf key={experiment} experiment={experiment} />;
}

/** A trial where something was found: each arrival shows it again, even at a place that the reader left by scrolling. */
function FoundInTrial({ trial }: { trial: string }) {
  const [arrivals, setArrivals] = useState(0);
  useEffect(() => {
    const onArrival = () => setArrivals((before) => before + 1);
    addEventListener('hashchange', onArrival);
    return () => removeEventListener('hashchange', onArrival);
  }, []);
  return <TrialScreen key={`${trial} ${arrivals}`} trial={trial} />;
}

/** A screen whose code may be on its way. A screen that was left ends at once: hidden, it would still act on the address. */
function Fetched({ children }: { children: ReactNode }) {
  const [address] = useHashLocation();
  return (
    <Suspense key={address.split('/')[1]} fallback={null}>
      {children}
    </Suspense>
  );
}

export function App() {
  return (
    <I18nProvider locale="en-GB">
      <Router hook={useHashLocation}>
        <EngineFollower />
        <RunFollower />
        <ThemeKeeper />
        <Shortcuts />
        <Frame>
          <ScreenGuard>
            <Fetched>
              <Switch>
                <Route path={routes.start} component={StartScreen} />
                <Route path={routes.datasets} component={DatasetsScreen} />
                <Route path={routes.entry}>{({ entry }) => <DatasetScreen key={entry} entry={entry} />}</Route>
                <Route path={routes.importFile}>
                  <Writing title="Import a file">
                    <ImportScreen />
                  </Writing>
                </Route>
                <Route path={routes.tryCase}>
                  <Writing title="Try a case">
                    <TryScreen />
                  </Writing>
                </Route>
                <Route path={routes.newExperiment}>
                  {({ entry, grown }) => (
                    <Writing title="New experiment">
                      <NewExperimentScreen key={`${entry} ${grown}`} entry={entry} isExtension={grown !== undefined} />
                    </Writing>
                  )}
                </Route>
                <Route path={routes.experiments} component={ExperimentsScreen} />
                <Route path={routes.experiment}>
                  <OfExperiment screen={ExperimentScreen} />
                </Route>
                <Route path={routes.importPredictions}>
                  <Writing title="Import predictions">
                    <OfExperiment screen={ImportPredictionsScreen} />
                  </Writing>
                </Route>
                <Route path={routes.importNewPredictions}>
                  <Writing title="Import predictions">
                    <ImportPredictionsScreen experiment={null} />
                  </Writing>
                </Route>
                <Route path={routes.review}>
                  <OfExperiment screen={ReviewScreen} />
                </Route>
                <Route path={routes.undrawn}>
                  <OfExperiment screen={UndrawnScreen} />
                </Route>
                <Route path={routes.experimentPart}>
                  <OfExperiment screen={ExperimentScreen} />
                </Route>
                <Route path={routes.live}>
                  <LiveScreen experiment={null} />
                </Route>
                <Route path={routes.liveExperiment}>
                  <OfExperiment screen={LiveScreen} />
                </Route>
                <Route path={routes.trial}>{({ trial }) => <TrialScreen key={trial} trial={trial} />}</Route>
                <Route path={routes.besideTrial}>
                  {({ trial, other }) => <SideBySideScreen key={`${trial} ${other}`} trial={trial} other={other} />}
                </Route>
                <Route path={routes.trialPlay}>{({ trial }) => <TrialScreen key={trial} trial={trial} />}</Route>
                <Route path={routes.trialAt}>{({ trial }) => <FoundInTrial trial={trial} />}</Route>
                <Route path={routes.searchFor} component={SearchScreen} />
                <Route path={routes.prompts} component={PromptsScreen} />
                <Route path={routes.variant}>
                  {({ from, name }) =>
                    from === 'shipped' || from === 'own' || from === 'copy' ? (
                      <VariantScreen key={`${from}/${name}`} from={from} name={name} />
                    ) : (
                      <NotFoundScreen />
                    )
                  }
                </Route>
                <Route path={routes.models} component={ModelsScreen} />
                <Route path={routes.settings} component={SettingsScreen} />
                <Route component={NotFoundScreen} />
              </Switch>
            </Fetched>
          </ScreenGuard>
        </Frame>
        <Toasts />
      </Router>
    </I18nProvider>
  );
}
