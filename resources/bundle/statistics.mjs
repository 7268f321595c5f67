// Whether statistics.json says what the trials of a bundle amount to.
import { parseFile } from './bytes.mjs';
import { same, sorted } from './trials.mjs';
import { need } from './zip.mjs';

/** Wilson's interval of a share at 95%. */
function wilson(count, n) {
  const z = 1.959963984540054;
  const spread = z * Math.sqrt((count * (n - count)) / n + (z * z) / 4);
  return [(count + (z * z) / 2 - spread) / (n + z * z), (count + (z * z) / 2 + spread) / (n + z * z)];
}

/**
 * The interval of an accuracy. Where each trial has its own case it is derived again. Trials of one case are no independent
 * ones: the interval over cases comes from resamples that are not drawn here, so it is what statistics.json says.
 */
function intervalOf(arm, known, { low, high }) {
  if (new Set(known.map((line) => line.case)).size === known.length) return { low, high, derived: true };
  const over = arm.measures?.find((measure) => measure?.name === 'accuracy' && measure.over === 'decided');
  return over?.low == null ? null : { low: over.low, high: over.high, derived: false };
}

const near = (one, other) => (one === null || other === null ? one === other : Math.abs(one - other) < 1e-9);

/** F1 of a label, null where nothing is of it and nothing was said to be. */
function f1(known, label) {
  const hits = known.filter(({ truth, prediction }) => truth === label && prediction === label).length;
  const marked = known.filter(({ truth, prediction }) => (truth === label) !== (prediction === label)).length;
  return hits + marked === 0 ? null : (2 * hits) / (2 * hits + marked);
}

/** Counts, accuracy with its interval, and F1 of each arm, derived again from the trials and compared with statistics.json. */
export function checkStatistics(bytes, lines) {
  const statistics = parseFile('statistics.json', bytes);
  need(Array.isArray(statistics.arms), 'statistics.json: its arms are not a list');
  return statistics.arms.map((arm) => {
    const place = `statistics.json, arm ${arm.arm}`;
    need(arm.measures === undefined || Array.isArray(arm.measures), `${place}: its measures are not a list`);
    const planned = lines.filter((line) => line.arm === arm.arm && line.experiment === statistics.experiment);
    const done = planned.filter(({ status }) => status === 'done');
    const known = done.filter(({ outcome, truth, prediction }) => outcome === 'decided' && truth !== null && prediction !== null);
    const right = known.filter(({ truth, prediction }) => same(sorted(truth), sorted(prediction))).length;
    need(
      arm.planned === planned.length &&
        arm.n === done.length &&
        arm.decided === done.filter(({ outcome }) => outcome === 'decided').length,
      `${place}: its counts of trials are others`,
    );
    const { accuracy_decided: said } = arm;
    need(
      (said?.n ?? 0) === known.length && (said?.count ?? 0) === right,
      `${place}: its accuracy is another: ${right} of ${known.length} are right`,
    );
    const [low, high] = known.length === 0 ? [null, null] : wilson(right, known.length);
    const isPlain = statistics.interval.method === 'wilson' && statistics.interval.level === 0.95 && said?.low != null;
    if (isPlain && low !== null) need(near(said.low, low) && near(said.high, high), `${place}: its interval is another`);
    const interval = known.length === 0 ? null : intervalOf(arm, known, { low, high });
    const positive =
      known.every(({ truth, prediction }) => !Array.isArray(truth) && !Array.isArray(prediction)) && known.length > 0
        ? arm.positive
        : null;
    const score = positive === null ? null : f1(known, positive);
    if (score !== null && arm.f1 != null) need(near(arm.f1, score), `${place}: its F1 is another`);
    const by = planned[0]?.decided_by;
    return { arm: arm.arm, done: done.length, known: known.length, right, by, interval, f1: score };
  });
}
