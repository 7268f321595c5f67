import type { CaseKind, Fact } from '../../shared/domain.ts';

/** How the facts of one case read, per kind. */
const writers: Record<CaseKind, (facts: readonly Fact[]) => string> = {
  tabular: (facts) => facts.map(({ name, value }) => `${name} is ${value}`).join('; '),
  text: (facts) => facts.map(({ value }) => value).join('\n\n'),
  pair: named,
  sections: named,
  open: named,
};

function named(facts: readonly Fact[]): string {
  return facts.map(({ name, value }) => `${name}: ${value}`).join('\n\n');
}

/**
 * The facts of a case as one text, in their order: `<feature> is <value>` joined by `; ` for a table row, the text
 * itself for a text case, `<name>: <text>` in paragraphs for the others. Empty where there are no facts.
 */
export function narrate(facts: readonly Fact[], kind: CaseKind): string {
  return writers[kind](facts);
}
