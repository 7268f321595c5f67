import { expect, test } from 'vitest';
import type { ListedCase } from '../../../shared/api/dataFiles.ts';
import type { SplitName, Truth } from '../../../shared/domain.ts';
import { countsText } from './undrawnCases.ts';

const kase = (split: SplitName, truth: Truth) => ({ listed: { split, truth } as ListedCase });

test('cases are counted by share and label, and erased ones apart; of many labels only the shares are', () => {
  const cases = [kase('train', 'NO'), kase('train', 'YES'), kase('train', 'NO'), kase('test', 'YES'), kase('test', null)];
  expect(countsText(cases)).toBe('2 test (NO 0, YES 1, unknown 1), 3 training (NO 2, YES 1, unknown 0)');
  expect(countsText([...cases.slice(0, 3), { listed: null }])).toBe('3 training (NO 2, YES 1), 1 case erased');
  expect(countsText(['A', 'B', 'C', 'D', 'E', 'F'].map((label) => kase('test', label)))).toBe('6 test');
});
