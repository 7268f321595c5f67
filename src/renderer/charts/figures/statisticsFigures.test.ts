import { describe, expect, test } from 'vitest';
import { figuresOf as deliberationOf } from '../../../core/figures/deliberation.fixture.ts';
import { trial } from '../../../core/statistics/measures/trials.fixture.ts';
import type { MeasuredTrial } from '../../../core/statistics/measures/trials.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { cards, figuresOf } from '../figures.ts';
import type { Figure, FigureSources } from '../kit/figure.ts';
import { dataOf, linesOf, pictureOf, sourcesOf } from './report.fixture.ts';
import { nothing } from './traces.fixture.ts';

const all = (await Promise.all(cards.map(figuresOf))).flat();
/** Those that are drawn from the statistics alone. */
const mine = all.filter(({ needs }) => needs.length === 0);

/** Two dozen cases: right and wrong, sure and unsure, two groups, a failure. */
const several = (labels: readonly string[] = ['NO', 'YES'], group = 'sex'): MeasuredTrial[] =>
  Array.from({ length: 24 }, (_none, place) => {
    const truth = labels[place % labels.length] ?? '';
    const other = labels[(place + 1) % labels.length] ?? '';
    const change = { truth, groups: { [group]: place % 5 < 2 ? 'm' : 'f' } };
    if (place === 11) return trial(`c${place}`, { ...change, outcome: 'timeout', prediction: null });
    const prediction = place % 4 === 1 ? other : truth;
    return trial(`c${place}`, { ...change, prediction, confidence: 0.5 + place / 50, incomplete: place === 2 });
  });

const arm = (name: string, model: string, protocol: string, change: Partial<TrialLine> = {}, trials = several()) =>
  linesOf(name, trials, { models: [model], protocol, ...change }).map((line) => ({
    ...line,
    correct: line.prediction === null ? null : line.prediction === line.truth,
  }));

/** First answers of every second case, for all arms. */
const pathsOf = (lines: readonly TrialLine[]) =>
  new Map(
    lines
      .filter((_line, place) => place % 2 === 0)
      .map(({ trial: id, truth }, place) => [id, { steps: [], initial: place % 3 === 0 ? 'NO' : truth }] as const),
  );
/** One request for each finished trial; that of a failed one was refused. */
const answersOf = (lines: readonly TrialLine[]) => {
  const asked = lines
    .filter(({ status }) => status === 'done')
    .map(({ arm: name, outcome }) => ({
      arm: name,
      answer: {
        key: 'judge/attempt-1',
        done: 'stop',
        ...(outcome === 'decided' ? { method: 'json', flags: ['short'] } : { rejected: 'malformed' as const }),
      },
    }));
  return new Map([...Map.groupBy(asked, (each) => each.arm)].map(([name, all]) => [name, all.map(({ answer }) => answer)]));
};
const experiment = (lines: TrialLine[], terms: Parameters<typeof sourcesOf>[1] = {}): FigureSources =>
  sourcesOf(lines, { groups: ['sex'], paths: pathsOf(lines), answers: answersOf(lines), resamples: 50, ...terms });

const rich = [
  ...arm('cot small', 'llama3.2:3b', 'standard'),
  ...arm('court small', 'llama3.2:3b', 'agentic-sim'),
  ...arm('cot large', 'llama3.3:70b', 'standard'),
  ...arm('court large', 'llama3.3:70b', 'agentic-sim'),
  ...arm('court small~sides', 'llama3.2:3b', 'agentic-sim', { swap: 'sides', base_arm: 'court small' }),
];
const hostile = 'a\u202Eb <script>alert(1)</script> {b|x}\n"&\u0007';

/** Cases that a record on the demo model does not have; `build/figures` draws of one arm, one case, many labels, failures and no truth. */
const inputs: Readonly<Record<string, FigureSources>> = {
  'several arms': experiment(rich),
  'forty arms': experiment(
    Array.from({ length: 40 }, (_none, place) =>
      arm(
        `an arm with a long name that has to be cut, number ${place}`,
        `model-${1 + (place % 20)}b`,
        place < 20 ? 'standard' : 'vote',
      ),
    ).flat(),
    { resamples: 0 },
  ),
  'hostile names': experiment(
    [
      ...arm(hostile, hostile, hostile, {}, several([hostile, 'NO'], hostile)),
      ...arm(`${hostile}2`, `${hostile}:7b`, 'standard', {}, several([hostile, 'NO'], hostile)),
      ...arm(`${hostile}~order`, hostile, hostile, { swap: 'order', base_arm: hostile }, several([hostile, 'NO'], hostile)),
    ],
    { labels: [hostile, 'NO'], positive: hostile, groups: [hostile] },
  ),
  'nothing finished': experiment(rich.map((line) => ({ ...line, status: 'queued' as const, outcome: null }))),
};

describe.each(mine.map((figure) => [figure.id, figure] as const))('%s', (_id, figure) => {
  test.each(Object.entries(inputs))('of %s is drawn, or is absent', (name, sources) => {
    const data = figure.plot(sources);
    if (data === null) return;
    expect(figure.plot(sources)?.table.rows).toEqual(data.table.rows);
    expect(data.caption).not.toMatch(/NaN|undefined|null|Infinity|\u202E/);
    for (const width of name === 'several arms' ? [320, 900] : [320]) {
      const picture = pictureOf(data, width);
      expect(picture).not.toMatch(/NaN|Infinity|undefined|\u202E|<script/);
      expect(picture.length).toBeGreaterThan(1000);
    }
    const { columns, rows } = data.table;
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row).toHaveLength(columns.length);
      for (const cell of row)
        expect(typeof cell === 'number' ? Number.isFinite(cell) : cell === null || typeof cell === 'string').toBe(true);
    }
  });
});

test('each is drawn of several arms, where it needs no speeches and no declared changes', () => {
  const absent = mine.filter((figure) => figure.plot(inputs['several arms'] as FigureSources) === null);
  const needing = ['language-by-round', 'language-over-contentiousness', 'language-by-group', 'changes'];
  expect(absent.map(({ id }) => id)).toEqual(needing);
});

test('no figure is drawn where nothing is read yet, or no trial has ended', () => {
  const read = { ...(inputs['nothing finished'] as FigureSources), deliberation: deliberationOf([]), protocols: nothing };
  for (const figure of all) {
    expect(figure.plot(read), figure.id).toBeNull();
    if (figure.needs.length > 0) expect(figure.plot({ ...read, deliberation: null, protocols: null }), figure.id).toBeNull();
  }
});

test('figures of rows grow with the arms, and names that are too long are cut', () => {
  const [few, many] = [inputs['several arms'] as FigureSources, inputs['forty arms'] as FigureSources];
  for (const id of ['accuracy-f1-bars', 'failures', 'answer-reading', 'confusion', 'reliability', 'group-rates']) {
    const figure = mine.find((each) => each.id === id) as Figure;
    const drawn = dataOf(figure, many);
    expect(drawn.height, id).toBeGreaterThan(4 * dataOf(figure, few).height);
    const picture = pictureOf(drawn, 420);
    const cut = picture.match(/(?<=>)[^<]*(?:…|\.\.\.)[^<]*(?=<)/g) ?? [];
    expect(cut.length, id).toBeGreaterThan(20);
  }
});

test('arms with something exchanged are in no figure but that of the swaps', () => {
  for (const figure of mine.filter(({ id }) => id !== 'swaps')) {
    const plot = figure.plot(inputs['several arms'] as FigureSources);
    expect(JSON.stringify(plot?.table ?? null), figure.id).not.toContain('~sides');
  }
});
