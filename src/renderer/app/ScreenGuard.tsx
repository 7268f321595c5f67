import { Component, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';
import { Screen } from '../ui/Screen.tsx';
import { routes } from './routes.ts';

interface State {
  readonly failed: boolean;
}

/** Keeps the rest of the window when a screen cannot be drawn, and offers to draw it again. */
export class ScreenGuard extends Component<{ children: ReactNode }, State> {
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
