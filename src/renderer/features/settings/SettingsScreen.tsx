import { useSettings } from '../../app/theme.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { AboutSection } from './AboutSection.tsx';
import { HostsSection } from './HostsSection.tsx';
import { NetworkSection } from './NetworkSection.tsx';
import { OllamaSection } from './OllamaSection.tsx';
import { RecordSection } from './RecordSection.tsx';
import { RunsSection } from './RunsSection.tsx';
import { ServersSection } from './ServersSection.tsx';
import styles from './Settings.module.css';
import { ThemeSection } from './ThemeSection.tsx';

export default function SettingsScreen() {
  const settings = useSettings();
  return (
    <Screen title="Settings" subtitle="Changes are saved at once">
      {settings.isError ? (
        <FailureNotice error={settings.error} onRetry={settings.refetch} />
      ) : settings.data === undefined ? (
        <p>Reading the settings…</p>
      ) : (
        <div className={styles.sections}>
          <OllamaSection settings={settings.data} />
          <ServersSection settings={settings.data} />
          <ThemeSection settings={settings.data} />
          <RunsSection settings={settings.data} />
          <HostsSection settings={settings.data} />
          <RecordSection />
          <NetworkSection />
          <AboutSection />
        </div>
      )}
    </Screen>
  );
}
