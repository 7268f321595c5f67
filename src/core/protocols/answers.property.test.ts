import { expect, test } from 'vitest';
import { exhaustive } from '../../shared/exhaustive.fixture.ts';
import type { JsonSchema } from '../../shared/model.ts';
import { sampleAnswer } from '../answers/sample.ts';
import { randomSource } from '../cases/shuffle.ts';
import type { PreparedCall } from '../record/effects.ts';
import { protocols } from './index.ts';
import { emptyRecord, replayInMemory, runInMemory } from './testing/memoryTrial.ts';
import { answered, scriptedEffects } from './testing/scriptedModel.ts';
import { perParameters, prepare, textOf } from './testing/settings.ts';

/** What every protocol asks for: all that its schemas admit is an answer, and its prompts speak of what is there. */

const draw = ({ key, request }: PreparedCall, lengths: 'random' | 'longest' | 'shortest') =>
  answered(JSON.stringify(sampleAnswer(request.schema as JsonSchema, randomSource(request.options.seed, key), lengths)));

/** A line of an answer's shape, as a template shows it. */
const shapesIn = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('{"'));

test('no shape of an answer has a number filled in: models repeat it', () => {
  const shapes = protocols.flatMap(({ templates }) => Object.values(templates).flatMap(shapesIn));
  expect(shapes.length).toBeGreaterThan(protocols.length);
  for (const shape of shapes) expect(shape).not.toMatch(/:\s*[[{]*\s*-?\d/);
});

/** Each setting with answers of one length, in turn; or of all. */
const drawn = perParameters.flatMap((setting, place) =>
  (['random', 'longest', 'shortest'] as const)
    .filter((_, turn) => exhaustive || turn === place % 3)
    .map((lengths) => ({ name: setting.name, setting, lengths })),
);

test.each(drawn)(
  '$name: $lengths answers of its schemas are read at once, and its prompts show what is there and no more',
  async ({ setting, lengths }) => {
    const { kase, terms } = prepare(setting);
    const record = emptyRecord();
    const effects = scriptedEffects(
      (call) => (call.request.schema === null ? null : draw(call, lengths)),
      (call) => draw(call, lengths),
    );
    const end = await runInMemory(record, setting.bound, terms, kase, effects);
    const refused = record.events.filter((event) => event.kind === 'call-answer' && event.payload.rejected !== undefined);
    expect(refused).toEqual([]);
    // The shortest sheets of a panel are all alike, and it prefers no side.
    const isAssigned = (setting.bound.params as { stances?: string }).stances === 'assigned';
    const tied = lengths === 'shortest' && isAssigned && kase.labels.length > 0;
    expect(end).toEqual({ outcome: tied ? 'undecided' : 'decided', incomplete: false });
    expect(await replayInMemory(record, setting.bound, terms, kase)).toEqual({ end, unused: [] });
    // Its prompts keep one order, show the shape of the answer, and name no earlier cases where there are none.
    const lookedUp = record.events.some(({ kind }) => kind === 'precedent-retrieve');
    for (const call of [...effects.calls, ...effects.sharedCalls]) {
      const text = textOf(call);
      const lines = text.split('\n');
      const headings = ['Question:', 'Possible answers:', 'Facts of the case:'].filter(
        (heading) => heading !== 'Possible answers:' || kase.labels.length > 0,
      );
      const places = headings.map((heading) => lines.indexOf(heading));
      expect(places, call.key).toEqual(places.filter((place) => place >= 0).toSorted((a, b) => a - b));
      for (const label of setting.bound.contested(kase.labels)) expect(lines, call.key).toContain(`- ${JSON.stringify(label)}`);
      if (call.request.schema !== null) expect(shapesIn(text).length, call.key).toBeGreaterThan(0);
      if (setting.bound.shots === 0 && !lookedUp) expect(text, call.key).not.toMatch(/precedent|earlier case/i);
    }
  },
);
