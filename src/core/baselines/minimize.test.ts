import { describe, expect, it } from 'vitest';
import { minimize, type Objective } from './minimize.ts';

/** (x - 3)² + 100 (y + 1)² + xy has its minimum where 2(x - 3) + y = 0 and 200(y + 1) + x = 0: x = 1400/399, y = -406/399. */
const bowl: Objective = (point, gradient) => {
  const [x = 0, y = 0] = point;
  gradient.set([2 * (x - 3) + y, 200 * (y + 1) + x]);
  return (x - 3) ** 2 + 100 * (y + 1) ** 2 + x * y;
};

const limits = { tolerance: 1e-9, iterations: 200 };

describe('minimize', () => {
  it('finds the minimum of a bowl that is steep one way and flat the other', () => {
    const { point, isReached, gradientNorm } = minimize(bowl, new Float64Array([50, 50]), limits);
    expect(point[0]).toBeCloseTo(1400 / 399, 9);
    expect(point[1]).toBeCloseTo(-406 / 399, 9);
    expect(isReached).toBe(true);
    expect(gradientNorm).toBeLessThanOrEqual(1e-9);
  });

  it('finds a minimum far from the start of a function that is nearly straight there', () => {
    // sqrt(1 + (x - 1000)²): slope 1 far out, so steps have to grow.
    const { point } = minimize(
      ([x = 0], gradient) => {
        const root = Math.sqrt(1 + (x - 1000) ** 2);
        gradient[0] = (x - 1000) / root;
        return root;
      },
      new Float64Array([0]),
      limits,
    );
    expect(point[0]).toBeCloseTo(1000, 6);
  });

  it('says so when the iterations end before the minimum', () => {
    const { isReached, iterations } = minimize(bowl, new Float64Array([50, 50]), { ...limits, iterations: 1 });
    expect({ isReached, iterations }).toEqual({ isReached: false, iterations: 1 });
  });

  it('says so when no step makes the value smaller', () => {
    // The gradient is wrong: it points uphill.
    const { isReached, point } = minimize(
      ([x = 0], gradient) => {
        gradient[0] = -1;
        return x;
      },
      new Float64Array([5]),
      limits,
    );
    expect({ isReached, point: [...point] }).toEqual({ isReached: false, point: [5] });
  });

  it('makes no step from the minimum itself', () => {
    const square: Objective = ([x = 0], gradient) => {
      gradient[0] = 2 * x;
      return x * x;
    };
    expect(minimize(square, new Float64Array([0]), limits)).toMatchObject({ iterations: 0, isReached: true });
  });

  it('gives up on request', () => {
    const stop = () => {
      throw new Error('stopped');
    };
    expect(() => minimize(bowl, new Float64Array([50, 50]), { ...limits, onIteration: stop })).toThrow('stopped');
  });
});
