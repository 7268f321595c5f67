import { Screen } from '../../ui/Screen.tsx';

export default function ExperimentScreen({ experiment }: { experiment: string }) {
  return <Screen title="Experiment">{experiment}</Screen>;
}
