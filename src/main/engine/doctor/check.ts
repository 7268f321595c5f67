// One check of the doctor, with what was found and how to fix it.
import type { Check } from '../../../shared/checks.ts';
import type { DoctorCheck } from '../../../shared/outputs.ts';

export const ok = (name: string, found: string): DoctorCheck => ({ name, state: 'ok', found, mend: null });

export const warning = (name: string, found: string, mend: string): DoctorCheck => ({ name, state: 'warning', found, mend });

export const problem = (name: string, found: string, mend: string): DoctorCheck => ({ name, state: 'problem', found, mend });

/** A server that is no model. */
export const demo = (name: string, url: string, mend: string): DoctorCheck =>
  warning(name, `${url} is the DEMO MODEL: its answers are made up`, mend);

/** A check of an experiment among those of the machine. */
export const told = (name: string, { text, severity, remedy }: Check): DoctorCheck => ({
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
