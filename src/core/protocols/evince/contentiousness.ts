/** How contentiousness goes from round to round; `mixture`: there is no debate. */
export const modulations = ['exponential', 'linear', 'fixed', 'mixture', 'metric', 'metric-rising'] as const;
export type Modulation = (typeof modulations)[number];

/** Natural decay by which 0.9 of the first round has become 0.5 in the third. */
const decay = Math.log(9 / 5) / 2;

/** Fall from round to round of the linear form. */
const step = 0.2;

export const closingContentiousness = 0.3;

/** 0.3 where the agents agree in all, 0.9 where they have nothing in common. */
const fromMetrics = ({ jsd, wd }: { readonly jsd: number; readonly wd: number }) =>
  closingContentiousness + 0.6 * ((jsd / Math.LN2 + wd) / 2);

/**
 * The contentiousness of the next round.
 *
 * Source: "SocraSynth and EVINCE", section 7.4.5: k0 - l t and k0 e^(-l t). Its tables 7.2 and 7.3 have 0.9, 0.7, 0.5 in
 * the first three rounds, from which both rates are taken; the paper gives neither. `metric` is our function Update of
 * figure 7.1, which the paper leaves open: k follows how far the agents are apart, and never rises; with `metric-rising`
 * it rises again where they move apart.
 *
 * @param start k of the first round, 0-1
 * @param round of the exchange that has just ended, from 1
 * @param now its k, 0-1
 * @param apart Jensen-Shannon divergence, 0 to ln 2, and Wasserstein distance, 0-1
 */
export function nextContentiousness(
  modulation: Modulation,
  start: number,
  round: number,
  now: number,
  apart: { readonly jsd: number; readonly wd: number },
): number {
  switch (modulation) {
    case 'exponential':
      return start * Math.exp(-decay * round);
    case 'linear':
      return Math.max(0, start - step * round);
    case 'metric':
      return Math.min(now, fromMetrics(apart));
    case 'metric-rising':
      return fromMetrics(apart);
    case 'fixed':
    case 'mixture':
      return now;
  }
}
