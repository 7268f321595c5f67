import { z } from 'zod';
import { narrate } from '../../../core/cases/narrative.ts';
import { findProtocol } from '../../../core/protocols/index.ts';
import { backendChoiceSchema, ollamaBackend } from '../../../shared/api/engine.ts';
import { type TryDraft, type TryNeed, tryDraftSchema } from '../../../shared/api/trials.ts';
import type { Case, CaseKind, Fact } from '../../../shared/domain.ts';
import { type CasesOfKind, protocolTitle, refusalOf } from '../protocols/acceptance.ts';
import type { Preferred } from '../protocols/backends.ts';
import { parameterFields } from '../protocols/parameters.ts';

export const tryKey = 'try';

/** What the form holds; backend and model are null until they are chosen, and then follow what is found. */
export const tryFormSchema = z.strictObject({
  facts: z.string().default(''),
  question: z.string().default(''),
  labels: z.array(z.string()).default(['NO', 'YES']),
  /** Of two labels the one that the prosecution argues for; null: the second. */
  positive: z.string().nullable().default(null),
  protocol: z.string().default('agentic-sim'),
  params: z.record(z.string(), z.unknown()).default({}),
  backend: backendChoiceSchema.nullable().default(null),
  model: z.string().nullable().default(null),
  /** Name of the server; null follows what is found. */
  server: z.string().nullable().default(null),
  /** Role -> its own model; empty: that of all roles. Roles of other protocols wait. */
  roles: z.record(z.string(), z.string()).default({}),
  /** Context in tokens; null: as usual. */
  numCtx: z.number().nullable().default(null),
  /** Name of the variant of the prompts; empty: the shipped words. */
  prompts: z.string().default(''),
  /** Of a form made from a trial: what of its court could not be carried over. Null: made from no trial. */
  lost: z.array(z.string()).nullable().default(null),
});
export type TryForm = z.infer<typeof tryFormSchema>;

export const emptyTry: TryForm = tryFormSchema.parse({});

/** Something to begin with: a small dispute in which both sides have something to say. */
export const exampleTry: Pick<TryForm, 'facts' | 'question' | 'labels' | 'positive'> = {
  facts:
    'Ms. Orsel rented a flat for two years and paid a deposit of 1,200. When she moved out, the landlord kept 450 of it: ' +
    '300 for repainting the living room and 150 for a cracked kitchen window.\n\n' +
    'The lease says that the tenant pays for damage beyond ordinary wear. The handover report from the day she moved in says ' +
    '“walls freshly painted; kitchen window: small crack at lower left”. The report from the day she moved out says “walls ' +
    'faded, several nail holes filled by tenant; kitchen window: crack about 30 cm long”.\n\n' +
    'Ms. Orsel says that the crack grew in the frost of the first winter and that she told the landlord by telephone. The ' +
    'landlord does not remember a call. Her neighbour heard her complain about the window in that winter.',
  question: 'Must the landlord pay back the 450 that he kept from the deposit?',
  labels: ['NO', 'YES'],
  positive: null,
};

/** A fact of a table a line: each can be changed or deleted by itself. */
const factsText = ({ kind, facts }: { kind: CaseKind; facts: readonly Fact[] }): string =>
  kind === 'tabular' ? facts.map((fact) => narrate([fact], kind)).join('\n') : narrate(facts, kind);

/** A case of the list of data sets as the form of a single trial. The positive label comes last, where the prosecution finds it. */
export function tryOfCase(
  kase: { kind: CaseKind; facts: readonly Fact[]; question: string | null },
  labels: readonly string[],
  positive: string | null,
): TryForm {
  const others = labels.filter((label) => label !== positive);
  return {
    ...emptyTry,
    facts: factsText(kase),
    question: kase.question ?? '',
    labels: positive === null ? [...labels] : [...others, positive],
    protocol: labels.length === 2 ? 'agentic-sim' : 'standard',
  };
}

/** What a protocol is asked to accept: a text with these labels. */
export const triedCase = ({
  labels,
}: Pick<TryForm, 'labels'>): Pick<Case, 'kind' | 'labels' | 'multiLabel'> & { isTried: true } => ({
  kind: 'text',
  labels,
  isTried: true,
  multiLabel: false,
});

/** The labels as the court has them: of two, the one that the prosecution argues for last. */
export function labelsInOrder({ labels, positive }: Pick<TryForm, 'labels' | 'positive'>): string[] {
  return labels.length === 2 && labels[0] === positive ? labels.toReversed() : [...labels];
}

const advice = {
  facts: 'Write down what is known of the case, in 1 to 200,000 characters.',
  question: 'Ask what the court should decide, in 1 to 4,000 characters.',
  labels: 'Name at least two possible answers.',
  protocol: 'Choose a protocol.',
  params: 'The parameters do not fit.',
  prompts: 'Choose other prompts.',
  backend: 'Choose where the answers come from.',
  server: 'Choose a server.',
  model: 'Name a model, in at most 200 characters.',
  numCtx: 'A context has at least 256 tokens.',
} as const;

export type TryField = keyof typeof advice;

/** In the order of the form. */
const tryFields = Object.keys(advice) as TryField[];

/** What a case lacks that is no open question: only of protocols that take these can facts and labels be left out. */
function missingOfLabelled({ protocol, facts, labels }: TryForm): TryField[] {
  const takesOpen = findProtocol(protocol)?.accepts.open === true;
  if (takesOpen && labels.length === 0) return [];
  return [...(facts.trim() === '' ? (['facts'] as const) : []), ...(labels.length < 2 ? (['labels'] as const) : [])];
}

/** The roles that can have separate models; none where one role plays alone. */
export function rolesOf({ protocol }: Pick<TryForm, 'protocol'>): readonly string[] {
  const { roles = [] } = findProtocol(protocol) ?? {};
  return roles.length < 2 ? [] : roles;
}

export function checkTry(
  form: TryForm,
  preferred: Omit<Preferred, 'why' | 'away'>,
): { draft: TryDraft; wrong: null } | { draft: null; wrong: Partial<Record<TryField, string>> } {
  const { server: chosen, numCtx, prompts, positive: _positive, lost: _lost, roles: named, ...written } = form;
  const backend = form.backend ?? preferred.backend;
  const server = chosen ?? preferred.server;
  const roles = rolesOf(form).flatMap((role) => ((named[role] ?? '').trim() === '' ? [] : [[role, named[role]?.trim()]]));
  const parsed = tryDraftSchema.safeParse({
    ...written,
    labels: labelsInOrder(form),
    facts: form.facts.trim(),
    question: form.question.trim(),
    backend,
    ...(server === ollamaBackend || backend === 'standin' ? {} : { server }),
    ...(numCtx === null ? {} : { numCtx }),
    ...(prompts === '' ? {} : { prompts }),
    ...(roles.length === 0 ? {} : { roles: Object.fromEntries(roles) }),
    model: (form.model ?? preferred.model).trim(),
  });
  const missing = missingOfLabelled(form);
  if (parsed.success && missing.length === 0) return { draft: parsed.data, wrong: null };
  // The models of single roles are said to be wrong where the model of all roles is.
  const at = new Set(parsed.error?.issues.map(({ path }) => (path[0] === 'roles' ? 'model' : path[0])));
  const found = tryFields.filter((field) => missing.includes(field) || at.has(field));
  return { draft: null, wrong: Object.fromEntries(found.map((field) => [field, advice[field]])) };
}

/** Where in the form a failure of the engine belongs; options of the command line are called by their names there. */
export function tryFieldOf(field: string | null, protocol: string): TryField | null {
  const name = field?.replace(/^--/, '').replace(/^arms\.\d+\./, '') ?? '';
  const [first, second] = name.split('.');
  if (first === 'cast') return 'model';
  if (first === 'backends') return second === ollamaBackend ? 'backend' : 'server';
  if (first === 'num-ctx' || name === 'runtime.numCtx') return 'numCtx';
  if (parametersOf(protocol).some((parameter) => parameter.name === first)) return 'params';
  return tryFields.find((known) => known === first) ?? null;
}

const parametersOf = (protocol: string) => parameterFields(findProtocol(protocol)?.paramsSchema ?? {});

/** Other answers. Parameters that name answers which are gone are gone with them: their fields may not be in view. */
export function withAnswers({ protocol, params }: TryForm, labels: string[]): Pick<TryForm, 'labels' | 'params'> {
  const outdated = parametersOf(protocol).filter(({ kind, name }) => {
    const named = params[name];
    return kind === 'words' && Array.isArray(named) && named.some((label) => label !== '' && !labels.includes(label));
  });
  const kept = Object.entries(params).filter(([name]) => !outdated.some((parameter) => parameter.name === name));
  return { labels, params: Object.fromEntries(kept) };
}

interface Refused {
  readonly field: 'labels' | 'params' | 'protocol';
  /** The parameter among several. */
  readonly parameter?: string;
  readonly message: string;
}

/** What such a court cannot try, and the field at which that is said; null where it can. */
export function refusedAt(form: TryForm): Refused | null {
  const { protocol, labels, params } = form;
  if (labels.length < 2) return null;
  const message = refusalOf(protocol, triedCase(form), params);
  if (message === null) return null;
  const [fewest, most] = findProtocol(protocol)?.accepts.labels ?? [0, Number.POSITIVE_INFINITY];
  const pair = parametersOf(protocol).find(({ kind }) => kind === 'words')?.name;
  const chosen = pair === undefined ? undefined : params[pair];
  if (pair !== undefined && chosen !== undefined) {
    const half = Array.isArray(chosen) && chosen.includes('');
    return { field: 'params', parameter: pair, message: half ? 'Choose both, or none.' : message };
  }
  if (labels.length >= fewest && labels.length <= most) return { field: 'protocol', message };
  const range = fewest === most ? `exactly ${fewest}` : `${fewest} to ${most}`;
  const lacking = fewest - labels.length;
  const own = lacking > 0 ? `Add ${lacking}` : `Remove ${labels.length - most}`;
  const other = pair === undefined || lacking > 0 ? '' : ', or choose the two in dispute under “Parameters”';
  return {
    field: 'labels',
    message: `${protocolTitle(protocol)} takes ${range} answers, and you have ${labels.length}. ${own}${other}. Or take another protocol.`,
  };
}

/** The cases that a protocol would have to take: an open question where no answer is named. */
export const wantedCase = (form: Pick<TryForm, 'labels'>): CasesOfKind =>
  form.labels.length === 0 ? { kind: 'open', labels: [], multiLabel: false } : triedCase(form);

/** The next usual size of a context, in tokens, that holds a prompt and its answer. */
export function roomyContext({ prompt, numPredict }: Pick<TryNeed, 'prompt' | 'numPredict'>): number {
  let context = 4096;
  while (context < prompt + numPredict) context *= 2;
  return context;
}
