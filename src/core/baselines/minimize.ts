/** A smooth convex function: writes its gradient at `point` into `gradient` and returns its value. */
export type Objective = (point: Float64Array, gradient: Float64Array) => number;

interface Limits {
  /** Norm of the gradient at which the search ends. */
  readonly tolerance: number;
  readonly iterations: number;
  /** Called after each iteration; may throw to give up. */
  readonly onIteration?: (() => void) | undefined;
}

/** Pairs of steps and changes of the gradient that approximate the curvature. */
const memory = 10;
const sufficientDecrease = 1e-4;
const sufficientCurvature = 0.9;
const mostBisections = 60;
/** Share of the value that sums of rounding errors can make up: near the minimum, a rise within it is none. */
const roundingNoise = 1e-13;

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

function addScaled(target: Float64Array, factor: number, source: Float64Array): void {
  for (let index = 0; index < target.length; index++) target[index] = (target[index] ?? 0) + factor * (source[index] ?? 0);
}

interface Correction {
  readonly step: Float64Array;
  readonly change: Float64Array;
  /** 1 / (step · change) */
  readonly inverse: number;
}

/** The two loops of L-BFGS: minus the gradient times an estimate of the inverse Hessian. */
function direction(gradient: Float64Array, corrections: readonly Correction[]): Float64Array {
  const result = gradient.map((value) => -value);
  const shares: number[] = [];
  for (const { step, change, inverse } of corrections.toReversed()) {
    const share = inverse * dot(step, result);
    shares.push(share);
    addScaled(result, -share, change);
  }
  const last = corrections.at(-1);
  if (last !== undefined) {
    const scale = 1 / (last.inverse * dot(last.change, last.change));
    for (let index = 0; index < result.length; index++) result[index] = (result[index] ?? 0) * scale;
  }
  for (const { step, change, inverse } of corrections)
    addScaled(result, (shares.pop() ?? 0) - inverse * dot(change, result), step);
  return result;
}

/**
 * Minimises a smooth convex function from a start point: L-BFGS with a line search by bisection for the weak Wolfe
 * conditions. It ends where the norm of the gradient is within the tolerance, where no step makes the value smaller, or
 * after the allowed iterations; `isReached` is true only for the first.
 *
 * Source: J. Nocedal and S. J. Wright, Numerical Optimization, 2nd ed. (2006), algorithms 7.4 and 7.5; A. S. Lewis and
 * M. L. Overton, Nonsmooth optimization via quasi-Newton methods, Mathematical Programming 141 (2013), section 3 (line search).
 */
export function minimize(objective: Objective, start: Float64Array, { tolerance, iterations, onIteration }: Limits) {
  let point = start.slice();
  let gradient = new Float64Array(point.length);
  let value = objective(point, gradient);
  const corrections: Correction[] = [];
  let norm = Math.sqrt(dot(gradient, gradient));
  let done = 0;
  for (; done < iterations && norm > tolerance; done++) {
    const toward = direction(gradient, corrections);
    const slope = dot(gradient, toward);
    let [low, high] = [0, Number.POSITIVE_INFINITY];
    let length = corrections.length === 0 ? Math.min(1, 1 / norm) : 1;
    const next = new Float64Array(point.length);
    const nextGradient = new Float64Array(point.length);
    let nextValue = value;
    let isFound = false;
    for (let tried = 0; tried < mostBisections && !isFound; tried++) {
      next.set(point);
      addScaled(next, length, toward);
      nextValue = objective(next, nextGradient);
      const most = value + sufficientDecrease * length * slope + roundingNoise * Math.abs(value);
      if (!(nextValue <= most)) high = length;
      else if (dot(nextGradient, toward) < sufficientCurvature * slope) low = length;
      else isFound = true;
      if (!isFound) length = Number.isFinite(high) ? (low + high) / 2 : length * 2;
    }
    if (!isFound) break;
    const step = next.slice();
    addScaled(step, -1, point);
    const change = nextGradient.slice();
    addScaled(change, -1, gradient);
    const curvature = dot(step, change);
    if (curvature > 0) corrections.push({ step, change, inverse: 1 / curvature });
    if (corrections.length > memory) corrections.shift();
    point = next;
    gradient = nextGradient;
    value = nextValue;
    norm = Math.sqrt(dot(gradient, gradient));
    onIteration?.();
  }
  /** `gradientNorm`: Euclidean. */
  return { point, gradientNorm: norm, iterations: done, isReached: norm <= tolerance };
}
