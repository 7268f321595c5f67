import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/ApiContext.tsx';
import { failureOf } from '../api/failure.ts';
import { backendsKey } from '../features/protocols/useBackends.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { tell } from '../ui/Toasts.tsx';
import { useEngineStatus } from './engineStatus.ts';
import styles from './Frame.module.css';
import { useTakeSettings } from './theme.tsx';

/** Asks once about servers that came with the store. */
export function UnknownServersNotice() {
  const servers = useEngineStatus()?.unknownServers ?? [];
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
  return (
    <div className={styles.notice}>
      <Notice tone="warn">
        <span>
          <strong>The settings beside this store name servers that you did not set here:</strong> {servers.join(', ')}. Nothing is
          sent to them unless you agree.
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
