import { z } from 'zod';
import type { Case, CaseKind } from '../../shared/domain.ts';
import type { BeliefChoice, Cast } from '../../shared/experiment.ts';
import type { JsonSchema } from '../../shared/model.ts';
import type { Swap } from '../../shared/swaps.ts';
import { isRecord } from '../answers/fields.ts';
import { type Templates, templatesOf } from '../prompts/wording.ts';
import type { Telling } from '../telling/blocks.ts';
import type { OwnStep } from '../telling/sections.ts';
import { agenticSim } from './agentic-sim/protocol.ts';
import { completion } from './completion/protocol.ts';
import type { Court } from './court.ts';
import { courtroom } from './courtroom/protocol.ts';
import { debateFeedback } from './debate-feedback/protocol.ts';
import { evince } from './evince/protocol.ts';
import { type AssistantNeed, type PlannedCalls, type PrecedentNeed, type Protocol, refusal } from './protocol.ts';
import { single } from './single/protocol.ts';
import { socrasynth } from './socrasynth/protocol.ts';
import { standard } from './standard/protocol.ts';
import { suggestion } from './suggestion/protocol.ts';
import type { SwapRules } from './swaps.ts';
import { vote } from './vote/protocol.ts';

/** A protocol together with its parameters, ready to try cases. */
export interface BoundProtocol {
  /** With every default filled in. */
  readonly params: unknown;
  /** Parameters that change nothing where the others are as they are. */
  readonly unused: readonly string[];
  /** Roles that come in numbers, with how many there are; absent where none do. */
  readonly seats?: Readonly<Record<string, number>>;
  readonly roles: readonly string[];
  /** The trained assistant that rates statements; null where none does. */
  readonly assistant: AssistantNeed | null;
  /** Labelled training cases that the arm needs. */
  readonly shots: number;
  /** Training cases that each trial looks up; null where it needs none. */
  readonly precedents: PrecedentNeed | null;
  /** Answers of one trial that other trials share, at most: which are not its own calls. */
  sharedCalls(kase: Case): number;
  /** Model calls of one trial, those that sample beliefs included, retries not. */
  plannedCalls(kase: Case, belief?: BeliefChoice): PlannedCalls;
  /** The labels in dispute, of those of the data set. */
  contested(labels: readonly string[]): readonly string[];
  /** In a sentence: what the first answer of a trial is; null where the protocol declares none. */
  readonly firstAnswer: string | null;
  /** Role -> the label that it argues for; a role that is not in it argues for none, or for one that the trial settles. */
  claims(kase: Case, swap?: Swap | null): Readonly<Record<string, string>>;
  readonly swaps: SwapRules;
  /** Why such cases cannot be tried, or null. */
  refusal(cases: { kind: CaseKind; labels: readonly string[]; multiLabel: boolean }): string | null;
  run(court: Court, kase: Case): Promise<void>;
}

export type ProtocolFacts = Pick<
  Protocol<never>,
  'id' | 'version' | 'title' | 'paper' | 'roles' | 'optionalRoles' | 'contract' | 'accepts' | 'prompts' | 'sees' | 'steps'
>;

export interface RegisteredProtocol extends ProtocolFacts {
  readonly templates: Templates;
  /** Its released versions from before this one. */
  readonly earlier: readonly RegisteredProtocol[];
  readonly preset: unknown;
  /** Null if the transcript shows all. */
  readonly telling: Telling<unknown> | null;
  /** JSON Schema of the parameters as an experiment file gives them. */
  readonly paramsSchema: JsonSchema;
  /** Checks parameters and fills in defaults. Throws a `ZodError`. The cast matters where it settles who takes part. */
  bind(params: unknown, cast?: Cast): BoundProtocol;
}

export function register<P>(protocol: Protocol<P>): RegisteredProtocol {
  const earlier = Object.entries(protocol.earlier ?? {});
  return {
    ...registered(protocol, {}),
    earlier: earlier.map(([version, settled]) => ({ ...registered(protocol, settled), version: Number(version) })),
  };
}

/** @param settled what parameters were in this version where its record does not say */
function registered<P>(protocol: Protocol<P>, settled: Partial<P>): RegisteredProtocol {
  const { telling } = protocol;
  // Earlier values may no longer be allowed.
  const before = new Map<string, unknown>(Object.entries(settled));
  const read = (given: unknown): P => {
    if (!isRecord(given)) return protocol.params.parse(given);
    const own = Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== before.get(name)));
    const rest = Object.fromEntries([...before].filter(([name]) => !Object.hasOwn(own, name)));
    return { ...protocol.params.parse(own), ...rest };
  };
  return {
    ...protocol,
    preset: { ...protocol.preset, ...settled },
    earlier: [],
    templates: templatesOf(protocol.prompts),
    telling: telling === undefined ? null : { ...telling, tell: (trial, params) => telling.tell(trial, read(params)) },
    paramsSchema: z.toJSONSchema(protocol.params, { io: 'input' }),
    bind(given, cast = {}) {
      const params = read(given);
      return {
        params,
        unused: protocol.unused?.(params) ?? [],
        ...(protocol.seats === undefined ? {} : { seats: protocol.seats(params) }),
        roles: protocol.players?.(cast) ?? protocol.castRoles?.(params) ?? protocol.roles,
        assistant: protocol.trainedAssistant?.(params) ?? null,
        shots: protocol.shots?.(params) ?? 0,
        precedents: protocol.precedents?.(params) ?? null,
        sharedCalls: (kase) => protocol.sharedCalls?.(kase, params) ?? 0,
        plannedCalls(kase, belief = 'verbal') {
          const calls = protocol.plannedCalls(kase, params, cast);
          const answers = protocol.plannedBeliefs(kase, params);
          const samples = typeof belief === 'string' ? 0 : belief.sampled;
          return { min: calls.min + answers.min * samples, max: calls.max + answers.max * samples };
        },
        contested: (labels) => protocol.contested?.(labels, params) ?? labels,
        firstAnswer: protocol.firstAnswer?.(params) ?? null,
        claims: (kase, swap = null) => protocol.claims?.(kase, params, swap) ?? {},
        swaps: protocol.swaps?.(params) ?? {},
        refusal: (cases) => refusal(protocol, cases, params),
        run: (court, kase) => protocol.run(court, kase, params, cast),
      };
    },
  };
}

/** The newest version of every protocol that an arm can have; a new one is one line. */
export const protocols: readonly RegisteredProtocol[] = [
  register(standard),
  register(agenticSim),
  register(courtroom),
  register(single),
  register(vote),
  register(debateFeedback),
  register(evince),
  register(socrasynth),
];

/** What arms of a file can ask models apart from trying cases: what they remember of the data. */
export const probes: readonly RegisteredProtocol[] = [register(completion)];

/** What the program holds trials of for its own purposes: on the record like any other, and for no arm of a file. */
export const ownProtocols = { suggestion: register(suggestion) } as const;

const everyProtocol = () => [...protocols, ...probes, ...Object.values(ownProtocols)];

/** The newest version where none is asked for; undefined where there is no such protocol or version. */
export function findProtocol(id: string, version?: number): RegisteredProtocol | undefined {
  const newest = everyProtocol().find((protocol) => protocol.id === id);
  if (version === undefined || newest?.version === version) return newest;
  return newest?.earlier.find((protocol) => protocol.version === version);
}

/** How a protocol describes its trials, including those of its earlier versions; null if the transcript shows everything. */
export const tellingOf = (id: string) => findProtocol(id)?.telling ?? null;

/** A kind of step that one protocol alone has; undefined where no protocol has it. */
export const findStep = (name: string): OwnStep | undefined =>
  everyProtocol()
    .flatMap(({ steps = [] }) => steps)
    .find((step) => step.name === name);

/** Whether the paper's preset was chosen: all parameters have its values, and one at least is not the default. */
export function isPaperPreset({ preset, bind }: RegisteredProtocol, params: unknown): boolean {
  const [given, papers, usual] = [params, preset, {}].map((each) => JSON.stringify(bind(each).params));
  return given === papers && papers !== usual;
}
