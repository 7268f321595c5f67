import { expect, test } from 'vitest';
import { reviewOrders } from '../../../shared/reviews.ts';
import { nothingLeft } from './reviewText.tsx';

test('without trials there is nothing yet, and with all judged all are reviewed', () => {
  for (const order of reviewOrders) {
    expect(nothingLeft({ trials: 0, judged: 0 }, order, 2)[0]).toBe('No case to review yet');
    expect(nothingLeft({ trials: 40, judged: 40 }, order, 2)[0]).toBe('You have reviewed all cases with a verdict so far');
    expect(nothingLeft({ trials: 1, judged: 1 }, order, 1)).toEqual([
      'You have reviewed this case',
      'Press “Show the results” below.',
    ]);
  }
});

test('what an order has no place for is not called reviewed', () => {
  expect(nothingLeft({ trials: 40, judged: 0 }, 'doubtful', 2)).toEqual([
    'No further case has a stated belief',
    '40 cases cannot be put in this order. Choose another order to review them.',
  ]);
  expect(nothingLeft({ trials: 40, judged: 39 }, 'label-in-doubt', 2)).toEqual([
    'No further case has a label with a stated belief in it',
    '1 case cannot be put in this order. Choose another order to review it.',
  ]);
});
