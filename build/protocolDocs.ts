import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { plainRole } from '../src/core/protocols/cast.ts';
import { probes, protocols, type RegisteredProtocol } from '../src/core/protocols/index.ts';
import type { SwapRules } from '../src/core/protocols/swaps.ts';
import { caseOf, examplesOf } from '../src/core/protocols/testing/cases.ts';
import { emptyRecord, runInMemory, termsFor } from '../src/core/protocols/testing/memoryTrial.ts';
import { pairwiseParameters } from '../src/core/protocols/testing/parameterChoices.ts';
import { scriptedEffects } from '../src/core/protocols/testing/scriptedModel.ts';
import type { EventPayload } from '../src/shared/events.ts';
import { swaps } from '../src/shared/swaps.ts';
import { table } from './markdown.ts';
import { root } from './repository.ts';

export const protocolDocsPath = join(root, 'docs', 'protocols.md');

const schemaSchema = z.object({
  properties: z
    .record(
      z.string(),
      z.looseObject({ enum: z.array(z.unknown()).optional(), type: z.string().optional(), default: z.unknown().optional() }),
    )
    .default({}),
});

function parameters({ paramsSchema }: RegisteredProtocol): string {
  const { properties } = schemaSchema.parse(paramsSchema);
  const rows = Object.entries(properties).map(([name, part]) => [
    `\`${name}\``,
    part.enum === undefined ? (part.type ?? '') : part.enum.map((value) => `\`${String(value)}\``).join(', '),
    part.default === undefined
      ? 'none'
      : `\`${typeof part.default === 'object' ? JSON.stringify(part.default) : String(part.default)}\``,
  ]);
  return table(['parameter', 'values', 'default'], rows);
}

function sight({ sees }: RegisteredProtocol): string {
  const mark = (granted: boolean) => (granted ? 'yes' : 'no');
  const rows = Object.entries(sees).map(([role, { utterances, some, ownNotes, examples }]) => [
    role,
    'yes',
    some ?? mark(utterances),
    mark(ownNotes),
    mark(examples),
    'never',
  ]);
  return table(
    [
      'role',
      'rules, question, facts',
      'public utterances',
      'own earlier notes',
      'labelled examples, precedents',
      "another role's private text, the truth",
    ],
    rows,
  );
}

/** Whether a belief is stated with what its role has just said aloud, or kept to itself. */
const isSpoken = ({ role, after }: EventPayload<'belief-update'>) => after?.endsWith(`/${role}/utterance`) === true;

/** The calls of a dry run with default parameters, as a diagram. */
async function diagram(protocol: RegisteredProtocol): Promise<string> {
  const bound = protocol.bind({});
  // Of a protocol for open questions too: a case with labels may end before anything of note.
  const kase = protocol.accepts.open ? caseOf('open', 0) : caseOf('tabular', 2);
  const record = emptyRecord();
  const effects = scriptedEffects();
  await runInMemory(record, bound, termsFor(protocol, examplesOf(bound.shots, kase.labels), 0), kase, effects);
  const speakers = record.events.flatMap(({ payload }) => ('role' in payload ? [payload.role] : []));
  const retriever = record.events.some(({ kind }) => kind === 'precedent-retrieve') ? ['retriever'] : [];
  const numbered = protocol.roles.flatMap((role) => [...new Set(speakers)].filter((each) => plainRole(each) === role));
  const participants = [...numbered, ...retriever];
  const steps = record.events.flatMap((event) => {
    switch (event.kind) {
      case 'call-answer':
        return [`  Court->>${event.payload.role}: ${event.payload.key.replace(/\/attempt-\d+$/, '')}`];
      case 'utterance-make':
        return [`  ${event.payload.role}-->>Court: ${event.payload.turn} (public)`];
      case 'belief-update':
        return [`  ${event.payload.role}-->>Court: belief (${isSpoken(event.payload) ? 'public' : 'private'})`];
      case 'side-assign': {
        const who = event.payload.order.map((role) => `${role} argues for ${event.payload.sides[role] ?? ''}`);
        return [`  Note over Court: ${who.join(', ')}`];
      }
      case 'precedent-retrieve':
        return [
          `  Court->>retriever: ${event.payload.key}`,
          `  retriever-->>Court: ${event.payload.precedents.length} training cases`,
        ];
      case 'answer-share':
        return [`  Court->>${event.payload.role}: ${event.payload.key} (asked once per experiment)`];
      case 'ruling-give':
        return [`  ${event.payload.role}-->>Court: ruling`];
      default:
        return [];
    }
  });
  return [
    '```mermaid',
    'sequenceDiagram',
    '  participant Court',
    ...participants.map((role) => `  participant ${role}`),
    ...steps,
    '```',
  ].join('\n');
}

/** The swaps that some choice of parameters allows. */
function exchanges({ bind, paramsSchema }: RegisteredProtocol): string[] {
  const rules: SwapRules = Object.assign({}, ...pairwiseParameters(paramsSchema).map((params) => bind(params).swaps));
  const rows = swaps.flatMap((swap) => (rules[swap] === undefined ? [] : [[`\`${swap}\``, rules[swap].does]]));
  return rows.length === 0 ? [] : ['### What `counterbalance` can exchange', table(['swap', 'what it does'], rows)];
}

async function section(protocol: RegisteredProtocol): Promise<string> {
  const { accepts } = protocol;
  const [fewest, most] = accepts.labels;
  const optional =
    protocol.optionalRoles === undefined
      ? []
      : [`Optional roles, which \`*\` does not cover: ${protocol.optionalRoles.map((role) => `\`${role}\``).join(', ')}.`];
  return [
    `## ${protocol.title}: \`${protocol.id}\``,
    `Version ${protocol.version}. Source: *${protocol.paper}*.`,
    `Tries cases of kind ${accepts.kinds.join(', ')} with ${fewest === most ? fewest : `${fewest} to ${most}`} labels${accepts.multiLabel ? ', several labels per case too' : ''}${accepts.open ? ', open questions too' : ''}; all others are refused before the run.`,
    '### Parameters',
    parameters(protocol),
    ...optional,
    '### Course of a trial',
    await diagram(protocol),
    '### Who sees what',
    sight(protocol),
    ...exchanges(protocol),
    '### How we read the paper',
    table(
      ['subject', 'the paper says', 'what is missing or contradictory', 'what Assize does'],
      protocol.contract.map(({ subject, paper, gap, decision }) => [subject, paper, gap ?? '', decision]),
    ),
  ].join('\n\n');
}

/** The page on protocols, made from the registry, so that page and code always agree. */
export async function protocolDocs(): Promise<string> {
  const sections = await Promise.all([...protocols, ...probes].map(section));
  return `${['# Protocols', '`npm run docs` makes this page from the registry in `src/core/protocols/`. Each protocol has its prompts in its folder `prompts/`. [experiment-file.md](experiment-file.md#arms) explains the parameters.', ...sections].join('\n\n')}\n`;
}

if (import.meta.main) writeFileSync(protocolDocsPath, await protocolDocs());
