import { Screen } from '../../ui/Screen.tsx';

export default function NewExperimentScreen({ entry }: { entry: string }) {
  return <Screen title="New experiment">{entry}</Screen>;
}
