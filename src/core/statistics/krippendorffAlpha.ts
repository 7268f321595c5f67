import { chanceDisagreement } from './confusion.ts';

/**
 * Krippendorff's alpha for nominal values: 1 - D_o / D_e, agreement beyond what the values would give if they were dealt out at
 * random. 1 is agreement everywhere, 0 is chance, below 0 is less than chance. Raters may be missing; a unit with fewer than two
 * values pairs with nothing and is left out.
 *
 * With n_uv the values v of unit u, m_u the values of u, n_v the pairable values v and n all pairable values:
 * D_o = 1/n sum over u, v of n_uv (m_u - n_uv) / (m_u - 1), and D_e = (n² - sum over v of n_v²) / (n (n - 1)).
 *
 * Source: K. Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011. Example: units (a, a), (a, b), (b, b, b), (a):
 * n = 7, n_a = 3, n_b = 4, D_o = 2/7, D_e = 24/42, alpha = 1/2.
 */
export function krippendorffAlpha({ counts, disagreed }: AlphaSums): number | null {
  const n = counts.reduce((sum, count) => sum + count, 0);
  const byChance = chanceDisagreement(counts, counts);
  return byChance === 0 ? null : 1 - ((n - 1) * disagreed) / byChance;
}

/** What units add up to: their pairable values of each kind, and n times D_o. */
export interface AlphaSums {
  readonly counts: readonly number[];
  readonly disagreed: number;
}

/** What one unit adds. @param counts its values of each kind */
export function alphaSums(counts: readonly number[]): AlphaSums {
  const of = counts.reduce((sum, count) => sum + count, 0);
  if (of < 2) return { counts: counts.map(() => 0), disagreed: 0 };
  return { counts, disagreed: counts.reduce((sum, count) => sum + count * (of - count), 0) / (of - 1) };
}
