import { Screen } from '../../ui/Screen.tsx';

export default function TrialScreen({ trial }: { trial: string }) {
  return <Screen title="Trial">{trial}</Screen>;
}
