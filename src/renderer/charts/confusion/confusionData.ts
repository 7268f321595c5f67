/** Trials of one truth with one verdict. */
export interface Cell {
  readonly truth: string;
  readonly prediction: string;
  readonly n: number;
  /** Of the trials of the truth; null where there are none. */
  readonly share: number | null;
}

export interface ConfusionArm {
  readonly arm: string;
  /** Cells with a trial, and for a matrix of few labels the empty ones too. */
  readonly cells: readonly Cell[];
  readonly n: number;
  readonly cases: number;
}

/** One truth that was taken for one other label, over all arms that are drawn. */
export interface WrongPair {
  readonly truth: string;
  readonly prediction: string;
  /** Trials of each arm, in the order of the arms. */
  readonly counts: readonly number[];
}

export interface ConfusionData {
  readonly labels: readonly string[];
  readonly arms: readonly ConfusionArm[];
  /** Empty where the labels fit a matrix. */
  readonly pairs: readonly WrongPair[];
}
