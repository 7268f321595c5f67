import { Screen } from '../../ui/Screen.tsx';

export default function TryScreen() {
  return <Screen title="Try a case">{null}</Screen>;
}
