import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAdvice, measureNamed } from '../../../../../core/telling/cells.ts';
import { statisticsParts } from '../../../../../core/telling/statisticsTables.ts';
import type { StatsReport } from '../../../../../shared/outputs.ts';
import { makeSampleStore, openFolder } from '../../../audit/testing/sampleStore.ts';
import { loadFrozen } from '../../../lab/frozen.ts';
import { openStoreReadOnly, type Store } from '../../../store/store.ts';
import { writeEveryProtocol } from '../../../store/testing/everyProtocol.ts';
import { kept } from '../../../testing/kept.ts';
import { playersOf } from '../../players.ts';
import { statistics } from '../../statistics.ts';
import { trialLines } from '../../trialLines.ts';
import { corpus, infect } from '../testing/infection.ts';
import { elementsOf, faultsOf, textOf } from '../testing/page.ts';
import { type ExperimentData, experimentData } from './data.ts';
import { experimentPage, unfinished } from './experimentReport.ts';

const experiment = 'nlsy97-demo';
const folder = openFolder('experiment-report');
let store: Store;
let report: StatsReport;
let data: ExperimentData;

beforeAll(async () => {
  store = openStoreReadOnly(await makeSampleStore(folder.folder, { cases: 6 }));
  report = statistics(store, experiment, { resamples: 200, cache: null }, () => undefined);
  data = experimentData(store, report, null);
});
afterAll(() => store.close());

const pageOf = (of: ExperimentData) => experimentPage(of, null);
const sectionOf = (id: string, of = data) =>
  textOf(new RegExp(`<section id="${id}">.*?</section>`, 's').exec(pageOf(of))?.[0] ?? '');

test('the page is whole, and the same record gives the same bytes', () => {
  expect(faultsOf(pageOf(data))).toEqual([]);
  const again = statistics(store, experiment, { resamples: 200, cache: null }, () => undefined);
  expect(pageOf(experimentData(store, again, null))).toBe(pageOf(data));
  expect(pageOf(data)).not.toContain(folder.folder);
});

test('it says whether each model had the same digest in all calls', () => {
  expect(playersOf(store, experiment).map(({ calls }) => calls)).toEqual(data.players.map(({ calls }) => calls));
  expect(sectionOf('cast')).toContain('Each model had the same digest in all its calls. The calls went to 1 address.');
});

test('it says how many cases were drawn and which were not, unless these are hidden', () => {
  const ids = data.undrawn.cases.map(({ id }) => id);
  const all = data.cases + ids.length;
  expect(sectionOf('about')).toContain(
    `${data.cases} of ${all} cases were drawn, by lot among the test cases, with the experiment’s seed ${data.definition.seed}`,
  );
  const idsOf = (share: string) => data.undrawn.cases.flatMap(({ id, split }) => (split === share ? [id] : [])).join(', ');
  expect(sectionOf('about')).toContain(
    `30 test cases: ${idsOf('test')}. 12 training cases (not in the draw): ${idsOf('train')}. `,
  );
  expect(sectionOf('about')).toContain('assize run experiment.json --store NEW.db --max-trials 0');
  expect(sectionOf('about')).toContain(`${data.cases} drawn${ids.length} not drawn`);
  const hidden = sectionOf('about', { ...data, undrawn: { ...data.undrawn, cases: [], table: null } });
  expect(hidden).toContain(`${data.cases} of ${all} cases were drawn`);
  expect(hidden).not.toContain('not drawn');
  expect(sectionOf('about', { ...data, undrawn: { ...data.undrawn, count: 0, cases: [], table: null } })).not.toContain(
    'were drawn',
  );
  const whole = sectionOf('about', { ...data, undrawn: { ...data.undrawn, isWhole: true } });
  expect(whole).toContain(`${data.cases} of ${all} cases were drawn, all test cases, dealt by`);
});

test('it names the arms that were added later', () => {
  const later = { ...data, extendedAt: '2026-01-02T10:00:00Z', added: ['one', 'two'] };
  expect(sectionOf('about', later)).toMatch(/, extended last [^()]* \(arms added since: one, two\), by the clock/);
  expect(sectionOf('about', { ...later, added: [] })).not.toContain('added since');
});

test('methods of one protocol and model are shown with the settings in which they differ', () => {
  const [arm] = data.arms.filter(({ settings }) => settings !== null);
  if (!arm?.settings) throw new Error('the sample has an arm with settings');
  const { settings } = arm;
  const set = (id: string, shots: number) => ({
    ...{ ...arm, arm: { ...arm.arm, name: id }, settings: { ...settings, arm: id, settings: { ...settings.settings, shots } } },
  });
  const summary = sectionOf('summary', { ...data, arms: [set('few', 2), set('none', 0)] });
  expect(summary).toMatch(/few: [^,]+, shots 2, .*none: [^,]+, shots 0, /);
  expect(sectionOf('summary', { ...data, arms: [arm] })).not.toContain('shots');
});

test('the banner of the demo model names its arms where others have real answers', () => {
  expect(textOf(pageOf(data))).toContain('DEMO MODEL: these answers were made up');
  const mixed = { ...report, arms: report.arms.map((arm, place) => ({ ...arm, standin: place === 0 })) };
  expect(textOf(pageOf({ ...data, statistics: mixed }))).toContain(
    `DEMO MODEL: the answers of the arm ${report.arms[0]?.arm} were made up by a program, not by a language model. They say`,
  );
  expect(textOf(pageOf({ ...data, statistics: mixed }))).not.toContain('DEMO MODEL: these answers');
});

test('a report over trials that have not all ended says so before anything else, and at the head of each printed page', () => {
  expect(pageOf(data)).not.toContain('UNFINISHED');
  const arms = report.arms.map((arm, place) => (place === 0 ? { ...arm, planned: arm.n + 4 } : arm));
  const page = pageOf({ ...data, statistics: { ...report, arms } });
  const ended = data.lines.length;
  expect(textOf(page.slice(0, page.indexOf('<h1>')))).toContain(
    `UNFINISHED: 4 of ${ended + 4} trials have not ended: ${report.arms[0]?.arm} 4.`,
  );
  expect(page.slice(0, page.indexOf('</style>'))).toContain('UNFINISHED');
  for (const [after, words] of [
    [2, `ENDED BY ITS STOPPING RULE: 4 of ${ended + 4} planned trials have no result`],
    // Arms that have not had every case that the rule took.
    [7, `UNFINISHED: 4 of ${ended + 4} trials have not ended`],
  ] as const) {
    const primary = { ...report.primary, stop: { width: 0.1, after } } as typeof report.primary;
    expect(JSON.stringify(unfinished({ ...data, statistics: { ...report, arms, primary } }))).toContain(words);
  }
});

test('an arm that stated no percentages is named where the others are judged by theirs', () => {
  const [first, ...others] = report.arms;
  const arms = first === undefined ? [] : [{ ...first, reliability: [] }, ...others];
  const summary = (of: typeof arms) => sectionOf('summary', { ...data, statistics: { ...report, arms: of } });
  expect(summary(arms)).toMatch(new RegExp(`How sure, and how rightly.*${first?.arm} gave no percentages\\.`));
  expect(summary(report.arms)).not.toContain('gave no percentages');
});

test('where trials are repeated, the scores count cases, and trials next to them', () => {
  const [arm] = report.arms;
  const twice = {
    ...arm,
    measures: arm?.measures.map((each) => ({ ...each, n: 2 * each.cases })),
  } as (typeof report.arms)[number];
  const cases = arm?.measures.find(({ name }) => name === 'brier')?.cases;
  expect(sectionOf('summary', { ...data, statistics: { ...report, arms: [twice] } })).toContain(
    `${arm?.arm}${cases} (${2 * (cases ?? 0)} trials)`,
  );
});

test('an imported data set has the name that its entry has now, marked as no part of the record', () => {
  const dataset = { ...data.definition.dataset, path: `${'a'.repeat(64)}.csv` };
  const of = (dataName: string | null, section = 'summary') =>
    sectionOf(section, { ...data, dataName, definition: { ...data.definition, dataset } });
  expect(of('Court <2024>', 'about')).toContain(`Court <2024>, as the list of data sets calls it now (${dataset.path})`);
  expect(of(null)).toContain('from an imported data set, each by');
  expect(of('Court <2024>')).toContain('no part of the record, it is now called “Court <2024>”), each by');
});

test('the first page says in plain words what was asked, tried and found, and against what', () => {
  const text = sectionOf('summary');
  expect(text).not.toMatch(/wilson|interval|p-value|bootstrap|macro|confidence/i);
  expect(text).toContain('Will this person be re-arrested within three years?');
  const lines = [...trialLines(store, loadFrozen(store, experiment))];
  for (const arm of report.arms) {
    const own = lines.filter((line) => line.arm === arm.arm);
    const right = own.filter(({ correct }) => correct).length;
    const none = own.filter(({ outcome }) => outcome !== 'decided').length;
    const share = `(${Math.round((100 * right) / own.length)}%)`;
    if (none === 0) expect(text).toContain(`${arm.arm}: ${right} of ${own.length} decisions were right ${share}`);
    else {
      expect(text).toContain(`${arm.arm}: in ${right} of ${own.length} trials there was a decision that was right ${share}`);
      expect(text).toContain(`In ${none} there was no decision`);
    }
  }
  for (const { arm, measures, reliability } of report.arms) {
    const [score, n] = [measureNamed({ measures }, 'brier')?.value, reliability.reduce((sum, bin) => sum + bin.n, 0)];
    if (score == null) continue;
    expect(text).toMatch(new RegExp(`How sure, and how rightly.*${arm}\\s*\\d+\\s*${score.toFixed(3)}.*% *\\d+ of ${n}: `, 's'));
  }
  expect(text).not.toContain('sure of a verdict on average');
  const twice = { ...data, lines: [...data.lines, ...data.lines.map((line) => ({ ...line, replicate: 1 }))] };
  expect(sectionOf('summary', twice)).toMatch(/Of 6 cases, court was wrong in every try in \d, in some in 0, in none in \d\./);
  expect(text).not.toContain('in every try');
  expect(text).toContain('No method is shown to be right more often than every simple way.');
  expect(text).toMatch(
    /A speaker names something from outside the facts in \d+ of the \d+ trials with speeches, as the speaker says; no one checked\. Single answers are not counted, whatever they name\.\s*The judge’s belief changed most from first to last in: case \S+, court \([\d.]+ points?; the verdict is (?:not )?its first answer\)/,
  );
  // Of 20 cases 10 were tried twice: no number of 30 trials is 42.5% of them.
  const uneven = { value: 0.425, n: 30, cases: 20, count: undefined, low: 0.23, high: 0.63 };
  const half = report.arms.map((arm) => ({
    ...{ ...arm, n: 30, decided: 30 },
    measures: arm.measures.map((each) => (each.name === 'accuracy' ? { ...each, ...uneven } : each)),
  }));
  expect(sectionOf('summary', { ...data, statistics: { ...report, arms: half } })).toContain(
    'in 42% of the trials of a case there was a decision that was right, on average over 20 cases, 30 trials; probably 23 to 63 of 100 such trials.',
  );
  const none = report.arms.map((arm) => ({ ...arm, decided: 0 }));
  const failed = sectionOf('summary', { ...data, statistics: { ...report, arms: none } });
  expect(failed).toContain(`${report.arms[0]?.arm}: no decision in ${report.arms[0]?.n} trials.`);
  const won = {
    ...report,
    comparisons: report.comparisons.map((pair) =>
      pair.a === 'court'
        ? { ...pair, difference: { ...pair.difference, low: 0.1 }, mcnemar: { ...pair.mcnemar, p_adjusted: 0.01 } }
        : pair,
    ),
  };
  expect(sectionOf('summary', { ...data, statistics: won })).toContain(
    'Shown to be right more often than every simple way: court.',
  );
});

test('it has every number that the command line shows, every prompt in full, and every trial with its verdict', () => {
  const text = textOf(pageOf(data));
  for (const piece of statisticsParts(report).flatMap(({ pieces }) => pieces)) {
    if (typeof piece === 'string') expect(text).toContain(piece.trim());
    // Advice is for who has the program.
    else if (isAdvice(piece)) expect(text).not.toContain(piece.advice);
    else for (const cell of piece.rows.flat()) expect(text).toContain(cell);
  }
  for (const { templates } of loadFrozen(store, experiment).arms)
    for (const hash of Object.values(templates)) expect(text).toContain(store.blobs.get(hash) ?? 'erased');
  const rows = sectionOf('trials');
  for (const { trial, prediction, status } of data.lines) {
    expect(status).toBe('done');
    expect(rows).toContain(trial);
    if (prediction !== null) expect(rows).toMatch(new RegExp(`${String(prediction)}.*${trial}`, 's'));
  }
  expect(
    sectionOf('cast').match(/The experiment names http:\/\/127\.0\.0\.1:11434 for the backend \w+; the run was sent to/g),
  ).toHaveLength(1);
  expect(sectionOf('cast')).toMatch(/courtProsecution, DefenseLlama|court.*llama3\.1:8b \(demo model\)[0-9a-f]{12}/is);
});

test('the surest wrong trials are listed, the surest first, and lead to their rows; what has no truth is not among them', () => {
  const [line] = data.lines;
  const of = (place: number, more: Partial<ExperimentData['lines'][number]> = {}) => ({
    ...{ ...line, trial: `t${place}`, case: `${place}`, outcome: 'decided', prediction: 'YES', truth: 'NO', correct: false },
    ...{ confidence: 0.8 + place / 1000, groups: { quarter: 'Harbour' }, ...more },
  });
  const sure = Array.from({ length: 45 }, (_, place) => of(place));
  const others = [of(100, { confidence: 0.79 }), of(110, { correct: null, truth: null }), of(120, { correct: true })];
  const lines = [...others, ...sure] as ExperimentData['lines'];
  const page = pageOf({ ...data, lines });
  const section = /<section id="sure">.*?<\/table>/s.exec(page)?.[0] ?? '';
  const linked = [...section.matchAll(/href="#(trial-\d+)"><code>([^<]+)/g)];
  expect(linked.map(([, , trial]) => trial)).toEqual(Array.from({ length: 40 }, (_, place) => `t${44 - place}`));
  for (const [, id, trial] of linked) expect(page).toMatch(new RegExp(`<tr id="${id}">(?:(?!</tr>).)*<code>${trial}</code>`));
  expect(textOf(section)).toContain('45 of 48 trials, the surest first');
  expect(section.match(/<td><[^>]*>Harbour</g)).toHaveLength(40);
  expect(pageOf({ ...data, lines: others as ExperimentData['lines'] })).not.toContain('id="sure"');
});

test('groups have who was missed among those whose label it is, and the cases where the trials are more', () => {
  const rate = (name: string, over: string, value: number, n: number, cases: number) => ({
    ...{ name, over, value, n, cases, label: name === 'selection_rate' ? 'YES' : null },
    ...(cases < n ? { low: null, high: null } : { low: value - 0.05, high: value + 0.05 }),
  });
  const group = (value: string, cases: number, replicates: number) => ({
    ...{ attribute: 'sex', value, n: cases * replicates, decided: cases * replicates, counts: { tp: 15, tn: 0, fp: 0, fn: 5 } },
    measures: [
      rate('selection_rate', 'decided', 0.75, cases * replicates, cases),
      rate('false_negative_rate', 'truly-positive', 0.25, cases * replicates, cases),
      rate('failure_rate', 'finished', 0, cases * replicates, cases),
    ],
  });
  const of = (...groups: ReturnType<typeof group>[]) => {
    const arms = report.arms.slice(0, 1).map((arm) => ({ ...arm, groups, fairness: [] }));
    return sectionOf('summary', { ...data, statistics: { ...report, arms } as unknown as StatsReport });
  };
  const once = of(group('f', 20, 1), group('m', 9, 1));
  expect(once).toContain('75% of 20 (70 to 80)');
  expect(once).toContain('5 of 20: 25% (20 to 30)');
  expect(once).toContain('too few to say (9 cases)');
  expect(once).not.toContain('No decision');
  expect(of(group('f', 9, 2))).toContain('too few to say (9 cases, 18 trials)');
  expect(of(group('f', 10, 2))).toContain('5 of 20 trials, 10 cases: 25%, no interval');
});

test('columns with a shown difference come before those whose groups are further apart by chance, and each group has all arms', () => {
  const groups = (attribute: string, apart: number) =>
    [0.5 - apart / 2, 0.5 + apart / 2].map((value, place) => ({
      ...{ attribute, value: place === 0 ? 'f' : 'm', n: 40, decided: 40, counts: null },
      measures: [{ name: 'selection_rate', over: 'decided', label: 'YES', value, n: 40, cases: 40, low: value, high: value }],
    }));
  const of = (shown: boolean) => {
    const fair = (attribute: string, p: number, low: number) => ({
      attribute,
      left_out: [],
      measures: [{ name: 'demographic_parity_difference', over: 'decided', value: 0.3, p, low, high: 0.5 }],
    });
    const [first] = report.arms;
    const fairness = [fair('far', 0.9, 0), shown ? fair('near', 0.001, 0.1) : fair('near', 0.5, 0)];
    const grouped = { ...first, groups: [...groups('far', 0.6), ...groups('near', 0.3)], fairness };
    const arms = ['one', 'two'].map((arm) => ({ ...grouped, arm }));
    const statistics = { ...report, arms, positive: 'YES' } as unknown as StatsReport;
    return sectionOf('summary', { ...data, statistics });
  };
  const rows = (text: string) =>
    [...text.matchAll(/(far|near): (f|m)\W*one.*?two/gs)].map(([, column, value]) => `${column} ${value}`);
  expect(rows(of(true))).toEqual(['near f', 'near m', 'far f', 'far m']);
  expect(of(true)).toContain('columns with a difference that chance does not explain first');
  expect(rows(of(false))).toEqual(['far f', 'far m', 'near f', 'near m']);
  expect(of(false)).toContain('All groups: by how far the groups of a column are apart in “Answered YES” for some method');
  expect(of(false)).toContain('“Right” is not tested between groups');
});

test('methods that did not have the same cases are compared within each group over those that both have', () => {
  const [pair] = report.comparisons.filter(({ baseline }) => !baseline);
  const title = 'Right on the cases that both have';
  expect(sectionOf('summary')).not.toContain(title);
  const left = data.lines.find(({ arm }) => arm === pair?.b)?.case;
  const lines = data.lines.filter((line) => line.arm !== pair?.b || line.case !== left);
  const summary = sectionOf('summary', { ...data, lines });
  expect(summary).toMatch(new RegExp(`${title}.*${pair?.a} : ${pair?.b}.*\\d : \\d of \\d+ \\(p [\\d.]+\\)`, 's'));
  expect(sectionOf('summary', { ...data, lines, statistics: { ...report, damage: [] } as unknown as StatsReport })).not.toContain(
    title,
  );
});

test('root, freeze and checkpoint are those of the store', () => {
  const frozen = loadFrozen(store, experiment);
  expect(sectionOf('check')).toContain(`verify STORE --head ${frozen.freeze}`);
  const { checkpoint } = data.checkpoint;
  if (checkpoint === null) expect(sectionOf('check')).toContain('nothing shows who wrote the record');
  const signed = {
    size: 9,
    ...{ bundle: null, bundle_signers: [], bundle_signed_at: null },
    checkpoint: {
      origin: 'o',
      size: 7,
      root: 'ROOT=',
      made_at: 'then',
      fingerprint: 'fin9er',
      key: 'k',
      cosigners: [{ name: 'witness.example', fingerprint: null, at: null }],
      time_stamp: true,
      note: 'n',
    },
  };
  expect(sectionOf('check', { ...data, checkpoint: signed })).toMatch(
    /7 of the 9 entries.*came after it, such as a review.*ROOT=.*fin9er.*witness\.example.*attached, not checked here/s,
  );
  const given = {
    size: 0,
    bundle: 'given.zip',
    bundle_signers: ['fin9er'],
    bundle_signed_at: '2026-11-28T14:50:12.345Z',
    checkpoint: null,
  };
  const check = sectionOf('check', { ...data, checkpoint: given });
  expect(check).toMatch(/fin9er.*given\.zip.*2026-11-28 14:50 UTC.*not proved/s);
  expect(check).not.toContain('nothing shows who wrote the record');
  expect(sectionOf('check', { ...data, checkpoint: { ...given, bundle_signers: [] } })).toContain(
    'nothing shows who wrote the record',
  );
  // In a joined record it may be about other experiments only.
  const ended = data.lines.filter(({ status }) => status === 'done').length;
  expect([0, store.log.size()].map((size) => store.log.trialsWithin(experiment, size))).toEqual([0, ended]);
  expect(sectionOf('check', { ...data, checkpoint: signed, signed: 0 })).toContain(`0 of the ${ended} that have ended: no key`);
});

test('open questions have no right answers, and many arms leave no group out of the first page', () => {
  const path = folder.path('every-protocol.db');
  writeEveryProtocol(path);
  const every = kept(openStoreReadOnly(path));
  const of = (name: string) =>
    experimentData(
      every,
      statistics(every, name, { resamples: 0, cache: null }, () => undefined),
      null,
    );
  const [open, many] = [of('open questions'), of('binary')];
  const shared = many.players.filter(({ arm }) => arm === null).reduce((sum, { calls }) => sum + calls, 0);
  expect(many.statistics.shared_calls?.calls).toBe(shared);
  expect(shared).toBeGreaterThan(0);
  for (const each of [open, many, of('several labels')]) expect(faultsOf(pageOf(each))).toEqual([]);
  expect(sectionOf('summary', open)).toContain('nothing is counted as right or wrong');
  expect(sectionOf('summary', open)).not.toContain('right answers are');
  expect(pageOf(open)).not.toContain('id="notes"');
  const groups = many.statistics.arms.flatMap((arm) => (arm.base_arm == null ? arm.groups : []));
  const rows = /All groups, .*?<\/section>/s.exec(pageOf(many))?.[0].match(/<tr><th scope="row">/g);
  expect(rows).toHaveLength(groups.length);
  expect(sectionOf('summary', many)).toMatch(/All groups, \d+ of them folded below/);
  expect(sectionOf('summary', many)).toContain('10 more under “Arms”');
});

describe.each(corpus)('%s', (payload) => {
  test('security 23: changes nothing but text, in any field', () => {
    const page = pageOf(infect(data, payload) as ExperimentData);
    expect(faultsOf(page)).toEqual([]);
    const skeleton = (source: string) => elementsOf(source).flatMap(({ tag }) => (tag === 'span' ? [] : [tag]));
    expect(skeleton(page)).toEqual(skeleton(pageOf(infect(data, 'x'.repeat(payload.length)) as ExperimentData)));
  });
});
