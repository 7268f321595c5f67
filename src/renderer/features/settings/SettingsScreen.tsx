import { Screen } from '../../ui/Screen.tsx';

export default function SettingsScreen() {
  return <Screen title="Settings">{null}</Screen>;
}
