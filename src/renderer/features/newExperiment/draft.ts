import { z } from 'zod';
import { armNameFrom, type MatrixArm } from '../../../core/matrix/matrix.ts';
import { findProtocol } from '../../../core/protocols/index.ts';
import { backendChoiceSchema, ollamaBackend } from '../../../shared/api/engine.ts';
import { type Draft, type DraftInput, draftSchema, mostDraftArms } from '../../../shared/api/experiments.ts';
import { splitNameSchema } from '../../../shared/domain.ts';
import {
  type ArmDefinition,
  armSchema,
  type castMemberSchema,
  experimentSchema,
  modelOptionsSchema,
  runtimeSchema,
  sampleSchema,
} from '../../../shared/experiment.ts';
import { type Swap, swapSchema } from '../../../shared/swaps.ts';
import { type Found, foundAt, modelsAt, type Preferred } from '../protocols/backends.ts';
import { counterbalanceChoices } from '../protocols/counterbalanceChoices.ts';
import { changedText } from '../protocols/words.ts';
import { primaryFormSchema, primaryInput } from './primaryForm.ts';

export const armFormSchema = z.strictObject({
  /** Identifies arms while their names are being written. */
  key: z.string(),
  /** Empty: named after protocol and model. */
  name: z.string().default(''),
  protocol: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
  /** The model of every role without its own model; null follows what is found. */
  model: z.string().nullable().default(null),
  /** Models of single roles; empty: as the others. */
  roles: z.record(z.string(), z.string()).default({}),
  options: modelOptionsSchema.prefault({}),
  /** Name of the server of every role without its own server; null follows what is found. */
  server: z.string().nullable().default(null),
  /** Servers of single roles. */
  roleServers: z.record(z.string(), z.string()).default({}),
  /** What is exchanged in further arms. */
  counterbalance: z.array(swapSchema).default([]),
  /** Name of the variant of the prompts; empty: the shipped words. */
  prompts: z.string().default(''),
  /** The arm as it is on the record, where its experiment is to grow: it stays so. */
  recorded: armSchema.optional(),
});
export type ArmForm = z.infer<typeof armFormSchema>;

/** What is on the record of an experiment that is to grow: it stays, or cannot become less. */
const extendedSchema = experimentSchema
  .pick({ replicates: true, reading: true, primary: true, stop: true })
  .extend({ sample: sampleSchema });

export const draftFormSchema = z.strictObject({
  name: z.string(),
  from: z.union([splitNameSchema, z.literal('all')]),
  /** Null: all of them. */
  n: z.number().nullable(),
  /** Cases with the same facts are taken only once; absent: as often as they are there. */
  distinct: z.boolean().optional(),
  /** The column whose values a drawn sample has in proportion; absent: it is drawn without. */
  by: z.string().optional(),
  seed: z.number().nullable(),
  replicates: z.number().nullable(),
  backend: backendChoiceSchema.nullable(),
  runtime: runtimeSchema,
  arms: z.array(armFormSchema),
  /** Absent: nothing is decided beforehand. */
  primary: primaryFormSchema.optional(),
  /** The experiment with results that the form is a copy of, and which cases it tried; absent: there is none. */
  triedIn: z.strictObject({ name: z.string(), from: z.string(), seed: z.number().nullable() }).optional(),
  /** The experiment of this name is to grow; absent: it is a new one. */
  extend: extendedSchema.optional(),
});
export type DraftForm = z.infer<typeof draftFormSchema>;

/** The experiment whose results for the same cases can be known; null: there is none. */
export const alreadyTried = ({ triedIn, from, seed }: DraftForm): string | null =>
  triedIn !== undefined && triedIn.from === from && triedIn.seed === seed ? triedIn.name : null;

/** Where the form of a data set is kept until the experiment starts; apart from it, that of an experiment that is to grow. */
export const draftKey = (entry: string, extend: boolean): string => `draft/${entry}${extend ? '/extend' : ''}`;

export const newArm = (key: string, protocol: string): ArmForm => armFormSchema.parse({ key, protocol });

export const unrecorded = ({ recorded: _recorded, ...arm }: ArmForm): ArmForm => arm;

/** Settings of an arm on the record that the form has no field for. */
export const unshownIn = ({ belief, mask, change, cast }: ArmDefinition): string[] => [
  ...(belief === 'verbal' ? [] : ['source of beliefs']),
  ...(mask === undefined ? [] : ['masked names']),
  ...(change === undefined ? [] : ['declared change']),
  ...(new Set(Object.values(cast).map(({ options }) => JSON.stringify(options))).size > 1 ? ['sampling of single roles'] : []),
];

/** Whether the form shows all of an arm, so that a copy of it is the same. */
export const canCopy = ({ recorded }: ArmForm): boolean => recorded === undefined || unshownIn(recorded).length === 0;

/** The arms with a copy at the end, which takes its own name, so that the two can be distinguished. */
export const withCopy = (arms: readonly ArmForm[], key: string, as: string): ArmForm[] => [
  ...arms,
  ...arms.filter((arm) => arm.key === key).map((arm) => ({ ...unrecorded(arm), key: as, name: '' })),
];

const modelOf = (arm: ArmForm, preferred: Pick<Preferred, 'model'>) => (arm.model ?? preferred.model).trim();

/** The server that a role asks, or all roles without their own server. */
export const serverOf = (arm: ArmForm, preferred: Pick<Preferred, 'server'>, role?: string): string =>
  (role === undefined ? undefined : arm.roleServers[role]) ?? arm.server ?? preferred.server;

export function serversOf(arms: readonly ArmForm[], preferred: Pick<Preferred, 'server'>): string[] {
  const named = arms.flatMap((arm) => {
    const roles = findProtocol(arm.protocol)?.roles ?? [];
    return [undefined, ...roles].map((role) => serverOf(arm, preferred, role));
  });
  return [...new Set(named)];
}

/** Parameters beyond which a name counts those that were changed. */
const mostNamed = 2;

/** The names of the arms: as written, else by what they are. Many changed parameters are counted where no two arms would then be called the same. */
export function armNames(arms: readonly ArmForm[], preferred: Pick<Preferred, 'model'>): string[] {
  const taken = new Set(arms.map(({ name }) => name.trim()).filter((name) => name !== ''));
  const named = arms.map((arm) => {
    const changed = changedText(arm.protocol, arm.params);
    const of = (words: string) => armNameFrom(arm.protocol, modelOf(arm, preferred), arm.prompts, [words]).slice(0, 180);
    const full = of(changed.join(', '));
    return { full, short: changed.length > mostNamed ? of(`${changed.length} parameters changed`) : full };
  });
  return arms.map((arm, index) => {
    const written = arm.name.trim();
    if (written !== '') return written;
    const { full = '', short = '' } = named[index] ?? {};
    const made = named.some((other) => other.short === short && other.full !== full) ? full : short;
    let name = made;
    for (let number = 2; taken.has(name); number += 1) name = `${made} (${number})`;
    taken.add(name);
    return name;
  });
}

/** How an arm is asked, apart from its model. */
export const wayText = ({ protocol, params, prompts = '' }: Pick<ArmDefinition, 'protocol' | 'params' | 'prompts'>): string =>
  armNameFrom(protocol, '', prompts, [changedText(protocol, params).join(', ')]);

function castOf(
  arm: ArmForm,
  preferred: Pick<Preferred, 'model' | 'server'>,
  backend: Preferred['backend'],
): Record<string, z.input<typeof castMemberSchema>> {
  const model = modelOf(arm, preferred);
  const member = (asked: string, role?: string) => ({
    model: asked,
    // The demo model is the only one that is asked, where it is.
    backend: backend === 'standin' ? ollamaBackend : serverOf(arm, preferred, role),
    options: arm.options,
  });
  const own = (role: string) => (arm.roles[role] ?? '').trim();
  const protocol = findProtocol(arm.protocol);
  const roles = (protocol?.roles ?? []).filter((role) => own(role) !== '' || role in arm.roleServers);
  // An optional role is played only by a model named for it.
  const optional = (protocol?.optionalRoles ?? []).filter((role) => own(role) !== '');
  return {
    '*': member(model),
    ...Object.fromEntries([...roles, ...optional].map((role) => [role, member(own(role) || model, role)])),
  };
}

/** What is exchanged, of what the arm's protocol and parameters know; what was chosen for others is kept and waits. */
export const swapsOf = ({ protocol, params, counterbalance }: ArmForm): Swap[] =>
  counterbalanceChoices(protocol, params).flatMap(({ swap }) => (counterbalance.includes(swap) ? [swap] : []));

/** Open questions have no verdict that could change with what is exchanged. */
export const isOpen = ({ labels }: { readonly labels: readonly string[] }): boolean => labels.length === 0;

/** The form as it holds for these cases: nothing is exchanged in trials of open questions, also where a kept form says so. */
export const formFor = (form: DraftForm, cases: { readonly labels: readonly string[] }): DraftForm =>
  isOpen(cases) ? { ...form, arms: form.arms.map((arm) => ({ ...arm, counterbalance: [] })) } : form;

/** Absent where nothing is exchanged: the arm is then what it always was. */
function counterbalanceOf(arm: ArmForm): { counterbalance?: Swap[] } {
  const chosen = swapsOf(arm);
  return chosen.length === 0 ? {} : { counterbalance: chosen };
}

function sampleOf({ from, n, distinct, by, extend }: DraftForm): DraftInput['sample'] {
  const { n: _before, ...sample } = extend?.sample ?? {};
  const drawn = n === null ? {} : { n, ...(by === undefined ? {} : { by }) };
  return { ...sample, from, ...drawn, ...(distinct === true ? { distinct } : {}) };
}

/** What is decided before the run: of an experiment that grows, what its record says. */
function decidedIn(
  { arms, extend, primary }: DraftForm,
  names: readonly string[],
): Pick<DraftInput, 'extend' | 'reading' | 'primary' | 'stop'> {
  if (extend === undefined) return primaryInput(primary, (key) => names[arms.findIndex((arm) => arm.key === key)]);
  return { extend: true, reading: extend.reading, primary: extend.primary, stop: extend.stop };
}

export function draftInput(form: DraftForm, entry: string, preferred: Omit<Preferred, 'why' | 'away'>): DraftInput {
  const names = armNames(form.arms, preferred);
  const backend = form.backend ?? preferred.backend;
  return {
    ...(form.name.trim() === '' ? {} : { name: form.name.trim() }),
    entry,
    sample: sampleOf(form),
    ...(form.seed === null ? {} : { seed: form.seed }),
    ...(form.replicates === null ? {} : { replicates: form.replicates }),
    runtime: form.runtime,
    backend,
    arms: form.arms.map(
      (arm, index) =>
        arm.recorded ?? {
          name: names[index] ?? '',
          protocol: arm.protocol,
          params: arm.params,
          cast: castOf(arm, preferred, backend),
          ...(arm.prompts === '' ? {} : { prompts: arm.prompts }),
          ...counterbalanceOf(arm),
        },
    ),
    ...decidedIn(form, names),
  };
}

export interface DraftFault {
  readonly path: string;
  readonly message: string;
}

export function checkDraft(
  input: DraftInput,
): { draft: Draft; faults: readonly DraftFault[] } | { draft: null; faults: readonly DraftFault[] } {
  const repeated = input.arms.findIndex(({ name }, index) => input.arms.findIndex((other) => other.name === name) < index);
  if (repeated >= 0) {
    return {
      draft: null,
      faults: [{ path: `arms.${repeated}.name`, message: 'Another arm has this name; each needs its own.' }],
    };
  }
  const parsed = draftSchema.safeParse(input);
  if (parsed.success) return { draft: parsed.data, faults: [] };
  const faults = parsed.error.issues.map(({ path, message }) => ({
    path: path.join('.'),
    message: sentence(path.join('.'), message, input.arms.length),
  }));
  return { draft: null, faults };
}

export const tooManyArms = (arms: number): string =>
  `These are ${arms} arms. Screens make experiments of up to ${mostDraftArms}; leave some out, or write an experiment file.`;

function sentence(path: string, message: string, arms: number): string {
  if (path.endsWith('.model')) return 'Name a model.';
  if (path.startsWith('primary.compare.')) return 'This arm is not among the arms any more; choose another one.';
  if (path === 'arms') return arms === 0 ? 'An experiment needs at least one arm.' : tooManyArms(arms);
  return message;
}

/** Key path of a failure as this form has it: `dataset.sample.n` -> `sample.n`, `arms[0]` -> `arms.0`. */
export function draftPath(field: string | null): string | null {
  return field === null ? null : field.replace(/^dataset\./, '').replace(/\[(\d+)\]/g, '.$1');
}

/** What is wrong at a place, or below it where one field shows it all. */
export function faultAt(faults: readonly DraftFault[], place: string, below = false): string | null {
  return faults.find(({ path }) => path === place || (below && path.startsWith(`${place}.`)))?.message ?? null;
}

function triedPart(arm: ArmForm): string {
  const { key: _key, name: _name, ...tried } = canCopy(arm) ? unrecorded(arm) : arm;
  return JSON.stringify(tried);
}

const askedPart = (arm: ArmForm, preferred: Pick<Preferred, 'model' | 'server'>) =>
  triedPart({ ...arm, model: modelOf(arm, preferred), server: serverOf(arm, preferred) });

/** The form without unchanged copies at its end: they show nothing of their own, and are neither counted nor tried. */
export function withoutCopies(form: DraftForm, preferred: Pick<Preferred, 'model' | 'server'>): DraftForm {
  const asked = form.arms.map((arm) => askedPart(arm, preferred));
  const last = form.arms.findLastIndex((arm, at) => arm.name.trim() !== '' || !asked.slice(0, at).includes(asked[at] ?? ''));
  return { ...form, arms: form.arms.slice(0, last + 1) };
}

export const isUntouched = (arm: ArmForm, protocol: string): boolean =>
  arm.name.trim() === '' && triedPart(arm) === triedPart(newArm('', protocol));

/** Forms of the arms of a matrix that are not among `arms` yet. @param makeKey identifies arms */
export function matrixForms(
  made: readonly Pick<MatrixArm, 'protocol' | 'model' | 'params' | 'prompts'>[],
  arms: readonly ArmForm[],
  preferred: Pick<Preferred, 'model' | 'server'>,
  makeKey: () => string,
): ArmForm[] {
  const known = new Set(arms.map((arm) => askedPart(arm, preferred)));
  return made
    .map(({ protocol, model, params, prompts = '' }) => ({ ...newArm(makeKey(), protocol), model, params, prompts }))
    .filter((arm) => !known.has(askedPart(arm, preferred)));
}

/** Length of what two prompts begin with alike, counted in characters over all their messages. */
export function sharedPrefix(
  before: readonly { role: string; content: string }[],
  now: readonly { role: string; content: string }[],
): number[] {
  let whole = true;
  return now.map(({ role, content }, index) => {
    const other = before[index];
    if (!whole || other === undefined || other.role !== role) {
      whole = false;
      return 0;
    }
    let length = 0;
    while (length < content.length && content[length] === other.content[length]) length += 1;
    whole = length === content.length && content.length === other.content.length;
    return length;
  });
}

export interface Missing {
  /** Commands that fetch what an Ollama server lacks, one a line; null where none does. */
  readonly pull: string | null;
  /** What other servers lack, in words. */
  readonly elsewhere: readonly string[];
}

/** How to get the models that a plan found missing, at the servers that the draft asks for them. */
export function missingAt({ arms, backend }: Pick<Draft, 'arms' | 'backend'>, missing: readonly string[], found: Found): Missing {
  const asked = new Map<string, { server: string; model: string }>();
  for (const { model, backend: server } of arms.flatMap(({ cast }) => Object.values(cast))) {
    if (missing.includes(model)) asked.set(JSON.stringify([server, model]), { server, model });
  }
  const pulls = new Set<string>();
  const elsewhere: string[] = [];
  for (const { server, model } of asked.values()) {
    const report = foundAt(found, server);
    const has = modelsAt(found, backend, server);
    const isOllama = server === ollamaBackend || (report !== undefined && 'kind' in report && report.kind === 'ollama');
    if (has.includes(model) || (isOllama && has.includes(`${model}:latest`))) continue;
    if (isOllama) pulls.add(`ollama pull ${model}`);
    else {
      const offers = has.length === 0 ? '' : ` It has ${has.slice(0, 5).join(', ')}.`;
      elsewhere.push(`The server ${server} does not list ${model}.${offers}`);
    }
  }
  return { pull: pulls.size === 0 ? null : [...pulls].join('\n'), elsewhere };
}
