import { Screen } from '../../ui/Screen.tsx';

export default function EntryScreen({ entry }: { entry: string }) {
  return <Screen title="Data set">{entry}</Screen>;
}
