import { expect, test } from 'vitest';
import type { TryReport } from '../shared/outputs.ts';
import { transcriptText } from './transcript.ts';

const plain = { turn: null, text: null, private: null, prediction: null, confidence: null };

const report: TryReport = {
  experiment: 'letters',
  trial: '0123456789abcdef',
  store: 'store.db',
  outcome: 'decided',
  prediction: 'delay',
  confidence: 0.7,
  incomplete: false,
  standin: false,
  calls: 1,
  head_hash: null,
  transcript: [
    { ...plain, kind: 'step', role: 'court', turn: 'precedents', text: 'How they were found.\nPrecedent 1: delay' },
    { ...plain, kind: 'utterance', role: 'agentA', turn: 'opening', subtopic: '1. Costs', text: 'It costs little.' },
    { ...plain, kind: 'ruling', role: 'judge1', text: 'It came late.', prediction: 'delay', confidence: 0.7 },
  ],
};

test('a step of the court has a heading and stands in from the margin; a speech says who speaks and about what', () => {
  const text = transcriptText(report, { private: false });
  expect(text).toContain('\nPRECEDENTS\n    How they were found.\n    Precedent 1: delay\n');
  expect(text).toContain('\nAgent A, opening, on 1. Costs\nIt costs little.\n');
  expect(text).toContain('RULING of Judge 1: delay 70%\nIt came late.');
});
