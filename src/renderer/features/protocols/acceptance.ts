import { findProtocol, protocols } from '../../../core/protocols/index.ts';
import { capitalized } from '../../../core/text/visible.ts';
import type { CaseKind } from '../../../shared/domain.ts';
import type { Choice } from '../../ui/FormField.tsx';
import { parameterFields } from './parameters.ts';
import { parameterText, protocolDoes } from './words.ts';

export interface CasesOfKind {
  readonly kind: CaseKind;
  readonly labels: readonly string[];
  readonly multiLabel: boolean;
  /** The one case of Try a case, where labels are called answers. */
  readonly isTried?: boolean;
}

/** Protocols in the order of the registry, but what deliberates before what does not. */
const inOrder = protocols.toSorted((a, b) => b.roles.length - a.roles.length);

const kindText: Readonly<Record<CaseKind, string>> = {
  tabular: 'rows of a table',
  text: 'texts',
  pair: 'pairs of texts',
  sections: 'texts in sections',
  open: 'open questions',
};

type Registered = NonNullable<ReturnType<typeof findProtocol>>;

/** A refusal in the words of the screens, which know no keys of an experiment file. */
function refusalText(
  { title, accepts, paramsSchema }: Registered,
  { kind, labels, multiLabel, isTried = false }: CasesOfKind,
  params: Readonly<Record<string, unknown>>,
  refused: string,
): string {
  if (!accepts.kinds.includes(kind)) {
    const tried = accepts.kinds.map((each) => kindText[each]).join(', ');
    return `${title} does not try ${kindText[kind]}; it tries ${tried}.`;
  }
  if (multiLabel && !accepts.multiLabel) return `${title} does not try cases that can have several labels.`;
  const dispute = parameterFields(paramsSchema).some(({ name }) => name === 'contested');
  const field = `“${parameterText('agentic-sim', 'contested').label}”`;
  const named: readonly unknown[] = dispute && Array.isArray(params.contested) ? params.contested : [];
  const unknown = named.find((label) => typeof label !== 'string' || !labels.includes(label));
  if (unknown !== undefined) return `${field} has “${String(unknown)}”, which is not one of the labels: ${labels.join(', ')}.`;
  const [fewest, most] = accepts.labels;
  if (labels.length >= fewest && labels.length <= most) return capitalized(refused);
  const range = fewest === most ? `exactly ${fewest}` : `${fewest} to ${most}`;
  const advice = dispute && labels.length > most ? ` Choose two of them under ${field}, or take another protocol.` : '';
  const had = isTried ? 'answers, and this case has' : 'labels, and these cases have';
  return `${title} needs ${range} ${had} ${labels.length}.${advice}`;
}

/** Whether a protocol would try the cases with other labels in dispute. */
export function refusedByDispute(protocol: string, cases: CasesOfKind, params: Readonly<Record<string, unknown>>): boolean {
  const contested = [cases.labels.at(0), cases.labels.at(-1)];
  return refusalOf(protocol, cases, params) !== null && refusalOf(protocol, cases, { ...params, contested }) === null;
}

/** What a protocol could try with suitable parameters: two of many labels can be put in dispute. */
export function refusalOf(protocol: string, cases: CasesOfKind, params: Readonly<Record<string, unknown>> = {}): string | null {
  const found = findProtocol(protocol);
  if (found === undefined) return `There is no protocol ${protocol} in this version of the program.`;
  try {
    const refused = found.bind(params).refusal(cases);
    return refused === null ? null : refusalText(found, cases, params, refused);
  } catch {
    // Parameters that are being written are checked by the plan.
    return null;
  }
}

export function protocolTitle(id: string): string {
  return findProtocol(id)?.title ?? id;
}

/** What an arm is called: that of a case from Try a case, which nobody named, by its protocol. @param shown its shown name */
export const armTitle = (shown: string, { title, protocol }: { title: string | null; protocol: string }): string =>
  title === null ? shown : shown.replace(/^try\b/, protocolTitle(protocol));

function kindRefused(id: string, cases: CasesOfKind): string | null {
  const [fewest] = findProtocol(id)?.accepts.labels ?? [0];
  const enough = cases.labels.slice(0, Math.max(fewest, 2));
  return refusalOf(id, { ...cases, labels: enough });
}

export function protocolChoices(cases: CasesOfKind): Choice[] {
  return inOrder.map(({ id, title }) => {
    const refused = kindRefused(id, cases);
    return { id, label: title, note: refused ?? protocolDoes(id) ?? undefined, disabled: refused !== null };
  });
}

export const takersOf = (cases: CasesOfKind): Choice[] =>
  inOrder.flatMap(({ id, title }) => (refusalOf(id, cases) === null ? [{ id, label: title }] : []));

/** Whether a protocol wants labelled cases in addition to the one on trial, which data need not have. */
function wantsTraining({ bind }: (typeof protocols)[number]): boolean {
  const { shots, precedents } = bind({});
  return shots > 0 || precedents !== null;
}

const beginners = ['agentic-sim', 'standard'];

/** The protocol to begin with: the first that takes such cases as they are, without training cases. Null where none does. */
export function firstProtocol(cases: CasesOfKind): string | null {
  const fitting = inOrder.filter((each) => !wantsTraining(each) && refusalOf(each.id, cases) === null).map(({ id }) => id);
  return beginners.find((id) => fitting.includes(id)) ?? fitting[0] ?? null;
}

const caseOf = ({ kind, labels, multiLabel }: CasesOfKind) => ({
  ...{ kind, facts: [], question: '', labels, positive: labels.at(-1) ?? null, multiLabel },
});

/** Roles that argue for a label which the user chooses, first the one that argues for the positive label; none if no role does. */
export function advocatesOf(protocol: string, params: Readonly<Record<string, unknown>>, cases: CasesOfKind): string[] {
  try {
    return Object.keys(findProtocol(protocol)?.bind(params).claims(caseOf(cases)) ?? {});
  } catch {
    return [];
  }
}

/** Calls of one trial, retries not counted; null while the parameters do not fit. */
export function callsOf(
  protocol: string,
  params: Readonly<Record<string, unknown>>,
  cases: CasesOfKind,
): { min: number; max: number } | null {
  try {
    return findProtocol(protocol)?.bind(params).plannedCalls(caseOf(cases)) ?? null;
  } catch {
    return null;
  }
}
