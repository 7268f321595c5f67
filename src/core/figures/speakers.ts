// The names of roles and speeches, and the sides that they speak for.

import { speechOf } from '../record/withheld.ts';
import { capitalized } from '../text/visible.ts';

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
  return capitalized(role === 'prosecutor' ? 'prosecution' : role.replace(/(?<=[a-z])(?=\d+$|[A-Z]$)/, ' '));
}

interface Spoken {
  readonly role: string;
  readonly turn: string;
  readonly key: string;
}

const roundOf = ({ key }: Spoken): string | undefined => /^round-(\d+)\//.exec(key)?.[1];

/** What utterances are called by their speaker: `opening`, `rebuttal 2`. Turns of one name are numbered, after the round. */
export function turnNames(spoken: readonly Spoken[]): string[] {
  const names = new Map<Spoken, string>();
  for (const same of Map.groupBy(spoken, ({ role, turn }) => JSON.stringify([role, turn])).values()) {
    const rounds = same.map(roundOf);
    const inRounds = !rounds.includes(undefined) && new Set(rounds).size === same.length;
    const isByRound = inRounds && rounds.some((round, place) => round !== String(place + 1));
    same.forEach((each, place) => {
      const number = isByRound ? `in round ${rounds[place]}` : place + 1;
      names.set(each, same.length === 1 ? each.turn : `${each.turn} ${number}`);
    });
  }
  return spoken.map((each) => names.get(each) ?? each.turn);
}

/** By its key, what the transcript calls each speech: `Prosecution, rebuttal 2`. One of several utterances is called after the first. */
export function speechNames(spoken: readonly Spoken[]): Map<string, string> {
  const turns = turnNames(spoken);
  const named = spoken.map(({ key, role }, place) => ({ speech: speechOf(key), name: `${speakerName(role)}, ${turns[place]}` }));
  return new Map([...Map.groupBy(named, ({ speech }) => speech)].map(([speech, [first]]) => [speech, first?.name ?? speech]));
}

/** What the transcript with these utterances calls a speech, by its key. */
export function namerAmong(spoken: readonly Spoken[]): (key: string) => string {
  const names = speechNames(spoken);
  return (key) => names.get(key) ?? speechName(key);
}

/** A speech that no transcript has, by its key: `Prosecution, turn 2` for `turn-2/prosecutor`. */
export function speechName(key: string): string {
  const parts = key.split('/');
  return [speakerName(parts.at(-1) ?? ''), ...parts.slice(0, -1)].map((part) => part.replaceAll('-', ' ')).join(', ');
}
