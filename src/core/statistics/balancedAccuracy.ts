import { recall } from './classScores.ts';
import { type Confusion, classCounts } from './confusion.ts';

/**
 * Balanced accuracy: mean recall of the classes that are the truth of some case, 0-1; null without cases.
 * Guessing gives 1 / number of classes however skewed they are.
 *
 * Source: K. H. Brodersen, C. S. Ong, K. E. Stephan and J. M. Buhmann, The Balanced Accuracy and Its Posterior
 * Distribution, ICPR 2010; for more than two classes as scikit-learn's `balanced_accuracy_score`. Classes without a
 * case are left out. With one class in the truth it is that class's recall. Example: recalls 0.9 and 0.5 give 0.7.
 */
export function balancedAccuracy(matrix: Confusion): number | null {
  const recalls = matrix.labels.flatMap((label) => recall(classCounts(matrix, label)) ?? []);
  return recalls.length === 0 ? null : recalls.reduce((sum, value) => sum + value, 0) / recalls.length;
}
