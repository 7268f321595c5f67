import { ZodError } from 'zod';
import { playersIn } from '../../../core/protocols/cast.ts';
import { findProtocol, type RegisteredProtocol } from '../../../core/protocols/index.ts';
import { type Check, note } from '../../../shared/checks.ts';
import type { Case } from '../../../shared/domain.ts';
import type { DryRun } from './dryRun.ts';
import type { PreparedArm } from './preparedArm.ts';

/** The vote with which an arm is compared at equal compute. */
export interface MatchedVote {
  readonly voters: number;
  readonly check: Check;
}

const tokensOf = ({ promptTokens, completionTokens }: DryRun) => promptTokens + completionTokens;

/** Voters whose tokens come nearest to those of an arm's trial; one at least. */
export function votersFor(tokensOfTrial: number, tokensOfVoter: number): number {
  return Math.max(1, Math.round(tokensOfTrial / tokensOfVoter));
}

function takes(vote: RegisteredProtocol, voters: number): boolean {
  try {
    vote.bind({ voters });
    return true;
  } catch (error) {
    if (error instanceof ZodError) return false;
    throw error;
  }
}

/**
 * How many independent voters would take as many tokens as one trial of an arm that makes several calls: with as much
 * computing spent on asking again, is deliberating still better? Null for arms of one call, for votes themselves, and where
 * this program has no `vote` protocol that tries such cases.
 * @param runDry plays one trial of an arm through without a model
 */
export async function matchedVote(
  arm: PreparedArm,
  kase: Case,
  dryRun: DryRun,
  runDry: (arm: PreparedArm) => Promise<DryRun>,
  vote: RegisteredProtocol | undefined = findProtocol('vote'),
): Promise<MatchedVote | null> {
  const [member] = Object.values(playersIn(arm.definition.cast, arm.bound.roles, { precedents: null, assistant: null }));
  if (vote === undefined || member === undefined || arm.protocol.id === vote.id) return null;
  if (arm.bound.plannedCalls(kase).max < 2) return null;
  const bound = vote.bind({});
  if (bound.refusal(kase) !== null) return null;
  const trial = await runDry({
    definition: { ...arm.definition, protocol: vote.id, params: {}, belief: 'verbal', prompts: undefined, cast: { '*': member } },
    protocol: vote,
    bound,
    swap: null,
    variant: null,
  });
  const voters = votersFor(tokensOf(dryRun), tokensOf(trial) / trial.calls.length);
  const cost = `arm ${JSON.stringify(arm.definition.name)}: one trial takes about as many tokens as ${voters} independent voters, by the length of prompts and answers in a dry run of one case`;
  const adding = 'to compare at equal compute, add an arm';
  const advice = takes(vote, voters)
    ? {
        command: `${adding} with "protocol": "${vote.id}" and "params": {"voters": ${voters}}`,
        screen: `${adding} of ${vote.title} with ${voters} voters`,
      }
    : `protocol ${vote.id} does not take that number of voters`;
  return { voters, check: note(cost, advice) };
}
