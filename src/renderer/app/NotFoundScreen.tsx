import { Link } from 'wouter';
import { Empty } from '../ui/Empty.tsx';
import { Screen } from '../ui/Screen.tsx';
import { routes } from './routes.ts';

export function NotFoundScreen() {
  return (
    <Screen title="Nothing is here">
      <Empty title="No screen has this address" actions={<Link href={routes.docket}>Go to the docket</Link>}>
        The link may be of another version of the program.
      </Empty>
    </Screen>
  );
}
