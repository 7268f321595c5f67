// Tells a Courtroom-LLM trial from its events.
import { leadingLabels } from '../../figures/beliefChanges.ts';
import { benchOf } from '../../figures/bench.ts';
import { ambiguityText, assignmentText, type Dispute, disputeOf, type Pleading } from '../../figures/dispute.ts';
import { percent } from '../../figures/shares.ts';
import { sideOf, speakerName } from '../../figures/speakers.ts';
import {
  type Block,
  type Card,
  joined,
  labelName,
  type Section,
  type Span,
  type Telling,
  type ToldTrial,
  words,
} from '../../telling/blocks.ts';
import { awaited, benchBlock, precedentsSection, spokenBlocks, thoughtFold, verdictSection } from '../../telling/sections.ts';

interface Params {
  readonly judges: number;
  readonly deliberation: 'sequential' | 'parallel';
}

function sidesBlocks({ assigned, pleadings }: Dispute): Block[] {
  if (assigned === null) return [];
  const rows = [
    {
      name: 'A1',
      what: 'the clerk’s answer',
      label: assigned.prediction,
      role: pleadings.find(({ first }) => first)?.role ?? '',
    },
    { name: 'A2', what: 'alternative', label: assigned.alternative, role: pleadings.find(({ first }) => !first)?.role ?? '' },
  ];
  return [
    {
      kind: 'pairs',
      rows: rows.map(({ name, what, label, role }) => ({
        side: sideOf(role),
        name: [`${name} `, { quiet: what }],
        words: [{ strong: { name: label } }, ' ', `argued by the ${speakerName(role).toLowerCase()}`],
      })),
    },
    words(assignmentText(assigned), 'quiet'),
  ];
}

function ambiguityBlocks({ ambiguity }: Dispute, { entries }: ToldTrial): Block[] {
  if (ambiguity === null) return [];
  const counts = Map.groupBy(
    ambiguity.labels.filter((label) => label !== null),
    (label) => label,
  );
  const found = [...counts].map(([label, same]) => [{ name: label }, ` ${same.length}×`]);
  const calls = entries.flatMap((entry) =>
    entry.kind === 'share' && entry.key.startsWith(`${ambiguity.key}/`)
      ? [{ callsOf: entry.seq, what: `fresh hearing ${entry.key.replace(/^.*-/, '')}` }]
      : [],
  );
  return [
    words([
      ...(ambiguity.ambiguous === true ? [{ pill: 'ambiguous case', tone: 'warn' } as const, ' '] : []),
      `${ambiguityText(ambiguity)} `,
      ...joined(found, ', '),
      ' ',
      ...calls,
    ]),
  ];
}

/** What the clerk finds most likely, or between which labels it is undecided. */
function foundSpans({ prediction, confidence, belief }: NonNullable<Dispute['hearing']>): Span[] {
  const sure = confidence === null ? '' : `, ${percent(confidence)} sure`;
  const equal = belief === null || typeof prediction !== 'string' ? [] : leadingLabels(belief);
  if (belief === null || equal.length < 2)
    return ['The clerk finds ', labelName(prediction), ` most likely${sure}, from the facts alone.`];
  const names = joined(
    equal.map((label) => [{ name: label }]),
    ', ',
  );
  const each = percent(belief[equal[0] ?? ''] ?? 0);
  return [
    'From the facts alone the clerk finds these equally likely, ',
    each,
    ' each: ',
    ...names,
    '. It names ',
    labelName(prediction),
    '.',
  ];
}

function hearingSection(dispute: Dispute, trial: ToldTrial): Section {
  const { hearing } = dispute;
  const section = { id: 'hearing', title: 'Preliminary hearing' };
  if (hearing === null) {
    const lost = words('The clerk gave no valid answer, so there was nothing to try.');
    return { ...section, blocks: [trial.line.status === 'running' ? awaited(trial, 'hearing/clerk', []) : lost] };
  }
  return {
    ...section,
    aside: { callsOf: hearing.seq, what: 'the preliminary hearing' },
    blocks: [
      words(foundSpans(hearing)),
      ...sidesBlocks(dispute),
      ...ambiguityBlocks(dispute, trial),
      thoughtFold('clerk', 'Belief of the clerk', hearing),
    ],
  };
}

function argument(pleading: Pleading, place: number, trial: ToldTrial): Card {
  const { role, label, speech: said, forfeit } = pleading;
  const name = speakerName(role);
  const entry = said ?? forfeit;
  const title = [`${name}, for `, { name: label }] as const;
  return {
    name,
    title: entry === null ? title : [...title, { callsOf: entry.seq, what: `the argument of the ${name.toLowerCase()}` }],
    side: sideOf(role),
    lost: forfeit !== null,
    blocks: [
      words(`Read ${place === 0 ? 'first' : 'second'} by the judges`, 'quiet'),
      ...spokenBlocks(pleading, 'The judges read that no argument was made.', awaited(trial, `argument/${role}`, ['argument'])),
    ],
  };
}

function argumentsSection({ pleadings }: Dispute, trial: ToldTrial): Section[] {
  if (pleadings.length === 0) return [];
  const cards = pleadings.map((pleading, place) => argument(pleading, place, trial));
  const aside = 'neither side knew what the other would say';
  return [{ id: 'arguments', title: 'Arguments', aside, blocks: [{ kind: 'cards', as: 'pair', cards }] }];
}

function benchSection({ assigned, pleadings }: Dispute, trial: ToldTrial, { judges, deliberation }: Params): Section[] {
  if (assigned === null) return [];
  const inTurn = deliberation === 'sequential' && judges > 1;
  const bench = benchBlock(trial, benchOf(trial.entries), {
    roles: Array.from({ length: judges }, (_none, index) => `judge${index + 1}`),
    stepOf: (role) => role.replace('judge', 'judgement/judge-'),
    inTurn,
    advocates: new Map(pleadings.map(({ role, label }) => [label, role])),
  });
  const aside =
    judges === 1 ? 'one judge' : inTurn ? 'in turn, each knowing those before' : 'each alone, none knowing the others';
  return [{ id: 'bench', title: 'The bench', aside, blocks: [bench] }];
}

/** A trial of Courtroom-LLM: hearing, both arguments, precedents, the bench, the verdict. */
export const courtroomTelling: Telling<Params> = {
  title: 'Hearing',
  tell: (trial, params) => {
    const dispute = disputeOf(trial.entries);
    return [
      hearingSection(dispute, trial),
      ...argumentsSection(dispute, trial),
      ...precedentsSection(trial, 'Precedents'),
      ...benchSection(dispute, trial, params),
      verdictSection(trial),
    ];
  },
};
