import { expect, test } from 'vitest';
import { behindMark } from '../kit/plot.ts';
import { accuracyByModelSizeFigure as figure } from './costs.ts';
import { armOf, dataOf, mark, seriesOf, sourcesOf } from './report.fixture.ts';

const half = [
  ['YES', 'YES'],
  ['YES', 'NO'],
] as const;
const arms = (models: readonly string[][]) => models.flatMap((mine, place) => armOf(`arm ${place}`, half, { models: mine }));

test('arms are at the size that their models have in common', () => {
  const data = dataOf(
    figure,
    sourcesOf(arms([['llama3.1:8b'], ['a:8b', 'b-8b'], ['a:8b', 'b:70b'], ['mistral'], ['mixtral:8x7b']])),
  );
  expect(seriesOf(data)['condition-0']?.data).toMatchObject([{ value: [8, 0.5] }, { value: [8, 0.5] }, { value: [56, 0.5] }]);
  expect(data.table.rows.map(([arm, models, , size]) => [arm, models, size])).toEqual([
    ['arm 0', 'llama3.1:8b', '8'],
    ['arm 1', 'a:8b + b-8b', '8'],
    ['arm 2', 'a:8b + b:70b', 'size not known'],
    ['arm 3', 'mistral', 'size not known'],
    ['arm 4', 'mixtral:8x7b', '56'],
  ]);
  expect(data.caption).toContain('2 arms whose models differ in size');
  expect(behindMark(data, mark('condition-0', 2))).toMatchObject({ arm: 'arm 4', status: 'done' });
});

test('names without a size have no figure', () => {
  expect(figure.plot(sourcesOf(arms([['mistral:latest']])))).toBeNull();
});

test('long names of arms that begin alike are cut to different texts', () => {
  const long = 'claims of the western region, court with ';
  const mine = ['one judge', 'three judges'].flatMap((end) => armOf(`${long}${end}`, half, { models: ['a:8b'] }));
  expect(seriesOf(dataOf(figure, sourcesOf(mine)))['condition-0']?.data).toMatchObject([
    { label: { formatter: 'claims of th…h one judge' } },
    { label: { formatter: '…court with three judges' } },
  ]);
});
