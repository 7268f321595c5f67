import { expect, test } from 'vitest';
import { debateLines, measureText, valuesOf } from '../../../../core/figures/exchangeMeasures.ts';
import { debateOf } from '../../../../core/figures/exchanges.ts';
import { faultsOf, textOf } from './testing/page.ts';
import { changed, contentsOf, pageOf, recordReports } from './testing/reports.ts';

const { dataOf, stepsOf, transcriptOf } = recordReports(1, {
  arms: [
    { name: 'debate', protocol: 'evince', params: { maxRounds: 3, tolerance: 0, gate: 1 } },
    { name: 'mixture', protocol: 'evince', params: { modulation: 'mixture' } },
  ],
});

test('both pages are whole, and name their own steps in the contents', () => {
  for (const arm of ['debate', 'mixture']) {
    expect(faultsOf(pageOf(dataOf(arm))), arm).toEqual([]);
    expect(contentsOf(dataOf(arm))).toEqual([
      ...[
        'person',
        'about',
        'facts',
        'cast',
        'verdict',
        'found',
        'courses',
        'measures',
        'debate',
        'recommendations',
        'transcript',
      ],
      ...['belief', 'ruling', 'calls', 'check', 'protocol', 'limits', 'prompts'],
    ]);
  }
});

test('shows every measure of every exchange, and where the debate ended', () => {
  const data = dataOf('debate');
  const text = textOf(pageOf(data));
  const { exchanges } = debateOf(data.entries);
  expect(exchanges).toHaveLength(3);
  for (const line of debateLines) {
    expect(text).toContain(line.title);
    for (const value of valuesOf(line, exchanges)) expect(text).toContain(measureText(value));
  }
  expect(text).toContain('The debate ended after round 3, the last that was allowed');
  expect(textOf(pageOf(dataOf('mixture')))).toContain('There was no debate');
});

test('shows the answers side by side, and which of them were held back', () => {
  const data = dataOf('debate');
  const text = textOf(pageOf(data));
  const spoken = debateOf(data.entries).rounds.flatMap(({ turns }) => [turns.agentA.speech?.text, turns.agentB.speech?.text]);
  expect(spoken).toHaveLength(6);
  for (const each of spoken) expect(text).toContain(each?.replaceAll(/\s+/g, ' ').trim().slice(0, 60));
  const withheld = debateOf(data.entries).exchanges.flatMap(({ sides }) =>
    [sides.agentA, sides.agentB].filter(({ admitted }) => !admitted),
  );
  expect(withheld.length).toBeGreaterThan(0);
  expect(text.split('The other agent did not read these arguments.')).toHaveLength(withheld.length + 1);
});

test('doubts a truth that has hardly any of the mixture, and no other', () => {
  const data = dataOf('debate');
  const withTruth = (share: number) =>
    changed({ ...data, line: { ...data.line, truth: 'YES' } }, (entry) =>
      entry.kind === 'ruling'
        ? {
            ...entry,
            grounds: { verbal: { NO: 1 - share, YES: share }, mixture: { weights: { agentA: 0.7, agentB: 0.6 } } },
          }
        : entry,
    );
  expect(textOf(pageOf(withTruth(0.01)))).toMatch(/label in doubt.*YES.*has 1% of the mixture/s);
  expect(textOf(pageOf(withTruth(0.2)))).not.toContain('label in doubt');
  expect(textOf(pageOf(withTruth(0.2)))).toContain('weighed by CRIT: Agent A 0.7, Agent B 0.6.');
});

test('erased parts and text that would run are shown as text', () => {
  const erased = changed(dataOf('debate'), (entry) =>
    entry.kind === 'utterance'
      ? { ...entry, text: null }
      : entry.kind === 'recommendations'
        ? { ...entry, recommendations: [{ kind: 'test', text: '<img src=x onerror=alert(1)>', reason: null }] }
        : entry,
  );
  expect(faultsOf(pageOf(erased))).toEqual([]);
  expect(textOf(pageOf(erased))).toContain('<img src=x onerror=alert(1)>');
  expect(textOf(pageOf(erased))).toContain('This text was erased from the record.');
});

test('the command line shows the recommendations too', () => {
  const last = transcriptOf('debate').filter(({ turn }) => turn === 'recommendations');
  expect(last).toHaveLength(1);
  expect(last[0]?.text).toMatch(/^(?:inquiry|test|fact): /);
});

test('each exchange of EVINCE has its measures, who was held back, and the last one why it ended', () => {
  const data = dataOf('debate');
  const exchanges = data.entries.filter((entry) => entry.kind === 'exchange');
  const steps = stepsOf('debate', 'exchange');
  expect(steps).toHaveLength(3);
  for (const [place, { round, contentiousness, wd, jsd, sides }] of exchanges.entries()) {
    const lines = steps[place]?.split('\n') ?? [];
    expect(lines.slice(0, 6)).toEqual([
      `Round ${round}`,
      `Contentiousness: ${measureText(contentiousness)}`,
      `CRIT, A: ${measureText(sides.agentA.crit)}`,
      `CRIT, B: ${measureText(sides.agentB.crit)}`,
      `Wasserstein distance (WD): ${measureText(wd)}`,
      `Jensen-Shannon divergence (JSD): ${measureText(jsd)}`,
    ]);
    const withheld = Object.values(sides).filter(({ admitted }) => !admitted);
    expect(lines.filter((line) => line.includes('held back'))).toHaveLength(withheld.length);
  }
  expect(steps[0]).not.toContain('ended after round');
  expect(steps[2]).toContain('The debate ended after round 3, the last that was allowed');
});
