import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Outcome, Prediction } from '../../../../shared/domain.ts';
import { type ReportPart, reportParts } from '../../../../shared/reportParts.ts';
import { isVaried } from '../../../../shared/trialLine.ts';
import { openFolder } from '../../audit/testing/sampleStore.ts';
import { openStoreReadOnly, type Store } from '../../store/store.ts';
import { writeEveryProtocol } from '../../store/testing/everyProtocol.ts';
import { type ReportData, reportData } from './data.ts';
import { faultsOf, textOf } from './testing/page.ts';
import { pageOf } from './testing/reports.ts';
import { leftOutIn, reportPage } from './trialReport.ts';
import { percent } from './words.ts';

const folder = openFolder('person');
let store: Store;
let all: ReportData[];

beforeAll(() => {
  const path = folder.path('every-protocol.db');
  writeEveryProtocol(path);
  store = openStoreReadOnly(path);
  all = store.trials.all().map(({ experiment, trial }) => reportData(store, experiment, trial));
});
afterAll(() => store.close());

const firstPage = (data: ReportData) => textOf(/<section id="person">.*?<\/section>/s.exec(pageOf(data))?.[0] ?? '');
function dataOf(arm: string): ReportData {
  const found = all.find(({ line }) => line.arm === arm && line.outcome === 'decided');
  if (found === undefined) throw new Error(`no trial of ${arm} is decided`);
  return found;
}
const withLine = (data: ReportData, change: Partial<ReportData['line']>): ReportData => ({
  ...data,
  line: { ...data.line, ...change },
});
/** The first words of a text: what a page that shortens it still has. */
const start = (text: string | null | undefined) => (text ?? 'erased').split('\n')[0]?.slice(0, 60) ?? '';

test('for every protocol it fits on one printed page, in words without statistics', () => {
  const closed = all.filter(({ kase }) => kase.labels.length > 0);
  expect(new Set(closed.map(({ line }) => line.protocol)).size).toBeGreaterThan(6);
  for (const data of closed) {
    const text = firstPage(data);
    expect(text, data.line.arm).not.toMatch(/wilson|interval|confidence|percentile|ruling has no text|undefined|null|NaN|\bn =/i);
    // What is around it fits too: looked at in print.
    expect(text.length, data.line.arm).toBeLessThan(3000);
    expect(text).toContain(data.kase.question);
    expect(faultsOf(pageOf(data))).toEqual([]);
  }
  expect(firstPage(all.find(({ kase }) => kase.labels.length === 0) ?? dataOf('live'))).toBe('');
});

test('of every protocol a report without plans has no word of a private plan or note, and offers only parts that it has', () => {
  const hidden = (place: number) => `unsaid${place}`;
  for (const data of all) {
    const entries = data.entries.map((entry, place) =>
      entry.kind === 'utterance'
        ? { ...entry, plan: entry.plan && hidden(place) }
        : entry.kind === 'belief'
          ? { ...entry, notes: entry.notes && hidden(place) }
          : entry,
    );
    const page = (...without: ReportPart[]) => reportPage({ ...data, entries }, null, without).source;
    const unsaid = [...new Set(page().match(/unsaid\d+/g))];
    expect(unsaid.length === 0, data.line.arm).toBe(entries.every((entry) => !JSON.stringify(entry).includes('unsaid')));
    expect(page('plans'), data.line.arm).not.toContain('unsaid');
    expect(page('transcript', 'plans'), data.line.arm).not.toContain('unsaid');
    const own = textOf(reportPage(data, null, ['plans']).source);
    const spoken = new Set(data.entries.map((entry) => (entry.kind === 'utterance' ? entry.text : null)));
    for (const entry of data.entries) {
      const words = entry.kind === 'utterance' ? entry.plan : entry.kind === 'belief' ? entry.notes : null;
      // A judge's vote is a speech too.
      if (words !== null && words !== '' && !spoken.has(words)) expect(own, data.line.arm).not.toContain(words);
    }
    const imported = { ...data, line: { ...data.line, protocol: 'imported' } };
    expect(leftOutIn(reportPage(imported, null, reportParts).source)).toEqual(['summary', 'check']);
  }
});

test('of the demo model nothing says that a language model answered, and of a model nothing says that it was made up', () => {
  for (const data of all.filter(({ line }) => line.outcome === 'decided' && line.prediction !== null)) {
    const invented: ReportData = { ...withLine(data, { standin: true }), again: null, judged: null };
    expect(firstPage(invented).replace('no network and no language model', ''), data.line.arm).not.toContain('language model');
    const models = { ...withLine(data, { standin: false }), calls: [] };
    expect(firstPage(models), data.line.arm).not.toMatch(/demo model|made up/);
  }
});

test('what changes did to the trial and what people said of it stand on the first page', () => {
  const data = dataOf('live');
  expect(firstPage(data)).toContain('This method tried the case once, with one seed: whether it would end the same is unknown.');
  const again = 'The verdict stayed the same with the change (age is 70).';
  const page = firstPage({ ...data, again, judged: '1 person judged this trial: 1 disagrees.' });
  expect(page).toContain(`It was tried again. ${again} A further run could still end differently.`);
  expect(page).toContain('1 person judged this trial: 1 disagrees.');
});

test('a trial with a declared change says so before what was decided', () => {
  const data = dataOf('live');
  const change = { kind: 'facts', text: 'age is 70', applies: true, from: null, to: null } as const;
  const page = firstPage(withLine(data, { change, base_arm: 'court' }));
  expect(page).toContain('Something was changed on purpose in this trial: in the facts, age is 70.What was asked');
  expect(firstPage(data)).not.toContain('was changed');
});

test('the question is the title of a case from Try a case, because its id says nothing', () => {
  const data = dataOf('live');
  expect(textOf(pageOf(data))).toContain(`Case ${data.line.case}`);
  const page = pageOf({ ...data, title: data.kase.question });
  expect(textOf(/<h1>.*?<\/h1>/s.exec(page)?.[0] ?? '')).toBe(data.kase.question);
});

test('where two of more answers are in dispute, it says that the court could choose only these', () => {
  const data = dataOf('live');
  const labels = [...data.kase.labels, 'LATER', 'NEVER'];
  const page = firstPage({ ...data, kase: { ...data.kase, labels } });
  const only = `The court could choose between 2 of them only: ${data.choices.join(', ')}.`;
  expect(page).toContain(`The question has 4 possible answers: ${labels.join(', ')}. ${only}`);
  expect(page).not.toContain('each answer');
  expect(textOf(pageOf({ ...data, kase: { ...data.kase, labels } })).split(only)).toHaveLength(3);
  expect(firstPage(data)).not.toContain('could choose');
});

test('it says which answer each side argued for, and nothing where nobody argued', () => {
  const { claims } = dataOf('live');
  expect(firstPage(dataOf('live'))).toContain(`Sides: Prosecution for ${claims.prosecutor}, Defense for ${claims.defense}.`);
  expect(firstPage(dataOf('system1'))).not.toContain('Sides:');
});

test('the reasons are the words of those who decided: the ruling, the judges, the judge in the last round, or the side that won', () => {
  const opinion = dataOf('live').entries.flatMap((entry) => (entry.kind === 'ruling' ? (entry.opinion ?? '') : []))[0];
  expect(firstPage(dataOf('live'))).toContain(start(opinion));
  const parallel = dataOf('parallel');
  for (const entry of parallel.entries)
    if (entry.kind === 'utterance' && entry.turn === 'opinion') expect(firstPage(parallel)).toContain(start(entry.text));
  for (const arm of ['vote', 'unassisted', 'gated', 'free']) expect(firstPage(dataOf(arm)), arm).toMatch(/In the words of .*:\S/);
  const assigned = dataOf('assigned');
  const winner = assigned.claims.agentA === assigned.line.prediction ? 'Agent A' : 'Agent B';
  expect(firstPage(assigned)).toContain(`In the words of ${winner}, `);
  expect(firstPage(dataOf('system1'))).toContain('only the answer was asked for');
  const long = {
    ...dataOf('live'),
    entries: dataOf('live').entries.map((entry) =>
      entry.kind === 'ruling' ? { ...entry, opinion: `${'One reason more. '.repeat(400)}The end.` } : entry,
    ),
  };
  expect(firstPage(long)).toMatch(/One reason more\.All reasons are in full under “The ruling”/);
  expect(firstPage(long).length).toBeLessThan(3000);
  const erased = {
    ...long,
    entries: long.entries.map((entry) => (entry.kind === 'ruling' ? { ...entry, opinion: null } : entry)),
  };
  expect(firstPage(erased)).toContain('This text was erased from the record.');
});

test('the other methods that tried the case are named with how each ended, and of many the first', () => {
  const data = dataOf('live');
  const tried = all.filter(({ line }) => line.case === data.line.case && line.arm !== 'live');
  // The same method with one thing changed is no other method, and neither is what it is a change of.
  const varied = tried.filter(({ line }) => isVaried(line));
  const others = new Set(tried.filter((each) => !varied.includes(each)).map(({ line }) => line.arm));
  expect(varied.length).toBeGreaterThan(0);
  for (const { line, otherMethods } of varied) expect(otherMethods.map(({ name }) => name)).not.toContain(line.base_arm);
  expect(data.otherMethods).toHaveLength(others.size);
  const [first] = data.otherMethods;
  if (first === undefined) throw new Error('the case has other methods');
  expect(firstPage({ ...data, otherMethods: [] })).not.toContain('Other methods');
  const [run] = first.runs;
  for (const [share, tie] of [
    [0.6, ' at 60%'],
    [0.5, ' at a tie of 50%'],
  ] as const) {
    const decided = {
      ...run,
      status: 'done',
      outcome: 'decided',
      prediction: 'NO',
      confidence: share,
      belief: { NO: share, YES: 1 - share },
    };
    const ended = { ...first, name: 'a<b>', all: 1, runs: [decided] } as typeof first;
    const page = firstPage({ ...data, otherMethods: [ended] });
    expect(page).toContain(`Other methods for this case: a<b> (once: NO; trial id ${run?.trial}${tie}).`);
  }
  const many = firstPage({ ...data, otherMethods: Array.from({ length: 20 }, () => first) });
  expect(many).toContain('; and 14 more.');
});

test('where the judge wavered: the largest changes first, and another answer that was ahead for a time', () => {
  const data =
    all.find(({ line, beliefs }) => line.arm === 'live' && beliefs.some(({ change }) => (change ?? 0) !== 0)) ?? dataOf('live');
  const sizes = [...firstPage(data).matchAll(/(?:rose|fell) from ([\d.]+)% to ([\d.]+)%/g)].map(([, from, to]) =>
    Math.abs(Number(to) - Number(from)),
  );
  expect(sizes.length).toBeGreaterThan(1);
  const last = data.beliefs.slice(-1).map((step) => ({ ...step, belief: { NO: 0.46, YES: 0.54 } }));
  const final = last[0]?.belief[data.line.prediction === 'NO' ? 'NO' : 'YES'] ?? 0;
  const clear = { ...data, beliefs: [...data.beliefs.slice(0, -1), ...last] };
  expect(firstPage(clear)).toContain(`In the end it gave ${String(data.line.prediction)} ${percent(final)}.`);
  expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  const led = all
    .filter(({ line }) => line.arm.startsWith('live'))
    .map(
      (each) =>
        [
          /In (\d+ of its \d+) answers, \S+ was likelier\./.exec(firstPage(each))?.[1],
          ...[each.beliefs.filter(({ belief }) => (belief[String(each.line.prediction)] ?? 0) < 0.4975), each.beliefs],
        ] as const,
    );
  for (const [shown, ahead, every] of led)
    expect(shown).toBe(ahead.length === 0 ? undefined : `${ahead.length} of its ${every.length}`);
  expect(led.some(([, ahead]) => ahead.length > 0)).toBe(true);
});

test('a tie at the end, or on the way, is called one, and it says why one of the two is the decision', () => {
  const data = dataOf('live');
  const [label = '', other = ''] = data.kase.labels;
  const even = { [label]: 0.5, [other]: 0.5 };
  const courses = data.beliefs.map((step) => ({ ...step, belief: even }));
  const last = { ...data, beliefs: [...data.beliefs.slice(0, -1), ...courses.slice(-1)] };
  const decided = String(data.line.prediction);
  const end = `In the end it gave ${decided} 50%.`;
  const equal = ` Equally likely: ${decided === label ? other : label}. `;
  const rule = 'The demo model names the first in its prompt.';
  expect(firstPage(last)).toContain(`${end}${equal}${rule}`);
  const asked = firstPage(withLine(last, { standin: false }));
  expect(asked).toContain(`${end}${equal}The answer that the judge named is the decision.`);
  expect(firstPage(last)).toMatch(/ Ties: [1-9] of its \d+ answers\./);
  expect(firstPage({ ...data, beliefs: courses })).toContain(`${end}${equal}${rule}`);
  const once = withLine(dataOf('system1'), { confidence: 0.5, belief: even });
  expect(firstPage(once)).toMatch(
    /What was decided(?:NO|YES), a tie at 50%.*The model was 50% sure of \S+\. Equally likely: \S+\. The demo model names the first in its prompt\./s,
  );
});

test('who answered and when is at the top, each speech has what its side argued for, and the demo model has no seed of models', () => {
  const data = dataOf('live');
  const text = textOf(pageOf(data));
  expect(text).toMatch(/Who made it, and when: the demo model answered, begun \d{4}-\d\d-\d\d \d\d:\d\d UTC by the clock/);
  for (const [role, label] of [
    ['Prosecution', data.claims.prosecutor],
    ['Defense', data.claims.defense],
  ])
    expect(text).toContain(`${role} for ${label}, opening`);
  expect(text).toContain('With another seed the demo model may answer otherwise.');
  const asked = pageOf({ ...withLine(data, { standin: false }), calls: [] });
  expect(textOf(asked)).toContain('With another seed the same models may rule otherwise.');
});

test('where another run ended differently, it says so', () => {
  const data = { ...dataOf('live'), again: null };
  const twice = (prediction: Prediction) => pageOf({ ...data, runs: [data.line, { ...data.line, prediction, trial: 'other' }] });
  const [could, did] = ['A further run could end differently.', 'Another run in this record ended differently.'];
  const other = data.kase.labels.find((label) => label !== data.line.prediction) ?? '';
  const [same, apart] = [twice(data.line.prediction), twice(other)].map(textOf);
  for (const words of [could, 'With another seed the demo model may answer otherwise.']) expect(same).toContain(words);
  for (const words of [did, 'With another seed this case ended differently in this record.']) expect(apart).toContain(words);
  expect(apart).not.toMatch(/could end differently|may answer otherwise/);
});

test('of several who answered it says who was for what, and lets one who was for another answer speak', () => {
  const data = dataOf('vote');
  expect(firstPage(data)).toContain('Nowhere: all 5 answers were for YES.');
  const entries = data.entries.map((entry) => {
    if (entry.kind === 'belief' && entry.role === 'voter2')
      return { ...entry, prediction: 'NO', notes: 'He was never arrested.' };
    if (entry.kind !== 'ruling' || entry.grounds?.votes === undefined) return entry;
    return { ...entry, grounds: { ...entry.grounds, votes: { ...entry.grounds.votes, counts: { NO: 1, YES: 3 } } } };
  });
  expect(firstPage({ ...data, entries })).toMatch(
    /Of 5 answers 3 were for YES, 1 for NO, 1 for none, because .*Voter 2, for NO, wrote:He was never arrested\./,
  );
});

test('how often such decisions were right: in how many others, what that can mean, and against what', () => {
  const data = withLine(dataOf('live'), { truth: 'NO', correct: false });
  const same = all.filter(({ line }) => line.arm === 'live' && line.case !== data.line.case);
  expect(data.others).toMatchObject({ n: same.length, right: same.filter(({ line }) => line.correct).length, undecided: 0 });
  const known = {
    ...data,
    others: { n: 20, cases: 20, right: 7, undecided: 1, commonest: { label: 'NO', right: 12 }, sides: [] },
  };
  // The interval of 7 of 20 by Wilson's formula: 0.1812 to 0.5671.
  expect(firstPage(known)).toMatch(
    /decided 20 other cases .* right in 7 of them \(35%\), without this case\. It is probably right in 18 to 57 of 100 .*answering “NO”, the most frequent answer among them, every time would have been right in 12 of them\. In 1 further case there was no decision\. For this case the data set says NO; by it the decision would be wrong\./,
  );
  expect(firstPage({ ...known, others: { ...known.others, n: 0, cases: 0, right: 0 } })).toContain(
    'Not known: here are no other cases',
  );
  expect(textOf(pageOf(known))).toContain('n = 20 decided cases');
  const sides = [
    { label: 'NO', n: 24, cases: 12, right: 18 },
    { label: 'YES', n: 20, cases: 10, right: 8 },
  ];
  // By Wilson's formula 3 of 12: 0.0889 to 0.5323, and 6 of 10: 0.3127 to 0.8318.
  const [no, yes] = ['6 (25%, probably 8 to 54 of 100)', '12 (60%, probably 31 to 84 of 100)'];
  const otherwise = 'this method answered otherwise ';
  for (const [prediction, said] of [
    [
      'NO',
      `where that was “YES” (10 cases, 20 trials), ${otherwise}in ${yes}; where that was “NO” (12 cases, 24 trials), in ${no}.`,
    ],
    [
      'YES',
      `where that was “NO” (12 cases, 24 trials), ${otherwise}in ${no}; where that was “YES” (10 cases, 20 trials), in ${yes}.`,
    ],
  ] as const)
    expect(firstPage(withLine({ ...known, others: { ...known.others, sides } }, { prediction }))).toContain(
      `By the answer that is right: ${said}`,
    );
  // A case that was tried twice counts once in the range: 7 of 20 right, not 14 of 40.
  const twice = firstPage({ ...known, others: { ...known.others, n: 40, right: 14 } });
  expect(twice).toMatch(
    /decided 20 other cases .*, in 40 trials\. It was right in 14 of these trials \(35%\), without this case\. It is probably right in 18 to 57 of 100/,
  );
});

test('without a decision it gives none, and an imported one says that it is from a file', () => {
  const none = (outcome: Outcome) =>
    firstPage(withLine(dataOf('live'), { outcome, prediction: null as Prediction, correct: null }));
  expect(none('truncated')).toMatch(/No decision was made: answer cut off\..*no decision says nothing about the case/s);
  expect(none('undecided')).toContain('the model declined to choose');
});

test('that no person took part is said only where no one reviewed or moderated it; one thing from outside is “it”', () => {
  const data = { ...dataOf('live'), firstJudged: null, said: { ...dataOf('live').said, comments: [] } };
  const saysNoPerson = (of: ReportData) => firstPage(of).includes('No person spoke, judged or reviewed here.');
  expect(saysNoPerson(data)).toBe(true);
  expect(saysNoPerson({ ...data, firstJudged: 'One person answered for replicate 1.' })).toBe(false);
  const [entry] = data.entries;
  expect(saysNoPerson({ ...data, entries: [...data.entries, { ...entry, kind: 'moderated' } as never] })).toBe(false);
  const naming = (outside: string[]) => {
    const first = data.entries.findIndex(({ kind }) => kind === 'utterance');
    const entries = data.entries.map((each, place) =>
      each.kind === 'utterance' ? { ...each, outside: place === first ? outside : [] } : each,
    );
    return pageOf({ ...data, entries });
  };
  expect(firstPage({ ...data, entries: [] })).not.toContain('The transcript names');
  expect(textOf(naming(['A law']))).toContain('The transcript names it.');
  expect(textOf(naming(['A law', 'A rule']))).toContain('The transcript names them.');
});
