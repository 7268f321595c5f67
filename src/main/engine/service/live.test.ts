import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LiveFrame, TranscriptEntry, TrialFrame, TrialView } from '../../../shared/api/trials.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { type Client, endRooms, type StartedRoom, startRoom } from './testing/engineRoom.ts';
import { draft, pace } from './testing/runs.ts';

let server: DemoServer;
let room: StartedRoom;

beforeAll(async () => {
  server = await startDemoServer({ profile: { ...pace, base: 'instant+malformed:0.2' } });
  room = await startRoom();
  await room.client.settings.change({ ollamaUrl: server.url, concurrency: 3 });
});

afterAll(async () => {
  await endRooms();
  await server.close();
});

interface Followed {
  readonly view: TrialView;
  readonly frames: TrialFrame[];
}

/** What the stream sends until so many trials have ended. */
async function followed(client: Client, experiment: string | null, trials: number): Promise<Map<string, Followed>> {
  const all = new Map<string, Followed>();
  let ended = 0;
  const take = (frame: LiveFrame) => {
    if (frame.kind === 'court') all.set(frame.view.line.trial, { view: frame.view, frames: [] });
    else {
      for (const { trial, frames } of frame.changes) {
        all.get(trial)?.frames.push(...frames);
        ended += frames.filter(({ kind, ...rest }) => kind === 'line' && 'line' in rest && rest.line.status === 'done').length;
      }
    }
  };
  for await (const frame of await client.live.watch({ experiment })) {
    take(frame);
    if (ended >= trials) break;
  }
  return all;
}

const entriesOf = ({ view, frames }: Followed): TranscriptEntry[] => [
  ...view.entries,
  ...frames.flatMap((frame) => (frame.kind === 'entries' ? frame.entries : [])),
];

test('all trials of a run are followed at once, from their first words to their ends', async () => {
  const { client } = room;
  const cases = 7;
  const { experiment } = await client.experiments.start(draft('followed', cases));
  const all = await followed(client, experiment, cases);
  expect(all.size).toBe(cases);
  let [failed, written] = [0, 0];
  for (const [trial, court] of all) {
    expect(entriesOf(court)).toEqual((await client.trials.read({ trial })).entries);
    const recorded = new Set<string>();
    for (const frame of court.frames) {
      // What is on record is no longer being written, whether it was taken or failed.
      if (frame.kind === 'tokens') expect(recorded).not.toContain(frame.key);
      if (frame.kind !== 'entries') continue;
      for (const entry of frame.entries) {
        if (entry.kind !== 'call') continue;
        recorded.add(entry.key);
        if (entry.rejected !== null) failed += 1;
      }
    }
    written += court.frames.filter(({ kind }) => kind === 'tokens').length;
  }
  expect(failed).toBeGreaterThan(0);
  // If a trial ends between two looks, no one sees how it was written.
  expect(written).toBeGreaterThan(0);
});

test('one experiment is followed without the others, and one that is unknown is refused', { tags: 'exhaustive' }, async () => {
  const { client } = room;
  const first = await client.experiments.start(draft('one of two', 3));
  const second = await client.experiments.start(draft('two of two', 3));
  const [one, both] = await Promise.all([followed(client, second.experiment, 3), followed(client, null, 6)]);
  const experiments = (all: Map<string, Followed>) => new Set([...all.values()].map(({ view }) => view.line.experiment));
  expect(experiments(one)).toEqual(new Set([second.experiment]));
  expect(experiments(both)).toEqual(new Set([first.experiment, second.experiment]));
  await expect(client.live.watch({ experiment: 'unknown' })).rejects.toMatchObject({ code: 'not-found' });
});
