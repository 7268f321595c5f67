import { isUnderWay } from '../../../shared/api/engine.ts';
import type { LiveFrame } from '../../../shared/api/live.ts';
import type { Service } from './service.ts';
import type { StreamSource } from './streams.ts';
import { trialSource } from './trialSource.ts';

/** Trials that one stream follows; servers have fewer places. Further ones are taken up as others end. */
const mostCourts = 100;
/** Trials that are read at a time, so that the first are there before the last are read. */
const mostOpened = 4;

interface Court {
  readonly source: ReturnType<typeof trialSource>;
  readonly stop: () => void;
}

/**
 * Every trial of the runs under way, each as its own stream has it: which there are, what is said and what is being
 * written in them.
 * @param experiment whose trials; null: those of all runs
 */
export function liveSource(
  service: Pick<Service, 'changes' | 'queries' | 'runs'>,
  experiment: string | null,
): StreamSource<LiveFrame> {
  const { changes, queries, runs } = service;
  const courts = new Map<string, Court>();
  /** Trials that began and are not followed yet. */
  const begun = new Set<string>();
  /** Trials of which there is something new. */
  const changed = new Set<string>();
  let isOpen = false;
  let ring: () => void = () => undefined;

  const follow = (trial: string, after: number) => {
    const source = trialSource(service, trial, after);
    const stop = source.listen(() => {
      changed.add(trial);
      ring();
    });
    courts.set(trial, { source, stop });
    // What came between the reading and now.
    changed.add(trial);
    ring();
  };

  const readRunning = async () => {
    const names = runs.all().flatMap((run) => (isUnderWay(run) ? [run.experiment] : []));
    for (const name of names) {
      if (experiment !== null && name !== experiment) continue;
      const { lines } = await queries.run('trialPage', {
        ...{ experiment: name, status: 'running', order: 'newest', offset: 0, limit: mostCourts },
      });
      for (const { trial } of lines) if (!courts.has(trial)) begun.add(trial);
    }
  };

  const takeChanges = async (): Promise<LiveFrame[]> => {
    const shown = [...changed].flatMap((trial) => {
      const court = courts.get(trial);
      return court === undefined ? [] : [{ trial, court }];
    });
    changed.clear();
    const changes = await Promise.all(
      shown.map(async ({ trial, court }) => {
        const frames = await court.source.take();
        if (frames.some((frame) => frame.kind === 'line' && frame.line.status === 'done')) {
          court.stop();
          courts.delete(trial);
        }
        return { trial, frames };
      }),
    );
    const news = changes.filter(({ frames }) => frames.length > 0);
    return news.length === 0 ? [] : [{ kind: 'changes', changes: news }];
  };

  const takeBegun = async (): Promise<LiveFrame[]> => {
    const next = [...begun].slice(0, Math.min(mostOpened, mostCourts - courts.size));
    for (const trial of next) begun.delete(trial);
    const views = await Promise.all(next.map((trial) => queries.run('trial', { trial })));
    // The others have ended meanwhile.
    const running = views.filter(({ line }) => line.status === 'running');
    for (const { line, lastSeq } of running) follow(line.trial, lastSeq);
    if (next.length > 0) ring();
    return running.map((view) => ({ kind: 'court', view }));
  };

  return {
    listen(tell) {
      ring = tell;
      const stop = changes.onLines((of, trial) => {
        if ((experiment !== null && of !== experiment) || courts.has(trial)) return;
        begun.add(trial);
        tell();
      });
      return () => {
        stop();
        for (const court of courts.values()) court.stop();
        courts.clear();
      };
    },
    async take() {
      if (!isOpen) {
        isOpen = true;
        await readRunning();
      }
      return [...(await takeChanges()), ...(await takeBegun())];
    },
  };
}
