import { Screen } from '../../ui/Screen.tsx';

export default function DocketScreen() {
  return <Screen title="Docket">{null}</Screen>;
}
