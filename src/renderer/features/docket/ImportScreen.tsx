import { Screen } from '../../ui/Screen.tsx';

export default function ImportScreen() {
  return <Screen title="Import">{null}</Screen>;
}
