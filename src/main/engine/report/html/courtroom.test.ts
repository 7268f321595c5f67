import { expect, test } from 'vitest';
import { disputeOf } from '../../../../core/figures/dispute.ts';
import { precedentsOf } from '../../../../core/figures/precedents.ts';
import type { TranscriptEntry } from '../../../../shared/api/trials.ts';
import { faultsOf, textOf } from './testing/page.ts';
import { changed, contentsOf, pageOf, recordReports } from './testing/reports.ts';

const { dataOf } = recordReports(2, {
  arms: [
    { name: 'in turn', protocol: 'courtroom', params: { judges: 3, ambiguity: 5, argumentWords: 20 } },
    { name: 'vote', protocol: 'vote', params: { shots: 1 } },
  ],
});

test('every page is whole, and names its own steps in the contents', () => {
  for (const arm of ['in turn', 'vote']) expect(faultsOf(pageOf(dataOf(arm))), arm).toEqual([]);
  expect(contentsOf(dataOf('in turn'))).toEqual([
    ...['person', 'about', 'facts', 'cast', 'hearing', 'arguments', 'precedents', 'bench', 'verdict', 'transcript'],
    ...['belief', 'ruling', 'calls', 'check', 'protocol', 'limits', 'prompts'],
  ]);
  expect(pageOf(dataOf('vote'))).not.toMatch(/id="(?:hearing|arguments)"/);
});

test('a trial of an earlier version of the protocol reads as one of today', () => {
  const data = dataOf('in turn');
  const earlier = { ...data, line: { ...data.line, protocol_version: 1 } };
  expect(contentsOf(earlier)).toEqual(contentsOf(data));
});

test('calls that were made once are listed apart, and count in no sum', () => {
  const data = dataOf('in turn');
  const text = textOf(pageOf(data));
  const shares = data.entries.filter(({ kind }) => kind === 'share');
  expect(data.shared).toHaveLength(shares.length);
  expect(shares.length).toBeGreaterThanOrEqual(5 + 2);
  expect(text).toContain('Shared, made once: the answers serve every trial that asks the same, and count in none of them.');
  for (const { key } of shares) expect(text).toContain(`${key}/attempt-1`);
  for (const { call } of data.shared) expect(call.setup?.model).toBe('llama3.1:8b');
  expect(text).toContain(`Requests, repeated ones included: ${data.calls.length}.`);
  expect(textOf(pageOf(dataOf('vote')))).not.toContain('Shared, made once');
});

test('says who argues for which label, and how much of a long argument was heard', () => {
  const shortened = { words: 31, kept: 18 };
  const data = changed(dataOf('in turn'), (entry) => (entry.kind === 'utterance' ? { ...entry, shortened } : entry));
  const text = textOf(pageOf(data));
  const { pleadings } = disputeOf(data.entries);
  expect(pleadings).toHaveLength(2);
  for (const { role, label } of pleadings) {
    expect(text).toMatch(
      new RegExp(`${role === 'attorney' ? 'Attorney' : 'Prosecution'}, for ${label}Read (?:first|second) by the judges`),
    );
  }
  expect(text.split('cut: 18 of 31 words were heard').length).toBeGreaterThan(2);
});

test('shows each precedent with its case, its similarity and the reason for its label, and that the demo model gave it', () => {
  const { entries } = dataOf('in turn');
  const text = textOf(pageOf(dataOf('in turn')));
  const { precedents = [] } = precedentsOf(entries) ?? {};
  expect(precedents.length).toBeGreaterThan(0);
  for (const { case: id, label, similarity, reason } of precedents) {
    expect(text).toContain(`. case ${id}, ${label}`);
    expect(text).toContain(similarity?.toFixed(2));
    expect(reason?.text ?? '').not.toBe('');
    expect(text).toContain(reason?.text);
  }
  expect(text).toContain('by the cosine of TF-IDF weights');
  expect(text).toContain('Their labels, shown as the right answers, are those of the data set.');
  expect(text).toContain('The demo model made up the reasons: one can argue for another label.');
  const { line, ...rest } = dataOf('in turn');
  const ofMaker = textOf(pageOf({ ...rest, line: { ...line, decided_by: 'the maker', standin: false } }));
  expect(ofMaker).toContain('Their labels, shown as the right answers, are the decisions of the maker.');
  expect(ofMaker).not.toContain('made up the reasons');
  expect(text).toMatch(/Why its label fits, by \S+ \(demo model\)/);
});

test('shows every judge, the rule, and what fresh hearings found', () => {
  const data = dataOf('in turn');
  const text = textOf(pageOf(data));
  expect(text).toMatch(/Judge 1.*Judge 2.*Judge 3/s);
  expect(text).toContain('the label of the last one is the verdict');
  expect(text).toContain('the last of them decided, not the majority.');
  expect(text).toMatch(/fresh hearings/);
  for (const entry of data.entries) if (entry.kind === 'utterance') expect(text).toContain(entry.text);
});

test('marks a judge that changes the label, and one whose label nobody argued for', () => {
  const data = dataOf('in turn');
  const labels = data.kase.labels;
  const judged = changed(data, (entry) =>
    entry.kind === 'belief' && /^judge\d/.test(entry.role)
      ? { ...entry, prediction: labels[entry.role === 'judge2' ? 0 : 1] ?? null }
      : entry,
  );
  const outside: TranscriptEntry = {
    kind: 'measure',
    seq: 10_000,
    key: 'judgement/judge-2/outside',
    role: '',
    name: 'outside-dispute',
    value: 1,
  };
  const text = textOf(pageOf({ ...judged, entries: [...judged.entries, outside] }));
  expect(text.match(/unlike the one before: /g)).toHaveLength(2);
  expect(text.match(/a label that nobody argued for/g)).toHaveLength(1);
  expect(textOf(pageOf(judged))).not.toContain('nobody argued for');
});

test('a precedent without a reason, and erased texts, are described in words', () => {
  const data = changed(dataOf('in turn'), (entry) => {
    if (entry.kind === 'share') return { ...entry, text: null, rejected: 'malformed' };
    if (entry.kind === 'precedents') return { ...entry, precedents: entry.precedents.map((one) => ({ ...one, facts: null })) };
    return entry;
  });
  expect(faultsOf(pageOf(data))).toEqual([]);
  const text = textOf(pageOf(data));
  expect(text).toContain(
    'The answer could not be read, also when it was asked for again. The judges read this precedent without a reason.',
  );
  expect(text).toContain('erased from the record');
});

test('fewer precedents than there could be are listed with the reason', () => {
  const change = { withoutVector: 7, precedents: [] };
  const data = changed(dataOf('in turn'), (entry) => (entry.kind === 'precedents' ? { ...entry, ...change } : entry));
  expect(faultsOf(pageOf(data))).toEqual([]);
  expect(textOf(pageOf(data))).toMatch(/7 training cases of these labels have no vector.*So there are no precedents/);
});

test('a vote has its count and calls its confidence a share', () => {
  const text = textOf(pageOf(dataOf('vote')));
  expect(text).toMatch(/\d for \w+.* of 5 asked/);
  expect(text).toContain('Share of the votes');
  expect(text).not.toContain('Stated confidence');
});

test('beliefs of a bench are no course of one mind: no curve, nothing that moved the judge, each after its own opinion', () => {
  const page = pageOf(dataOf('in turn'));
  const text = textOf(page);
  expect(text.match(/Judge ([123]), opinionJudge \1, then/g)).toHaveLength(3);
  expect(text).toMatch(/Before anyone spokeClerk/);
  expect(text).not.toMatch(/Before anyone spokeJudge/);
  expect(page).not.toContain('id="movers"');
  expect(page).not.toContain('id="curve-title"');
  expect(text).toMatch(/Judge 3, ruling/);
  expect(text).not.toContain('the judge3');
});

test('an argument and a vote that were lost are described in words', () => {
  const lost = changed(dataOf('in turn'), (entry) => {
    if (entry.kind === 'utterance' && entry.role === 'attorney') {
      const { seq, key, role } = entry;
      return { kind: 'forfeit', seq, key, role, failure: 'timeout' };
    }
    if (entry.kind === 'belief' && entry.role === 'judge2') {
      const { seq, key, role } = entry;
      return { kind: 'forfeit', seq, key, role, failure: 'malformed' };
    }
    return entry;
  });
  expect(faultsOf(pageOf(lost))).toEqual([]);
  const text = textOf(pageOf(lost));
  expect(text).toContain('The model did not answer in time. The judges read that no argument was made.');
  expect(text).toContain('also when it was asked for again. The bench continued without this vote.');
});
