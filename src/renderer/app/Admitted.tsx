import type { ReactNode } from 'react';
import { useConnection, useSession } from '../api/ApiContext.tsx';
import { Button } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';
import { Screen } from '../ui/Screen.tsx';

/** Where the page was never admitted, shows only why; what was read before a break stays. */
export function Admitted({ children }: { children: ReactNode }) {
  const { state, reason, connection } = useConnection();
  const session = useSession();
  if (state !== 'closed' || connection > 0) return children;
  const again = (
    <Button look="primary" onPress={() => session.reconnect()}>
      Try again
    </Button>
  );
  return (
    <Screen title="Assize">
      <Empty title="This page is not connected to the program" actions={again}>
        {reason}
      </Empty>
    </Screen>
  );
}
