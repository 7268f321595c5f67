/** The words of the program, its measures and its tests, with what is good and the range. `npm run docs` writes docs/glossary.md from it. */
export const glossary = {
  accuracy: 'The share of trials whose verdict is the true label, from 0 to 1; 1 is best. “Of all” counts a failure as wrong.',
  'adjusted p-value':
    'A p-value made larger because many tests were made: with enough of them, some p-values are small by chance. Pairs of arms are adjusted after Benjamini and Hochberg, groups and the calibration of arms after Holm.',
  'answer, first answer usable':
    'What a model returned for one call. A first answer is usable if it was accepted without a second attempt.',
  'area under the curve':
    'How probable it is that a random case with the label got a higher belief in it than a random case without. From 0 to 1; 1 is best, 0.5 is chance. It judges the order of beliefs, not their size.',
  'anytime-valid interval, fixed-n interval':
    'An anytime-valid interval holds however often results were looked at, so a run may be ended by it. A fixed-n interval holds for one look, at a number of cases that was planned beforehand; it is narrower.',
  arm: 'One way to decide the cases of an experiment: a protocol, its parameters and a cast.',
  'balanced accuracy':
    'The mean of the recall of each label, so that a rare label counts as much as a frequent one. From 0 to 1; 1 is best.',
  baseline: 'A decision without a language model, such as the most frequent label, that every arm must beat.',
  belief: 'The probability of each label that a role holds at one moment.',
  'belief timeline': "A chart of the judge's belief after each speech.",
  'Brier score':
    'The mean squared distance of the stated probabilities from what is true. From 0 to 1; 0 is best, and always saying 50% of two labels gives 0.25.',
  'Brier skill':
    'How much of the Brier score of saying the base rate for every case is saved. 1 is best, 0 is no better, below 0 is worse.',
  'bootstrap, resamples, BCa':
    'A way to get an interval: cases are drawn again at random from those there are, many times (the resamples), and the result is computed each time. BCa is a form of it that corrects for skew.',
  bundle: 'A zip with the chains, texts, reports and log of one experiment, and a `verify.html` that checks it in any browser.',
  cached: 'Computed once from the record and stored for reuse.',
  calibrated:
    'Of a system whose stated probabilities are as high as outcomes are frequent: of all cases given 70%, 70 of 100 come true. Well calibrated does not mean often right.',
  calibration:
    'Whether stated probabilities are as high as outcomes are frequent: of all cases given 70%, 70 of 100 should come true.',
  'calibration intercept, intercept alone':
    'Whether probabilities are too high or too low on the whole, as a shift of their log odds; 0 is best. In the large, or alone, means with the slope held at 1: below 0 they are too high, above 0 too low. Any number is possible.',
  'calibration slope':
    'Whether probabilities are too extreme: 1 is best. Below 1 they are too close to 0 and 1, above 1 too close to the middle; below 0 they point the wrong way. Any number is possible.',
  case: 'One question to decide, with its facts and, if known, the true label.',
  cast: 'The list of which model plays which role.',
  'certain belief':
    'The share of beliefs that are exactly 0 or 1. The more there are, the less calibration slope and intercept can say.',
  chain: 'The events of one trial or experiment, in order, where each event contains the hash of the event before.',
  checkpoint:
    'A signed note that says how many entries the log of a store has and what the log root is. A later store can prove that it extends it.',
  "Cohen's kappa": 'Agreement of verdict and truth beyond chance. 1 is best, 0 is as by chance, below 0 is less.',
  confidence: 'How probable a model says its own prediction is.',
  'confidence interval, Wilson interval':
    'A range of values that fit the data: drawn in this way, 95 of 100 such ranges hold the true value. The bootstrap draws the cases again at random; the Wilson interval is for shares.',
  'confidence with correctness':
    'The correlation of stated confidence with being right. From -1 to 1; 1 is best, 0 is no relation.',
  contentiousness: 'A number from 0 (agree) to 1 (attack) that sets how hard debaters argue.',
  'correction, degradation': 'A wrong first answer that became a right verdict, and the reverse.',
  correlation: 'How far two columns of numbers rise together, from -1 to 1. 0 is no relation. It does not say what causes what.',
  counterbalanced:
    'Tried again with one thing exchanged (sides, order or labels), to see whether that changes the verdict. Files and exports call it a `swap`.',
  'data set': 'The table of cases of an experiment; the *Data sets* screen lists all data sets.',
  'Dawid-Skene estimate':
    'The likeliest true label of each case, estimated from the answers of several arms and from how often each of them seems to err. It is computed; nobody is asked.',
  'demo model':
    'A built-in mock server that invents answers by a fixed rule, for trying Assize without a model. The command line, records and exports call it `standin`.',
  'demographic parity':
    'Whether groups get the positive label equally often, as the difference between the largest and the smallest selection rate. 0 is equal; up to 100 points. It does not ask what is true.',
  'dry run':
    'A run of the protocol without a model, to count the calls and show the prompts beforehand; of several, the longest, where a debate can end early.',
  ensemble: 'A named list of models, such as the sixteen models of a paper.',
  'equalised odds':
    'Whether groups have the same error rates, as the larger of their differences in true-positive and in false-positive rate. 0 is equal; up to 100 points.',
  'errors of calibration':
    'How far confidence is from how often it is right, over bins of similar confidence. From 0 to 1; 0 is best. The expected error is above 0 by chance alone; the debiased one subtracts what chance adds.',
  event: 'One recorded step of a trial or an experiment.',
  F1: 'Precision and recall in one number (their harmonic mean), from 0 to 1; 1 is best. Macro-F1 is the mean over the labels, micro-F1 counts all labels together.',
  'failure rate': 'The share of finished trials without a verdict, from 0 to 1; 0 is best.',
  exploratory: 'Of a comparison that was not decided beforehand: what it finds should be found again in other cases.',
  'false-positive rate':
    'Of the cases without the positive label, the share that got it, from 0 to 1; 0 is best. It is 1 less the specificity.',
  filter: 'A condition, such as `sex=Female`, that selects a part of the trials.',
  'first answer':
    'What the role that rules answers first, in some protocols before anyone has spoken, in others after the first speech. It is compared with the verdict.',
  flip: 'A change of the leading label during a trial, or a different verdict in a matched trial.',
  freeze:
    'To record the definition, cases and prompts of an experiment before its first call, so that they cannot change unnoticed.',
  'head hash': 'The hash of the last event of a chain; it covers the whole chain.',
  "Krippendorff's alpha":
    'How far several verdicts on the same cases agree beyond chance. 1 is always, 0 is as by chance. It does not say who is right.',
  label: 'One of the possible answers to a case.',
  ledger: 'The events of one trial, as the running protocol finds them and adds to them.',
  log: 'The heads of all ended attempts of a store, in the order in which they ended. It only grows.',
  'log loss':
    'The mean of the negative logarithm of the probability given to the true label. 0 is best, without a largest value: one sure mistake weighs much.',
  majority:
    'Four different things have their own names. *Majority vote* is the protocol `vote`. The *bench majority* is the label that most judges or voters of one trial name. The *majority of the arms* is derived from the verdicts of several arms on one case. The baseline `majority` always predicts the most frequent label of the training cases.',
  'matched trial': 'The trial of the same case and seed in the counterbalanced arm.',
  'Matthews correlation': 'The correlation of verdict and truth, from -1 to 1. 1 is best, 0 is as by chance.',
  "McNemar's test":
    'Whether one of two is right more often on the same cases. It uses only the cases on which one is right and the other wrong.',
  'mean reciprocal rank': 'The mean of 1 divided by the rank of the true label, the likeliest first. From 0 to 1; 1 is best.',
  miscalibration:
    'What the best correction of the probabilities that keeps their order would take off the Brier score, less what chance adds. 0 is best; by chance it can be a little below.',
  mixture: 'The mean of the beliefs of several roles, each with its weight.',
  'non-inferiority, equivalence':
    'Tests against a margin that was decided beforehand. Non-inferiority: one is at most so much worse than the other. Equivalence: they differ by less than that. A test of a difference that finds none shows neither.',
  odds: 'A probability divided by the rest up to 1: 80% are odds of 4 to 1. Log odds are their logarithm, which is 0 at 50%.',
  'p-value':
    'How probable a difference at least as large as the one seen is if there is none in truth. From 0 to 1; up to 0.05 counts as not explained by chance. It does not say how large a difference is.',
  persuasion:
    'How far a speech moves a belief towards the label that its speaker argues for, in probability. Below 0 it had the opposite effect.',
  points: 'Percentage points: from 60% to 65% are 5 points.',
  precedent: 'A training case with its true label, shown to the judges as an example.',
  precision:
    'Of the cases that got a label, the share that has it, from 0 to 1; 1 is best. Of the positive label it is also called predictive value.',
  preparation: 'What Assize computes once for all trials of an experiment, such as vectors of cases.',
  'prevalence, base rate':
    'The share of cases that have the positive label. Where they are rare, more of the positive verdicts are wrong with the same error rates.',
  'primary comparison':
    'The one comparison that was decided before the first trial. A difference found in it counts as shown; all others are exploratory.',
  projection: 'A table that Assize derives from the events to make queries fast, and can rebuild at any time.',
  protocol: 'The rules of a system: who speaks when, who sees what, and how the verdict is found.',
  recall:
    'Of the cases that have a label, the share that got it, from 0 to 1; 1 is best. Of the positive label it is the true-positive rate, or sensitivity; the false-negative rate is the rest up to 1.',
  'record, store': 'All events and texts in one append-only SQLite file.',
  'reliability, resolution, uncertainty':
    'Three parts of the Brier score: how far bins of beliefs are from what came true (0 is best), how much they separate the cases (more is better), and how mixed the cases are. The score is the first less the second plus the third.',
  replay: 'To derive every verdict again from the recorded answers, without a model.',
  replicate: 'One of several repetitions of a case in an arm, each with its own seed.',
  'risk and coverage':
    'How often the answers are wrong (risk) if only the surest are given (coverage is their share). The area under this curve is from 0 to 1; 0 is best.',
  root: 'One hash for many. The *record root* is over the heads of all chains in a store and changes with every event. The *bundle root* is the same over the chains of one bundle. The *log root*, which a checkpoint signs, is over the ends of all attempts in the log so far, and over what people had said when it was made.',
  'ruling, verdict': 'The final decision of a trial.',
  seed: 'The number from which every random choice of a trial is drawn, and which models get with each call. The same seed gives the same choices.',
  'selection rate': 'The share of cases that got the positive label, from 0 to 1. No value is best in itself.',
  'sets of labels':
    'For each case the labels that are likely enough, chosen so that 90 of 100 sets hold the true label. The fewer labels in a set, the more it says.',
  sign: 'To put a signature under a checkpoint with your own key. Somebody who has the checkpoint can see whether the record still fits it. Who knows the fingerprint of your key, the SHA-256 of its 32 public bytes, can see that it is yours.',
  slot: 'One of the calls that a model server can answer at the same time.',
  smoothed:
    'Of an opinion that moves only part of the way to each new answer, so that no single round decides. The weight of the new answer is a parameter.',
  'stated on average':
    'The mean of the probabilities of a label that an arm states. Next to it is how often the label was true of the same trials, and the difference in points: 0 is best, above 0 the probabilities are too high on average.',
  trajectory: 'All beliefs of a trial in order, from the first answer to the verdict.',
  trial: 'One case, decided once by one arm.',
  'true label, truth':
    'The label that the data set gives a case; it can be wrong. Where the data set says who decided it, screens and reports speak of agreement with them, and “right” means as they decided.',
  verify: 'To check that no event and no text of a record has changed.',
  "Wilcoxon's test":
    'Whether one of two is better on the same cases, by the ranks of the differences. How large the largest differences are counts little, so it can disagree with an interval of the mean.',
  witness: "Somebody who signs the checkpoints of another's record, each only if it extends the one before.",
} as const;

export type Term = keyof typeof glossary;

/** Of measures: their names in exports, which docs/statistics.md has with the formulas. */
const exported: Readonly<Partial<Record<Term, string>>> = {
  accuracy: 'accuracy initial_accuracy verdict_accuracy accuracy_at_1 accuracy_at_3 accuracy_change',
  'area under the curve': 'area_under_curve',
  'balanced accuracy': 'balanced_accuracy',
  'Brier score': 'brier brier_binned',
  'Brier skill': 'brier_skill',
  'calibration intercept, intercept alone': 'calibration_intercept calibration_in_the_large',
  'calibration slope': 'calibration_slope',
  'certain belief': 'certain_belief',
  "Cohen's kappa": 'cohen_kappa',
  'confidence with correctness': 'confidence_correctness_pearson confidence_correctness_spearman',
  'correction, degradation': 'corrections corrections_of_wrong degradations degradations_of_right',
  'demographic parity': 'demographic_parity_difference',
  'equalised odds': 'equalized_odds_difference',
  'errors of calibration': 'expected_calibration_error debiased_calibration_error',
  F1: 'f1 macro_f1 micro_f1 samples_f1',
  'failure rate': 'failure_rate failed failure_rate_difference',
  'false-positive rate': 'false_positive_rate false_positive_rate_difference',
  flip: 'flips flipped answer_flips answer_flipped',
  'log loss': 'log_loss',
  'Matthews correlation': 'matthews_correlation',
  'mean reciprocal rank': 'mean_reciprocal_rank',
  miscalibration: 'miscalibration',
  persuasion: 'persuasion belief_change',
  precision: 'precision positive_predictive_value',
  recall: 'recall true_positive_rate false_negative_rate true_positive_rate_difference',
  'reliability, resolution, uncertainty': 'brier_reliability brier_resolution brier_uncertainty',
  'risk and coverage':
    'area_under_risk_coverage excess_area_under_risk_coverage accuracy_at_coverage_50 accuracy_at_coverage_80 accuracy_at_coverage_90 accuracy_at_coverage_95 accuracy_when_sure accuracy_when_sure_60 accuracy_when_sure_70 accuracy_when_sure_80 accuracy_when_sure_90',
  'selection rate': 'selection_rate',
  'sets of labels': 'conformal_coverage conformal_set_size conformal_one_label conformal_empty conformal_all_labels',
  'stated on average': 'mean_probability observed_share probability_excess',
};

export const terms = Object.keys(glossary) as Term[];

export const isTerm = (word: string): word is Term => Object.hasOwn(glossary, word);

/** Names in exports, for example `brier`; empty for what is no measure. */
export const exportedNames = (term: Term): readonly string[] => exported[term]?.split(' ') ?? [];

const byName = new Map(terms.flatMap((term) => exportedNames(term).map((name) => [name, term])));

/** The term of a measure by its name in exports; undefined where the glossary has none. */
export const termOf = (measure: string): Term | undefined => byName.get(measure);

/** What a term means, and of a measure its names in exports; with the marks `*name*` and `\`code\``. */
export function meaningOf(term: Term): string {
  const names = exportedNames(term).map((name) => `\`${name}\``);
  return names.length === 0 ? glossary[term] : `${glossary[term]} In exports: ${names.join(', ')}.`;
}

export const formulas = 'docs/statistics.md has the formula of each measure, by its name in exports.';
