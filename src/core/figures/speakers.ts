export type Side = 'prosecution' | 'defense' | 'neutral';

/** The side that a role speaks for; roles that are not of two sides are neutral. */
export function sideOf(role: string): Side {
  if (/^(?:prosecut(?:or|ion)|affirmative|proponent)\d*$|^agentA$/.test(role)) return 'prosecution';
  return /^(?:defen[cs]e|attorney|negative|opponent)\d*$|^agentB$/.test(role) ? 'defense' : 'neutral';
}

/** A role as a heading has it: `Judge 2` for `judge2`, `Agent A` for `agentA`. */
export function speakerName(role: string): string {
  const title = role === 'prosecutor' ? 'prosecution' : role.replace(/(?<=[a-z])(?=\d+$|[A-Z]$)/, ' ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}
