import { type ComponentProps, createContext, type ReactNode, useContext, useMemo } from 'react';
import { shownArmNames, withShownArmNames } from '../../../core/figures/armNames.ts';
import { speechName } from '../../../core/figures/speakers.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { HiddenText, Paragraph } from '../../ui/HiddenText.tsx';

const Names = createContext<ReadonlyMap<string, string>>(new Map());

export function ArmNamesProvider({
  arms,
  speeches = {},
  children,
}: {
  arms: readonly string[];
  /** By arm and key, what its speeches are called; absent while unknown. */
  speeches?: StatsReport['speech_names'];
  children: ReactNode;
}) {
  const key = JSON.stringify([arms, speeches]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says which names these are
  const names = useMemo(() => shownArmNames(arms, (speech, arm) => speeches[arm]?.[speech] ?? speechName(speech)), [key]);
  return <Names value={names}>{children}</Names>;
}

/** By its name in the record, what each arm is called; an arm that is not in it is called by that name. */
export const useArmNames = (): ReadonlyMap<string, string> => useContext(Names);

/** What an arm is called; its name in the record is in the tip. */
export function ArmName({ arm }: { arm: string }) {
  const shown = useArmNames().get(arm) ?? arm;
  return (
    <bdi title={shown === arm ? undefined : arm}>
      <HiddenText text={shown} />
    </bdi>
  );
}

/** A sentence of the program with the arms in it called as everywhere else. */
export function ArmSentence({ text }: { text: string }) {
  return <HiddenText text={withShownArmNames(text, useArmNames())} />;
}

/** The same as a paragraph; nothing where there is no sentence. */
export function ArmParagraph({ text, ...rest }: ComponentProps<typeof Paragraph>) {
  const names = useArmNames();
  return <Paragraph {...rest} text={text == null ? null : withShownArmNames(text, names)} />;
}

export const ArmParagraphs = ({ texts, className }: { texts: readonly string[]; className?: string | undefined }) =>
  texts.map((text) => <ArmParagraph key={text} className={className} text={text} />);
