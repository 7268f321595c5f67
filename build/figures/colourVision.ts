/**
 * How a colour looks to people with one kind of cones missing, and how far apart two colours look.
 *
 * Source of the matrices: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, A physiologically-based model for simulation
 * of color vision deficiency, IEEE Transactions on Visualization and Computer Graphics 15(6), 2009, severity 1.0; they
 * are applied to linear sRGB, and what falls out of the gamut is cut. Source of the distance: B. Ottosson, A perceptual
 * color space for image processing (OKLab), 2020: the Euclidean distance, 0 for the same colour, 1 from black to white.
 * Limits: a simulation of the mean observer; not of reduced cones, brightness of a screen, or small marks.
 */

/** sRGB, each 0-1. */
type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

export const visions = ['normal', 'protanopia', 'deuteranopia', 'tritanopia'] as const;
export type Vision = (typeof visions)[number];

const matrices: Readonly<Record<Exclude<Vision, 'normal'>, Matrix>> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const toLinear: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const toLab: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

const times = (matrix: Matrix, [a, b, c]: Triple): Triple => {
  const [x, y, z] = matrix.map(([p, q, r]) => p * a + q * b + r * c);
  return [x ?? 0, y ?? 0, z ?? 0];
};
const each = ([a, b, c]: Triple, of: (value: number) => number): Triple => [of(a), of(b), of(c)];

/** @param colour `#rrggbb` */
function linearOf(colour: string): Triple {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) throw new RangeError(`${colour} is no colour of the form #rrggbb`);
  const part = (from: number) => Number.parseInt(colour.slice(from, from + 2), 16) / 255;
  return each([part(1), part(3), part(5)], (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
}

function hexOf(linear: Triple): string {
  const encoded = each(linear, (value) => {
    const inside = Math.min(1, Math.max(0, value));
    return inside <= 0.0031308 ? inside * 12.92 : 1.055 * inside ** (1 / 2.4) - 0.055;
  });
  return `#${encoded
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** `#rrggbb` as it looks to such a person. */
export function seenBy(vision: Vision, colour: string): string {
  return vision === 'normal' ? colour.toLowerCase() : hexOf(times(matrices[vision], linearOf(colour)));
}

/** Distance of two colours in OKLab, from 0; about 0.02 is just seen between large areas side by side. */
export function colourDistance(one: string, other: string): number {
  const lab = (colour: string) => times(toLab, each(times(toLinear, linearOf(colour)), Math.cbrt));
  const [a, b] = [lab(one), lab(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Contrast of WCAG 2.2, 1 to 21. */
export function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [red, green, blue] = linearOf(colour);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}
