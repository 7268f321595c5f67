import type { Settings } from '../../../shared/api/engine.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Section } from '../../ui/Section.tsx';
import { useChangeSettings } from './useChangeSettings.ts';

const words = { system: 'As the system has it', light: 'Light', dark: 'Dark' } as const;

export function ThemeSection({ settings }: { settings: Settings }) {
  const change = useChangeSettings(settings);
  return (
    <Section title="Looks">
      <RadioCards
        label="Theme"
        labelHidden
        value={settings.theme}
        choices={[
          { id: 'system', label: words.system },
          { id: 'light', label: words.light },
          { id: 'dark', label: words.dark },
        ]}
        onChange={(theme) => change.mutate({ change: { theme }, done: `Theme: ${words[theme].toLowerCase()}.` })}
      />
      <FailureNotice error={change.error} />
    </Section>
  );
}
