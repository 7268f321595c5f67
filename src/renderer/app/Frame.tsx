import { hashKey, type Query, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  Boxes,
  Command,
  FlaskConical,
  Gavel,
  Library,
  MessageSquareText,
  Radio,
  Search,
  Settings as SettingsIcon,
} from 'lucide-react';
import { type ComponentProps, type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { Link, useLocation } from 'wouter';
import { isUnderWay } from '../../shared/api/engine.ts';
import { useApi, useConnection, useSession } from '../api/ApiContext.tsx';
import { failureOf } from '../api/failure.ts';
import { givenRecord, showOwnRecord, takeNote } from '../api/givenRecord.ts';
import { backendsKey } from '../features/protocols/useBackends.ts';
import { CopyOfYourOwn } from '../features/recordCheck/CopyOfYourOwn.tsx';
import { useRecordPlace } from '../features/recordCheck/knownRecord.ts';
import { foreignHost } from '../features/settings/addresses.ts';
import { Button } from '../ui/Button.tsx';
import { HiddenText, Isolated } from '../ui/HiddenText.tsx';
import { commandKey, KeyHint, keyed } from '../ui/KeyNames.tsx';
import { secondText, timeText } from '../ui/moments.ts';
import { Notice } from '../ui/Notice.tsx';
import { notify } from '../ui/Toasts.tsx';
import { useEngineStatus, useWritable } from './engineStatus.ts';
import styles from './Frame.module.css';
import { NetworkCounter } from './NetworkCounter.tsx';
import { routes } from './routes.ts';
import { openPalette } from './Shortcuts.tsx';
import { useSettings, useTakeSettings } from './theme.tsx';
import { writtenElsewhereId } from './Writing.tsx';

type AboveProperties = ComponentProps<typeof Notice> & { readonly id?: string; readonly onPaper?: boolean };

/** A notice above every screen. */
const Above = ({ id, onPaper = false, ...notice }: AboveProperties) => (
  <div className={`${onPaper ? '' : 'off-paper'} ${styles.notice}`} id={id}>
    <Notice {...notice} />
  </div>
);

/** How long the notice of a restored connection stays. */
const restoredNoticeMs = 8_000;

/** Says when the engine is away, and for a while that it is back and what continued. */
function ConnectionNotice() {
  const { state, reason } = useConnection();
  const session = useSession();
  const status = useEngineStatus();
  const [wasAway, setWasAway] = useState(false);
  const incarnation = status?.incarnation ?? 1;

  useEffect(() => {
    if (state === 'lost' || state === 'closed') setWasAway(true);
    if (state !== 'ready' || !wasAway) return undefined;
    const timer = setTimeout(() => setWasAway(false), restoredNoticeMs);
    return () => clearTimeout(timer);
  }, [state, wasAway]);

  if (state === 'ready' && !wasAway) return null;
  if (state === 'ready') {
    const resumed = status?.runs.filter((run) => run.resumed > 0 && run.state === 'running').length ?? 0;
    return (
      <Above tone="good">
        {incarnation > 1 ? 'The engine stopped and was started again. Nothing was lost' : 'The engine answers again'}
        {resumed === 0 ? '.' : `, and ${resumed === 1 ? 'the run continues' : `${resumed} runs continue`}.`}
      </Above>
    );
  }
  if (state === 'connecting' && !wasAway) return null;
  return (
    <Above tone={state === 'closed' ? 'bad' : 'warn'}>
      <span>
        {reason ?? 'Connecting to the engine.'} {state === 'closed' ? '' : 'All answers so far are on the record.'}
      </span>
      <Button size="small" onPress={() => session.reconnect()}>
        Try now
      </Button>
    </Above>
  );
}

/** The way out of a record that this tab reads in place of the one that the program began with. */
function BackToOwn({ isCopy = false }: { isCopy?: boolean }) {
  const api = useApi();
  const record = givenRecord();
  if (record === null) return null;
  const close = () => void api.record.leave({ record }).finally(showOwnRecord);
  return (
    <Button size="small" onPress={close}>
      {isCopy ? 'Leave this copy' : 'Back to your own record'}
    </Button>
  );
}

/** What a record from elsewhere is good for. */
const FromElsewhere = ({ why }: { why: string }) => (
  <span className="wrap-anywhere">
    <strong>This record is from elsewhere:</strong> {why}.{' '}
    <span className="off-paper">
      It is only read, its settings do not count, and its statistics are computed again. To review its trials, or to try those of
      models again with one thing changed, make a copy of your own.
    </span>
  </span>
);

/** Says above every screen that the record is somebody else's, a copy of the user's own, or can only be read. */
function ReadOnlyNotice() {
  const status = useEngineStatus();
  useEffect(() => {
    const note = takeNote();
    if (note !== '') notify(note);
  }, []);
  if (status === null) return null;
  if (status.writtenElsewhere && status.elsewhere === null)
    return (
      <Above id={writtenElsewhereId}>
        <span>
          <strong>Another program is writing to this record.</strong> Until it has ended, you can read, check and export here, but
          not start trials, import, review or erase.
        </span>
        <BackToOwn isCopy />
      </Above>
    );
  if (status.elsewhere === null && !status.onlyReadable)
    return givenRecord() === null ? null : (
      <Above>
        <span>
          You work in a copy of your own: <Isolated text={status.store} />.
        </span>
        <BackToOwn isCopy />
      </Above>
    );
  return (
    <Above onPaper tone="warn">
      {status.elsewhere === null ? (
        <span>
          <strong>This record can only be read:</strong> <Isolated text={status.store} />, or its folder, is read-only for you.
          You can read, check and export, but not start trials, review or erase. Make it writable, or choose the file at “Check
          somebody’s record” on the start screen, press “Read its experiments and trials” and there “Make a copy of your own…”.
        </span>
      ) : (
        <FromElsewhere why={status.elsewhere} />
      )}
      <span className="row gap-8">
        {status.elsewhere === null ? null : <CopyOfYourOwn />}
        <BackToOwn />
      </span>
    </Above>
  );
}

const places = [
  { to: routes.datasets, also: ['/datasets', '/import', '/new'], label: 'Data sets', Icon: Library },
  { to: routes.tryCase, also: ['/try'], label: 'Try a case', Icon: Gavel, writes: true },
  {
    to: routes.experiments,
    also: ['/experiments', '/import-predictions', '/trials', '/live'],
    label: 'Experiments',
    Icon: FlaskConical,
  },
  { to: routes.search, also: ['/search'], label: 'Search', Icon: Search },
  { to: routes.prompts, also: ['/prompts'], label: 'Prompts', Icon: MessageSquareText },
  { to: routes.models, also: ['/models'], label: 'Models', Icon: Boxes },
  { to: routes.settings, also: ['/settings'], label: 'Settings', Icon: SettingsIcon },
] as const;

const paletteKeys = `${commandKey} K`;

/** Where the trials that run now are watched; among the places while something runs. */
const live = { to: routes.live, also: ['/live'], label: 'Live', Icon: Radio } as const;

export function Frame({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  const runs = useEngineStatus()?.runs.some(isUnderWay) ?? false;
  const isWritable = useWritable();
  const shown = [...places, ...(runs ? [live] : [])].filter((place) => isWritable || !('writes' in place));
  const here = shown.findLast(({ also }) => also.some((start) => location.startsWith(start)));
  return (
    <div className={styles.frame}>
      <nav className={`off-paper flex gap-4 ${styles.rail}`} aria-label="Places">
        <Link href={routes.start} className={styles.mark} aria-current={location === routes.start ? 'page' : undefined}>
          <span aria-hidden="true">A</span>
          <span className="visually-hidden">Start</span>
        </Link>
        {shown.map((place) => {
          const { to, label, Icon } = place;
          return (
            <Link key={to} href={to} className={`stack muted ${styles.place}`} aria-current={place === here ? 'page' : undefined}>
              <Icon size={20} aria-hidden="true" strokeWidth={1.75} />
              <span>{label}</span>
            </Link>
          );
        })}
        <div className={styles.foot}>
          <AriaButton
            className={`bare stack muted ${styles.place} ${styles.palette}`}
            render={keyed(paletteKeys, 'Go to anything by name, or find words that were said')}
            onPress={openPalette}
          >
            <Command size={18} aria-hidden="true" strokeWidth={1.75} />
            <span>Go to</span>
            <KeyHint keys={paletteKeys} />
          </AriaButton>
          <NetworkCounter />
        </div>
      </nav>
      <div className={`stack min-w-0 ${styles.stage}`}>
        <div>
          <ReadOnlyNotice />
          <UnknownSettingsNotice />
          <ConnectionNotice />
          <OlderNotice />
        </div>
        <div className={styles.screen}>{children}</div>
      </div>
    </div>
  );
}

/** Nothing else tells the user's own programs that a record was moved. */
function NewPath() {
  const store = useRecordPlace()?.store;
  return store === undefined ? null : (
    <>
      {' '}
      If you moved it, your scripts, such as one for a backup, must name <bdi>{store}</bdi> now.
    </>
  );
}

interface QuestionProperties {
  readonly yes: string;
  readonly no: string;
  onAnswer(isYes: boolean): Promise<void>;
  readonly children: ReactNode;
}

/** Asks once about what came with the store. */
function Question({ yes, no, onAnswer, children }: QuestionProperties) {
  const answer = useMutation({ mutationFn: onAnswer, onError: (error) => notify(failureOf(error).message) });
  return (
    <Above tone="warn">
      <span>
        <strong>This store was in another place, or somebody else made it.</strong> {children}
        <NewPath />
      </span>
      <Button size="small" isPending={answer.isPending} onPress={() => answer.mutate(true)}>
        {yes}
      </Button>
      <Button size="small" onPress={() => answer.mutate(false)}>
        {no}
      </Button>
    </Above>
  );
}

/** Asks about servers that came with the store, and then whether its interrupted runs continue here too. */
function UnknownSettingsNotice() {
  const { unknownServers: servers = [], unknownContinue = false } = useEngineStatus() ?? {};
  const allowed = useSettings().data?.allowedHosts ?? [];
  const api = useApi();
  const take = useTakeSettings();
  const queries = useQueryClient();
  // An answer about runs writes the settings, and would set aside those with servers that nobody confirmed.
  if (servers.length === 0)
    return unknownContinue ? (
      <Question
        key="runs"
        yes="Continue them"
        no="Let them wait"
        onAnswer={async (continueRuns) => take(await api.settings.change({ continueRuns }))}
      >
        Its settings continue interrupted runs at the next start; here they wait until you allow it.
      </Question>
    ) : null;
  const hosts = [...new Set(servers.flatMap((url) => foreignHost(url) ?? []))].filter((host) => !allowed.includes(host));
  return (
    <Question
      key="servers"
      yes="Use them"
      no="Leave them out"
      onAnswer={async (use) => {
        take(await (use ? api.settings.confirmServers({}) : api.settings.change({ servers: [] })));
        await queries.invalidateQueries({ queryKey: backendsKey });
      }}
    >
      Its servers and allowed hosts count only after you allow them here. Its servers: <bdi>{servers.join(', ')}</bdi>.
      {hosts.length === 0 ? null : (
        <>
          {' '}
          Not allowed here: <bdi>{hosts.join(', ')}</bdi>. Add {hosts.length === 1 ? 'it' : 'them'} to{' '}
          <Link href={routes.settings}>the allowed hosts</Link> too.
        </>
      )}
    </Question>
  );
}

const sinceText = (at: number) => (new Date(at).toDateString() === new Date().toDateString() ? timeText : secondText)(at);

/** Whether something about experiments is older than it should be; other screens show their errors themselves. */
const isOlder = ({ queryKey: [about, what], state: { status, data } }: Query) =>
  about === 'experiments' && what !== 'list' && status === 'error' && data !== undefined;

/** Says above every screen that a part of it is older, why, and since when. */
function OlderNotice() {
  const queries = useQueryClient();
  const { state } = useConnection();
  const older = () => queries.getQueryCache().findAll({ type: 'active', predicate: isOlder });
  const keys = useSyncExternalStore(
    useCallback((onChange) => queries.getQueryCache().subscribe(onChange), [queries]),
    () =>
      hashKey(older().map(({ queryHash, state: { errorUpdatedAt, fetchStatus } }) => [queryHash, errorUpdatedAt, fetchStatus])),
  );
  const [first] = keys === '[]' ? [] : older();
  // Without a connection another notice says so, and everything is read again once it is back.
  if (first === undefined || state !== 'ready') return null;
  return (
    <Above onPaper tone="bad">
      <span>
        Part of this screen is from {sinceText(first.state.dataUpdatedAt)} and could not be updated:{' '}
        <HiddenText text={failureOf(first.state.error).message} />
      </span>
      <Button
        size="small"
        // A disabled button would lose the focus.
        isPending={first.state.fetchStatus === 'fetching'}
        onPress={() => void queries.refetchQueries({ type: 'active', predicate: isOlder })}
      >
        Try again
      </Button>
    </Above>
  );
}
