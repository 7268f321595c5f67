export { outcomeWords } from '../../core/figures/outcomeWords.ts';
