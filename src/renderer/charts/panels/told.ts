/**
 * What the tooltip of a point tells: its name, and one of its numbers. The name stands behind the numbers of the point.
 * @param number place of the number that is told, from 0
 * @param name place of the name
 */
export const told = (number: number, name: number, words: (value: number) => string) => ({
  encode: { x: 0, y: 1, tooltip: [number], itemName: name },
  tooltip: { valueFormatter: (value: unknown) => (typeof value === 'number' ? words(value) : '') },
});
