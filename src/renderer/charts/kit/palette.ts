/**
 * Eight colours to distinguish series, for each background: pairwise apart for people with normal vision and with any one kind
 * of cones missing, and against the ground. `build/figures/palette.test.ts` measures it.
 */
export const palettes = {
  light: ['#4a4458', '#b4480f', '#3c5aac', '#d67525', '#521a0a', '#4693ee', '#271e58', '#9b8694'],
  dark: ['#b9b0d0', '#f09a62', '#4572c6', '#97f1e8', '#7b96f9', '#947b87', '#fdde57', '#bb5e00'],
} as const;
export type Theme = keyof typeof palettes;

export const symbols = [
  'circle',
  'rect',
  'triangle',
  'diamond',
  'emptyCircle',
  'emptyRect',
  'emptyTriangle',
  'emptyDiamond',
] as const;

/** Pattern of a filled area, as ECharts takes it. */
export interface Decal {
  readonly symbol: 'rect' | 'circle' | 'none';
  readonly symbolSize?: number;
  readonly dashArrayX: readonly number[] | readonly (readonly number[])[];
  readonly dashArrayY: readonly number[];
  readonly rotation: number;
  readonly color: string;
}

type Pattern = Omit<Decal, 'color'>;
const stripes = (rotation: number, gap: number): Pattern => ({
  symbol: 'rect',
  dashArrayX: [1, 0],
  dashArrayY: [2, gap],
  rotation,
});
const dots = (gap: number): Pattern => ({
  symbol: 'circle',
  symbolSize: 0.7,
  dashArrayX: [
    [gap, gap],
    [0, gap, gap, 0],
  ],
  dashArrayY: [gap, 0],
  rotation: 0,
});

const patterns: readonly Pattern[] = [
  { symbol: 'none', dashArrayX: [1, 0], dashArrayY: [1, 0], rotation: 0 },
  stripes(Math.PI / 4, 6),
  dots(6),
  stripes(-Math.PI / 4, 6),
  stripes(0, 6),
  stripes(Math.PI / 2, 6),
  dots(3),
  stripes(Math.PI / 4, 3),
];

/** Colour, symbol and pattern of the n-th series; the first 64 differ in colour or in symbol. */
export function seriesMark(theme: Theme, index: number): { colour: string; symbol: string; decal: Decal } {
  const colours = palettes[theme];
  const place = index % colours.length;
  const round = Math.floor(index / colours.length);
  const pattern = patterns[place] as Pattern;
  return {
    colour: colours[place] as string,
    symbol: symbols[(place + round) % symbols.length] as string,
    decal: { ...pattern, color: theme === 'light' ? 'rgba(255, 255, 255, 0.45)' : 'rgba(0, 0, 0, 0.4)' },
  };
}
