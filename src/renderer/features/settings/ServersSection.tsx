import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ollamaBackend, type ServerReport, type ServerSetting, type Settings } from '../../../shared/api/engine.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { Outside } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { backendsKey, useServers } from '../protocols/useBackends.ts';
import { allowing } from './HostsSection.tsx';
import { ServerDialog } from './ServerDialog.tsx';
import { ServerFound } from './ServerFound.tsx';
import styles from './Settings.module.css';
import { emptyServer, formOf } from './serverForm.ts';
import { useChangeSettings } from './useChangeSettings.ts';

const kindText = { openai: 'OpenAI’s chat completions', ollama: 'Ollama’s interface' } as const;

/** Servers in addition to the Ollama above: arms choose them by their names. */
export function ServersSection({ settings }: { settings: Settings }) {
  const change = useChangeSettings(settings);
  const look = useServers();
  /** The name of the server that is being changed, or that a new one is being added. */
  const [edited, setEdited] = useState<{ name: string | null } | null>(null);
  const { servers } = settings;
  const editedServer = servers.find(({ name }) => name === edited?.name);
  const save = (server: ServerSetting) => {
    const changed =
      editedServer === undefined ? [...servers, server] : servers.map((each) => (each === editedServer ? server : each));
    change.mutate(
      { change: { servers: changed }, done: `The server “${server.name}” was saved.` },
      { onSuccess: () => setEdited(null) },
    );
  };
  return (
    <Section
      title="Other servers"
      lead="llama.cpp, vLLM, LM Studio, a second Ollama: each arm and role can ask another."
      actions={
        <Button
          icon={Plus}
          size="small"
          onPress={() => {
            change.reset();
            setEdited({ name: null });
          }}
        >
          Add a server
        </Button>
      }
    >
      <FailureNotice error={look.error} />
      {servers.length === 0 ? (
        <p className="muted">None yet.</p>
      ) : (
        <ul className={`stack gap-12 ${styles.servers}`}>
          {servers.map((server) => (
            <li key={server.name}>
              <ServerRow
                server={server}
                report={look.data?.find(({ name }) => name === server.name)}
                onEdit={() => {
                  change.reset();
                  setEdited({ name: server.name });
                }}
                onRemove={() =>
                  change.mutate({
                    change: { servers: servers.filter((each) => each !== server) },
                    done: `The server “${server.name}” was removed.`,
                  })
                }
              />
            </li>
          ))}
        </ul>
      )}
      <FailureNotice error={edited === null ? change.error : null} />
      {edited === null ? null : (
        <ServerDialog
          title={editedServer === undefined ? 'Add a server' : 'Change the server'}
          initial={editedServer === undefined ? emptyServer : formOf(editedServer)}
          others={servers.filter((each) => each !== editedServer)}
          allowedHosts={settings.allowedHosts}
          onAllow={(host) => change.mutate(allowing(settings, host))}
          saving={change.isPending}
          failure={change.error}
          onSave={save}
          onClose={() => setEdited(null)}
        />
      )}
    </Section>
  );
}

function ServerRow({
  server,
  report,
  onEdit,
  onRemove,
}: {
  server: ServerSetting;
  report: ServerReport | undefined;
  onEdit: () => void;
  onRemove: () => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const { name, backend } = server;
  const ask = useMutation({
    mutationFn: () => api.backends.ask(server),
    onSuccess: (found) =>
      queries.setQueryData<readonly ServerReport[]>([...backendsKey, 'servers'], (all) =>
        all?.map((each) => (each.name === found.name ? found : each)),
      ),
  });
  const { concurrency, joins } = backend;
  const key = backend.kind === 'openai' ? backend.apiKeyVariable : undefined;
  return (
    <article className={`card stack gap-8 wrap-anywhere p-14 ${styles.server}`} aria-label={`Server ${name}`}>
      <div className={`row gap-6-8 ${styles.serverHead}`}>
        <Outside as="h3" text={name} />
        <Button icon={RefreshCw} size="small" onPress={() => ask.mutate()} isDisabled={ask.isPending} aria-label={`Ask ${name}`}>
          Ask
        </Button>
        <Button icon={Pencil} size="small" look="quiet" onPress={onEdit} aria-label={`Change ${name}`}>
          Change
        </Button>
        <Button icon={Trash2} size="small" look="quiet" onPress={onRemove} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </div>
      <p className="muted">
        <code>{backend.url}</code>, {kindText[backend.kind]}
        {concurrency === undefined ? '' : `, ${quantity(concurrency, 'call')} at a time`}
        {key === undefined ? '' : `, key in ${key}`}
        {joins === undefined ? null : (
          <>
            , shares the calls of <bdi>{joins === ollamaBackend ? 'the Ollama above' : joins}</bdi>
          </>
        )}
      </p>
      <div role="status" className={styles.serverFound}>
        {report === undefined ? <p className="muted">Looking…</p> : <ServerFound report={report} level={4} />}
      </div>
      <FailureNotice error={ask.error} />
    </article>
  );
}
