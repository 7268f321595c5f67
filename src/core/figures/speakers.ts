// The names of roles, and the sides that they speak for.
export type Side = 'prosecution' | 'defense' | 'neutral';

/** The side that a role speaks for; roles that are not of two sides are neutral. */
export function sideOf(role: string): Side {
  if (/^(?:prosecut(?:or|ion)|affirmative|proponent|agentA)\d*$/.test(role)) return 'prosecution';
  return /^(?:defen[cs]e|attorney|negative|opponent|agentB)\d*$/.test(role) ? 'defense' : 'neutral';
}

/** A role in a sentence: `the judge`, `Judge 2`, `Agent A`. */
export const theSpeaker = (role: string): string => (/\d$|[a-z][A-Z]$/.test(role) ? speakerName(role) : `the ${role}`);

/** A role as a heading has it: `Judge 2` for `judge2`, `Agent A` for `agentA`. */
export function speakerName(role: string): string {
  const title = role === 'prosecutor' ? 'prosecution' : role.replace(/(?<=[a-z])(?=\d+$|[A-Z]$)/, ' ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** A speech by its key in the record, as a table names it: `Prosecution, turn 2` for `turn-2/prosecutor`. */
export function speechName(key: string): string {
  const parts = key.split('/');
  return [speakerName(parts.at(-1) ?? ''), ...parts.slice(0, -1)].map((part) => part.replaceAll('-', ' ')).join(', ');
}
