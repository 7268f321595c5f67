// Checks of the doctor: those of a run, each under a name.
import { type Check, note, problem as problemOf, warning as warningOf } from '../../../shared/checks.ts';
import type { DoctorCheck } from '../../../shared/commandOutputs.ts';

export interface NamedCheck extends Check {
  /** What was looked at. */
  readonly name: string;
}

export const ok = (name: string, text: string): NamedCheck => ({ name, ...note(text) });

export const warning = (name: string, text: string, remedy: string): NamedCheck => ({ name, ...warningOf(text, remedy) });

export const problem = (name: string, text: string, remedy: string): NamedCheck => ({ name, ...problemOf(text, remedy) });

/** A server that is no model. */
export const demo = (name: string, url: string, remedy: string): NamedCheck =>
  warning(name, `${url} is the DEMO MODEL: its answers are made up`, remedy);

/** The check by the names that `assize doctor --json` has for its parts. */
export const reported = ({ name, text, severity, remedy }: NamedCheck): DoctorCheck => ({
  name,
  state: severity === 'note' ? 'ok' : severity,
  found: text,
  mend: remedy,
});

/** What stops every run first, then what makes runs wrong, then what makes them slow. */
const importance =
  'store|disk|ollama|ollama version|backend .*|models|cloud|remote models|key of .*|gpu driver|loaded .*|other ollama|gpu.*|disk of the models|server .*|experiment'
    .split('|')
    .map((name) => new RegExp(`^${name}$`));

const rank = ({ name }: DoctorCheck): number => {
  const found = importance.findIndex((pattern) => pattern.test(name));
  return found < 0 ? importance.length : found;
};

/** What to fix: problems before warnings, each in the order of importance. */
export function adviceOf(checks: readonly DoctorCheck[]): { name: string; state: 'warning' | 'problem'; mend: string }[] {
  return checks
    .toSorted((left, right) => Number(right.state === 'problem') - Number(left.state === 'problem') || rank(left) - rank(right))
    .flatMap(({ name, state, mend }) => (state === 'ok' || mend === null ? [] : [{ name, state, mend }]));
}
