// What `--change` asks for, and the arms that it becomes.
import { castMember, plainRole } from '../../../core/protocols/cast.ts';
import { type Change, changeText, type Expectation } from '../../../shared/changes.ts';
import { badInput } from '../../../shared/errors.ts';
import type { Cast } from '../../../shared/experiment.ts';
import { type Swap, swapSchema } from '../../../shared/swaps.ts';
import type { Dataset } from '../datasets/dataset.ts';
import type { PreparedArm } from './preparedArm.ts';

/** One `--change`, as it was written. */
export type ChangeRequest =
  | { readonly kind: 'prompts'; readonly prompts: readonly string[] }
  | { readonly kind: 'probe'; readonly probe: 'names' | 'rows' }
  | { readonly kind: 'fact'; readonly words: string }
  | { readonly kind: 'attribute'; readonly words: string }
  | { readonly kind: 'seed'; readonly count: number }
  | { readonly kind: 'model'; readonly role: string | null; readonly model: string }
  | { readonly kind: 'swap'; readonly swap: Swap };

export const changeForms =
  'fact=COLUMN=VALUE, attribute=COLUMN, attribute=COLUMN=VALUE, sides, order, labels, seed=COUNT, model=NAME, model=ROLE=NAME, prompts=NAME,NAME, probe=names or probe=rows';

/** Most further seeds of one request. */
const mostSeeds = 100;

/** Reads one `--change`. Throws bad input. */
export function readChange(change: string): ChangeRequest {
  const wrong = (why: string) => badInput(`${why}; write what changes as ${changeForms}`, { field: '--change' });
  const at = change.indexOf('=');
  const [kind, rest] = at < 0 ? [change, ''] : [change.slice(0, at), change.slice(at + 1)];
  const swap = swapSchema.safeParse(kind);
  if (swap.success && at < 0) return { kind: 'swap', swap: swap.data };
  if (rest === '') throw wrong(`${JSON.stringify(change)} does not say what is to change`);
  switch (kind) {
    case 'prompts': {
      const prompts = rest.split(',').map((name) => name.trim());
      if (rest.includes('=') || prompts.includes('') || new Set(prompts).size < prompts.length) {
        throw wrong('variants of prompts are named by their names or paths, each once');
      }
      return { kind, prompts };
    }
    case 'probe':
      if (rest !== 'names' && rest !== 'rows') throw wrong(`there is no probe ${JSON.stringify(rest)}`);
      return { kind, probe: rest };
    case 'fact':
      if (!rest.includes('=')) throw wrong('a fact needs a value: fact=COLUMN=VALUE, or fact=COLUMN= to leave it out');
      return { kind, words: rest };
    case 'attribute':
      return { kind, words: rest };
    case 'seed': {
      const count = Number(rest);
      if (!Number.isInteger(count) || count < 1 || count > mostSeeds) throw wrong(`seed takes a count from 1 to ${mostSeeds}`);
      return { kind, count };
    }
    case 'model': {
      const role = /^[a-z]\w*(?==)/i.exec(rest)?.[0] ?? null;
      return { kind, role, model: role === null ? rest : rest.slice(role.length + 1) };
    }
    default:
      throw wrong(`there is no change ${JSON.stringify(kind)}`);
  }
}

/** An arm that another is tried as besides: its name, and what differs. */
export interface FurtherArm {
  readonly name: string;
  readonly change: Readonly<Record<string, unknown>>;
}

const changedName = (arm: string, what: string) => `${arm} (${what})`;

const declared = (arm: string, change: Change, what = changeText(change)): FurtherArm => ({
  name: changedName(arm, what),
  change: { change },
});

/** Divides `COLUMN=VALUE` at the first sign behind which the column is known; a column may have one in its name. */
function divided(words: string, columns: ReadonlySet<string>): readonly [column: string, value: string | null] {
  if (columns.has(words)) return [words, null];
  for (let at = words.indexOf('='); at >= 0; at = words.indexOf('=', at + 1)) {
    if (columns.has(words.slice(0, at))) return [words.slice(0, at), words.slice(at + 1)];
  }
  const [column = ''] = words.split('=');
  throw badInput(`no case has the fact ${JSON.stringify(column)}; there are ${[...columns].join(', ')}`, { field: '--change' });
}

/** Most values that an attribute is moved through: each but one is an arm. */
const mostValues = 8;

/** Values of a fact in all cases, sorted, and those of the cases on trial. */
function valuesOf({ cases, sample }: Dataset, column: string) {
  const onTrial = new Set(sample);
  const held = (among: typeof cases) =>
    [...new Set(among.flatMap(({ facts }) => facts.flatMap(({ name, value }) => (name === column ? [value] : []))))].toSorted();
  return { all: held(cases), tried: held(cases.filter(({ id }) => onTrial.has(id))) };
}

/** What becomes of an attribute: each value is moved to the next in turn, or all to one. Throws bad input. */
function attributeChanges(data: Dataset, words: string, columns: ReadonlySet<string>) {
  const [attribute, value] = divided(words, columns);
  const { all, tried } = valuesOf(data, attribute);
  const refuse = (why: string) => badInput(`attribute ${JSON.stringify(attribute)} ${why}`, { field: '--change' });
  if (value !== null) {
    const others = tried.filter((each) => each !== value);
    if (others.length === 0) throw refuse(`is ${value} in every case on trial, so nothing would change`);
    return [{ attribute, to: Object.fromEntries(others.map((each) => [each, value])), what: `${attribute} is ${value}` }];
  }
  const [only] = all;
  if (all.length < 2) throw refuse(`has one value, ${only}, in every case, so nothing can change`);
  if (all.length > mostValues) {
    throw refuse(`has ${all.length} values; name the one that all cases are to have: attribute=${attribute}=VALUE`);
  }
  return all.slice(1).map((_value, turn) => ({
    attribute,
    to: Object.fromEntries(all.map((each, place) => [each, all[(place + turn + 1) % all.length] ?? each])),
    what: all.length === 2 ? `${attribute} exchanged` : `${attribute} exchanged, ${turn + 1} of ${all.length - 1}`,
  }));
}

/** The cast with another model for whoever decides, or for a role. Throws bad input. */
function recast({ definition: { cast }, bound, protocol }: PreparedArm, named: string | null, model: string): Cast {
  const roles = [...new Set(bound.roles.map(plainRole))];
  const role = named ?? (roles.includes('judge') ? 'judge' : roles.length === 1 ? roles[0] : undefined);
  if (role === undefined || !roles.includes(plainRole(role))) {
    const why = role === undefined ? 'has no judge' : `has no role ${JSON.stringify(role)}`;
    throw badInput(`protocol ${protocol.id} ${why}; name one of ${roles.join(', ')} as in model=${roles[0]}=${model}`, {
      field: '--change',
    });
  }
  const member = castMember(cast, role);
  // A role without a number stands for all of its seats.
  const kept = Object.entries(cast).filter(([seat]) => role !== plainRole(role) || plainRole(seat) !== role);
  return { ...Object.fromEntries(kept), [role]: { backend: 'default', options: {}, ...member, model } };
}

type Declared = Exclude<ChangeRequest, { kind: 'prompts' | 'probe' | 'swap' }>;

/**
 * The further arms that a change of an arm becomes. Throws bad input, with the reason, for a change that cannot be made.
 * @param expect what is expected of them
 */
export function changedArms(arm: PreparedArm, request: Declared, data: Dataset, expect: Expectation | undefined): FurtherArm[] {
  const { name } = arm.definition;
  const about = { of: name, ...(expect === undefined ? {} : { expect }) };
  const columns = new Set(data.cases.flatMap(({ facts }) => facts.map((fact) => fact.name)));
  switch (request.kind) {
    case 'fact': {
      const [fact, value = ''] = divided(request.words, columns);
      return [declared(name, { ...about, kind: 'facts', facts: { [fact]: value === '' ? null : value } })];
    }
    case 'attribute': {
      const changes = attributeChanges(data, request.words, columns);
      if (data.sample.length > 1) {
        return changes.map(({ attribute, to, what }) => declared(name, { ...about, kind: 'attribute', attribute, to }, what));
      }
      // What one case is to be instead says nothing of what it is.
      const [current = ''] = changes[0] === undefined ? [] : valuesOf(data, changes[0].attribute).tried;
      return changes.map(({ attribute, to }) =>
        declared(name, { ...about, kind: 'facts', facts: { [attribute]: to[current] ?? null } }),
      );
    }
    case 'seed':
      return Array.from({ length: request.count }, (_, place) => declared(name, { ...about, kind: 'seed', number: place + 1 }));
    case 'model': {
      const { role, model } = request;
      const cast = recast(arm, role, model);
      const further = declared(name, { ...about, kind: 'model' }, role === null ? model : `${role} ${model}`);
      return [{ ...further, change: { ...further.change, cast } }];
    }
  }
}
