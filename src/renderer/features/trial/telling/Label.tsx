import { HiddenText } from '../../../ui/HiddenText.tsx';

/** A label of the data, in its own direction. */
export function Label({ text }: { text: string }) {
  return (
    <bdi>
      <HiddenText text={text} />
    </bdi>
  );
}
