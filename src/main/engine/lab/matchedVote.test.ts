import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { caseOnTrial } from '../../../core/cases/caseOnTrial.ts';
import { findProtocol, type RegisteredProtocol } from '../../../core/protocols/index.ts';
import { sentenceOf } from '../../../shared/checks.ts';
import { readDataset } from '../datasets/dataset.ts';
import { matchedVote, votersFor } from './dryRun.ts';
import { readExperiment } from './experimentFile.ts';
import { definitionOf } from './freeze.ts';
import { dryRunArm, planExperiment } from './plan.ts';
import type { PreparedArm } from './preparedArm.ts';

const prepared = readExperiment(resolve(import.meta.dirname, '../../../../resources/experiments/nlsy97-demo.json'));
const data = await readDataset(prepared.dataPath, prepared.experiment.dataset, { seed: prepared.experiment.seed });
const [first] = data.cases;
if (first === undefined) throw new Error('the sample experiment has cases');
const kase = caseOnTrial(definitionOf(prepared, data).dataset, first);
const runDry = (arm: PreparedArm) => dryRunArm(prepared, data, arm);
const [single, court] = prepared.arms;
if (single === undefined || court === undefined) throw new Error('the sample experiment has two arms');

const standard = findProtocol('standard');
if (standard === undefined) throw new Error('there is a standard protocol');

/** A vote whose trial is one call of the standard protocol, and which takes up to so many voters. */
const voteUpTo = (most: number): RegisteredProtocol => ({
  ...standard,
  id: 'vote',
  bind(params) {
    z.object({ voters: z.int().max(most).default(5) }).parse(params);
    return standard.bind({ style: 'system1' });
  },
});

const tokens = ({ promptTokens, completionTokens }: { promptTokens: number; completionTokens: number }) =>
  promptTokens + completionTokens;

test('the number of voters is the nearest to equal tokens, and one at least', () => {
  expect([votersFor(1000, 100), votersFor(1049, 100), votersFor(1051, 100), votersFor(30, 100)]).toEqual([10, 10, 11, 1]);
});

test('an arm of many calls is matched with a vote by its tokens', async () => {
  const hearing = await runDry(court);
  const vote = await matchedVote(court, kase, hearing, runDry, voteUpTo(1000));
  const call = await runDry({ ...single, bound: standard.bind({ style: 'system1' }) });
  expect(vote?.voters).toBe(votersFor(tokens(hearing), tokens(call)));
  expect(vote?.voters).toBeGreaterThan(5);
  expect(vote && sentenceOf(vote.check)).toBe(
    `arm "court": one trial takes about as many tokens as ${vote?.voters} independent voters, by the length of prompts and answers in a dry run of one case; ` +
      `to compare at equal compute, add an arm with "protocol": "vote" and "params": {"voters": ${vote?.voters}}`,
  );
});

test('an embedding model is never a voter', async () => {
  const cast = {
    retriever: { model: 'vectors', backend: 'default', options: {} },
    judge: { model: 'talks', backend: 'default', options: {} },
    '*': { model: 'talks', backend: 'default', options: {} },
  };
  const voters: string[] = [];
  const looking = { ...court, definition: { ...court.definition, cast } };
  await matchedVote(
    looking,
    kase,
    await runDry(court),
    (arm) => {
      voters.push(...Object.values(arm.definition.cast).map(({ model }) => model));
      return runDry(arm);
    },
    voteUpTo(1000),
  );
  expect(voters).toEqual(['talks']);
});

test('a number of voters that the protocol refuses is not advised', async () => {
  const vote = await matchedVote(court, kase, await runDry(court), runDry, voteUpTo(5));
  expect(vote && sentenceOf(vote.check)).toMatch(/; protocol vote does not take that number of voters$/);
});

test('there is no vote for an arm of one call, for a vote, for and for cases it does not try', async () => {
  const vote = voteUpTo(1000);
  const hearing = await runDry(court);
  expect(await matchedVote(single, kase, await runDry(single), runDry, vote)).toBeNull();
  expect(await matchedVote({ ...court, protocol: vote }, kase, hearing, runDry, vote)).toBeNull();
  expect(await matchedVote(court, { ...kase, kind: 'open', labels: [] }, hearing, runDry, vote)).toBeNull();
});

test('a plan offers a vote just where this program has one', async () => {
  const plan = await planExperiment(prepared, data, { done: new Map(), missingModels: null });
  const [ofSingle, ofCourt] = plan.arms;
  const hasVote = findProtocol('vote') !== undefined;
  expect(ofSingle?.matched_voters).toBeNull();
  expect((ofCourt?.matched_voters ?? null) !== null).toBe(hasVote);
  expect(plan.notes.some((note) => note.includes('independent voters'))).toBe(hasVote);
});
