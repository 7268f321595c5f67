import type { LiveFrame, TrialView } from '../../../shared/api/trials.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { follow, openingState, type TrialState } from '../trial/trialState.ts';

export interface LiveCourt {
  readonly view: TrialView;
  readonly state: TrialState;
}

export interface Wall {
  /** Each keeps its place while it runs; one that begins takes the first place that has become free. */
  readonly courts: readonly LiveCourt[];
  /** Trials that ended since the wall was opened, the newest first. */
  readonly ended: readonly ({ readonly line: TrialLine } & Pick<TrialView, 'title' | 'replicates'>)[];
}

/** Trials that ended are remembered up to this many. */
const mostEnded = 12;

export const emptyWall: Wall = { courts: [], ended: [] };

const isDone = ({ state }: LiveCourt) => state.line.status === 'done';

function withCourt({ courts, ended }: Wall, view: TrialView): Wall {
  const court = { view, state: openingState(view) };
  const known = courts.findIndex((each) => each.view.line.trial === view.line.trial);
  const free = known >= 0 ? known : courts.findIndex(isDone);
  return { courts: free < 0 ? [...courts, court] : courts.with(free, court), ended };
}

/** The wall after a frame of the stream. Courts without news stay the same objects. */
export function followWall(wall: Wall, frame: LiveFrame): Wall {
  if (frame.kind === 'court') return withCourt(wall, frame.view);
  const changes = new Map(frame.changes.map(({ trial, frames }) => [trial, frames]));
  const ended: Wall['ended'][number][] = [];
  const courts = wall.courts.map((court) => {
    const frames = changes.get(court.view.line.trial);
    if (frames === undefined) return court;
    const next = { ...court, state: frames.reduce(follow, court.state) };
    if (isDone(next) && !isDone(court))
      ended.push({ line: next.state.line, title: next.view.title, replicates: next.view.replicates });
    return next;
  });
  return { courts, ended: ended.length === 0 ? wall.ended : [...ended.toReversed(), ...wall.ended].slice(0, mostEnded) };
}
