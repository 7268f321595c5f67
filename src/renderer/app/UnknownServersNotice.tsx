import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useApi } from '../api/ApiContext.tsx';
import { failureOf } from '../api/failure.ts';
import { backendsKey } from '../features/protocols/useBackends.ts';
import { foreignHost } from '../features/settings/addresses.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { tell } from '../ui/Toasts.tsx';
import { useEngineStatus } from './engineStatus.ts';
import styles from './Frame.module.css';
import { routes } from './routes.ts';
import { useSettings, useTakeSettings } from './theme.tsx';

/** Asks once about servers that came with the store. */
export function UnknownServersNotice() {
  const servers = useEngineStatus()?.unknownServers ?? [];
  const allowed = useSettings().data?.allowedHosts ?? [];
  const api = useApi();
  const take = useTakeSettings();
  const queries = useQueryClient();
  const answer = useMutation({
    mutationFn: async (use: boolean) => {
      take(await (use ? api.settings.confirmServers({}) : api.settings.change({ servers: [] })));
      await queries.invalidateQueries({ queryKey: backendsKey });
    },
    onError: (error) => tell(failureOf(error).message),
  });
  if (servers.length === 0) return null;
  const hosts = [...new Set(servers.flatMap((url) => foreignHost(url) ?? []))].filter((host) => !allowed.includes(host));
  return (
    <div className={styles.notice}>
      <Notice tone="warn">
        <span>
          <strong>This store was in another place, or somebody else made it.</strong> Its servers and allowed hosts count only
          after you allow them here. Its servers: <bdi>{servers.join(', ')}</bdi>.
          {hosts.length === 0 ? null : (
            <>
              {' '}
              Not allowed here: <bdi>{hosts.join(', ')}</bdi>. Add {hosts.length === 1 ? 'it' : 'them'} to{' '}
              <Link href={routes.settings}>the allowed hosts</Link> too.
            </>
          )}
        </span>
        <Button size="small" isPending={answer.isPending} onPress={() => answer.mutate(true)}>
          Use them
        </Button>
        <Button size="small" onPress={() => answer.mutate(false)}>
          Leave them out
        </Button>
      </Notice>
    </div>
  );
}
