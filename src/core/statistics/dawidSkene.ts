/** What several raters said of some units that are rated alike. */
export interface RatedAlike {
  /** Place of the label that each rater named; null where it named none. At least one is there. */
  readonly ratings: readonly (number | null)[];
  /** How many units are rated so, from 1. */
  readonly times: number;
}

/** Below this a count or a share is taken as this, so that its logarithm is a number. */
const least = 1e-10;
const settled = 1e-8;
const mostRounds = 1000;

const increase = (numbers: Float64Array, place: number, by: number) => {
  numbers[place] = (numbers[place] ?? 0) + by;
};

/**
 * The true labels of units as far as raters can show them without a known truth: each rater has a probability for each answer to
 * each true label, raters err independently given the truth, and both are found by expectation maximisation of the likelihood.
 *
 * It starts from the share of the raters of a unit that named each label, and ends when no probability changes by more than 1e-8
 * or after 1,000 rounds. No chance is involved. Raters who share their errors
 * break the assumption: the probabilities are then too near to 0 and 1.
 * @param labels number of labels, each of which somebody names
 *
 * Source: A. P. Dawid and A. M. Skene, Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm, Applied
 * Statistics 28 (1979), 20-28, equations 2.3 to 2.5, without an answer given twice by one rater. Example: of 4 units three
 * raters say (0, 0, 1), (0, 0, 1), (1, 1, 0), (1, 1, 0): the third always says the opposite, and the units are 0, 0, 1, 1.
 */
export function dawidSkene(patterns: readonly RatedAlike[], labels: number) {
  const raters = patterns[0]?.ratings.length ?? 0;
  const units = patterns.reduce((sum, { times }) => sum + times, 0);
  /** Answers of each pattern, as places in a table of raters x answers x truths. */
  const said = patterns.map(({ ratings }) =>
    ratings.flatMap((rating, rater) => (rating === null ? [] : [(rater * labels + rating) * labels])),
  );
  const probabilities = patterns.map(({ ratings }) => {
    const given = ratings.filter((rating) => rating !== null);
    const shares = new Float64Array(labels);
    for (const rating of given) increase(shares, rating, 1 / given.length);
    return shares;
  });
  const answers = new Float64Array(raters * labels * labels);
  const prior = new Float64Array(labels);
  const likelihoods = new Float64Array(labels);

  /** The shares of the labels and the answers of each rater to each, as logarithms. */
  function maximise() {
    prior.fill(0);
    answers.fill(0);
    patterns.forEach(({ times }, place) => {
      const shares = probabilities[place] ?? prior;
      for (let truth = 0; truth < labels; truth++) {
        const weight = times * (shares[truth] ?? 0);
        increase(prior, truth, weight / units);
        for (const start of said[place] ?? []) increase(answers, start + truth, weight);
      }
    });
    for (let rater = 0; rater < raters; rater++) {
      for (let truth = 0; truth < labels; truth++) {
        const first = rater * labels * labels + truth;
        let all = 0;
        for (let answer = 0; answer < labels; answer++) all += Math.max(least, answers[first + answer * labels] ?? 0);
        for (let answer = 0; answer < labels; answer++) {
          const place = first + answer * labels;
          answers[place] = Math.log(Math.max(least, answers[place] ?? 0) / all);
        }
      }
    }
    for (let truth = 0; truth < labels; truth++) prior[truth] = Math.log(Math.max(least, prior[truth] ?? 0));
  }

  /** The probabilities of the labels; says by how much one of them changed at most. */
  function expect(): number {
    let change = 0;
    said.forEach((starts, place) => {
      const shares = probabilities[place] ?? likelihoods;
      let highest = Number.NEGATIVE_INFINITY;
      for (let truth = 0; truth < labels; truth++) {
        let log = prior[truth] ?? 0;
        for (const start of starts) log += answers[start + truth] ?? 0;
        likelihoods[truth] = log;
        if (log > highest) highest = log;
      }
      let all = 0;
      for (let truth = 0; truth < labels; truth++) {
        const likelihood = Math.exp((likelihoods[truth] ?? 0) - highest);
        likelihoods[truth] = likelihood;
        all += likelihood;
      }
      for (let truth = 0; truth < labels; truth++) {
        const probability = (likelihoods[truth] ?? 0) / all;
        change = Math.max(change, Math.abs(probability - (shares[truth] ?? 0)));
        shares[truth] = probability;
      }
    });
    return change;
  }

  let [change, rounds] = [Number.POSITIVE_INFINITY, 0];
  for (; rounds < mostRounds && change > settled; rounds++) {
    maximise();
    change = expect();
  }
  return {
    /** P(label) of the units of each pattern, by place of the label. */
    probabilities,
    rounds,
    /** Whether the last round changed no probability by more than 1e-8. */
    converged: change <= settled,
  };
}
