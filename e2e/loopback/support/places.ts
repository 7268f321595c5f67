import { expect, type Page } from '@playwright/test';
import { goTo } from './app.ts';
import type { RunningHost } from './host.ts';

export interface Place {
  readonly name: string;
  /** Address behind the `#`. */
  readonly route: string;
}

interface Made {
  readonly experiment: string;
  readonly trial: string;
  /** The trial that it is compared with; itself where there is none. */
  readonly other?: string;
}

/** Every screen of the program, over an experiment and a trial that are there. */
export const placesOf = ({ experiment, trial, other = trial }: Made, entry = 'deposits'): readonly Place[] => [
  { name: 'start', route: '/' },
  { name: 'datasets', route: '/datasets' },
  { name: 'entry', route: `/datasets/${entry}` },
  { name: 'import', route: '/import' },
  { name: 'try', route: '/try' },
  { name: 'new-experiment', route: `/new/${entry}` },
  { name: 'experiments', route: '/experiments' },
  { name: 'import-new', route: '/import-predictions' },
  { name: 'experiment', route: `/experiments/${encodeURIComponent(experiment)}` },
  { name: 'figures', route: `/experiments/${encodeURIComponent(experiment)}/figures` },
  { name: 'compare', route: `/experiments/${encodeURIComponent(experiment)}/compare` },
  { name: 'import-predictions', route: `/experiments/${encodeURIComponent(experiment)}/import-predictions` },
  { name: 'review', route: `/experiments/${encodeURIComponent(experiment)}/review` },
  { name: 'live', route: '/live' },
  { name: 'trial', route: `/trials/${trial}` },
  { name: 'trial-play', route: `/trials/${trial}/play/2` },
  { name: 'beside', route: `/trials/${trial}/beside/${other}` },
  { name: 'search', route: '/search/words=inspection' },
  { name: 'prompts', route: '/prompts' },
  { name: 'variant', route: '/prompts/shipped/agentic-sim' },
  { name: 'models', route: '/models' },
  { name: 'settings', route: '/settings' },
  { name: 'not-found', route: '/nowhere' },
];

/** Goes to a place and waits until its screen says all that it will: nothing is being read any more. */
export async function visit(page: Page, host: RunningHost, { route }: Place): Promise<void> {
  await goTo(page, host, route);
  await settled(page);
}

/** Waits until the screen is there and says of nothing that it is being read, counted, looked for, computed or drawn. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText(/^(?:Reading|Counting|Looking|Computing|Drawing)\b[^.]*…$/)).toHaveCount(0);
}

/** Waits until nothing on the page changed for half a second. */
export const still = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const end = () => {
          observer.disconnect();
          resolve();
        };
        let timer = setTimeout(end, 500);
        const observer = new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(end, 500);
        });
        observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
      }),
  );
