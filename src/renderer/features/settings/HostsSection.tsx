import type { Settings } from '../../../shared/api/engine.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Section.tsx';
import { TagsField } from '../../ui/TagsField.tsx';
import { foreignHost, hostProblem } from './addresses.ts';
import { useChangeSettings } from './useChangeSettings.ts';

export const allowing = ({ allowedHosts }: Pick<Settings, 'allowedHosts'>, host: string) => ({
  change: { allowedHosts: [...allowedHosts, host] },
  done: null,
});

export const OutsideWarning = ({ hosts }: { hosts: number }) => (
  <Notice tone="warn">
    <span>
      <strong>Cases may leave this machine.</strong> Those who run {hosts === 1 ? 'this host' : 'these hosts'}, or the network
      between, may be able to read facts, prompts and answers. Every record says where its calls went.
    </span>
  </Notice>
);

export function HostsSection({ settings }: { settings: Settings }) {
  const change = useChangeSettings(settings);
  const { allowedHosts } = settings;
  const addresses = [
    { whose: 'The Ollama address', url: settings.ollamaUrl },
    ...settings.servers.map(({ name, backend }) => ({ whose: `The address of “${name}”`, url: backend.url })),
  ];
  const waiting = addresses.flatMap(({ whose, url }) => {
    const host = foreignHost(url);
    return host === null || allowedHosts.includes(host) ? [] : [{ whose, host }];
  });
  return (
    <Section
      title="Other machines"
      lead={
        allowedHosts.length === 0
          ? 'Nothing leaves this machine. To use a server elsewhere, name its host here.'
          : 'Cases and answers may leave this machine, to the hosts below and no others. A host is allowed on all its ports.'
      }
    >
      {allowedHosts.length === 0 ? null : <OutsideWarning hosts={allowedHosts.length} />}
      {waiting.map(({ whose, host }) => (
        <Notice key={whose} tone="warn">
          <span>
            {whose} is on <bdi>{host}</bdi>, which is not allowed: calls to it are refused.
          </span>
        </Notice>
      ))}
      <TagsField
        label="Allowed hosts"
        noun="host"
        placeholder="gpu.example.org"
        values={allowedHosts}
        problemOf={hostProblem}
        onAdd={(host) => change.mutate(allowing(settings, host))}
        onRemove={(host) =>
          change.mutate({
            change: { allowedHosts: allowedHosts.filter((other) => other !== host) },
            done: `${host} is no longer allowed.`,
          })
        }
      />
      <FailureNotice error={change.error} />
    </Section>
  );
}
