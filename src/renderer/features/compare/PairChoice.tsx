import { ArrowLeftRight } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Select.tsx';
import styles from './Compare.module.css';
import type { Pair } from './pair.ts';

const idOf = (name: string, baseline: boolean) => JSON.stringify([name, baseline]);

/** Which arm is held against which, or against which baseline. */
export function PairChoice({
  pair,
  arms,
  baselines,
  onChoose,
}: {
  pair: Pair;
  arms: readonly string[];
  baselines: readonly string[];
  onChoose: (pair: Pair) => void;
}) {
  const first = arms.map((name) => ({ id: name, label: name, disabled: !pair.baseline && name === pair.b }));
  const second = [
    ...arms.map((name) => ({ id: idOf(name, false), label: name, disabled: name === pair.a })),
    ...baselines.map((name) => ({ id: idOf(name, true), label: `${name} (baseline)` })),
  ];
  const chooseSecond = (id: string) => {
    const baseline = baselines.find((name) => idOf(name, true) === id);
    const arm = arms.find((name) => idOf(name, false) === id);
    if (baseline !== undefined) onChoose({ ...pair, b: baseline, baseline: true });
    else if (arm !== undefined) onChoose({ ...pair, b: arm, baseline: false });
  };
  return (
    <div className={styles.choice}>
      <Select label="Compare" choices={first} value={pair.a} onChange={(a) => onChoose({ ...pair, a })} />
      <Button
        aria-label="Exchange the two"
        isDisabled={pair.baseline}
        onPress={() => onChoose({ a: pair.b, b: pair.a, baseline: false })}
      >
        <ArrowLeftRight size={15} aria-hidden="true" />
      </Button>
      <Select label="with" choices={second} value={idOf(pair.b, pair.baseline)} onChange={chooseSecond} />
    </div>
  );
}
