import { Screen } from '../../ui/Screen.tsx';

export default function ExperimentsScreen() {
  return <Screen title="Experiments">{null}</Screen>;
}
