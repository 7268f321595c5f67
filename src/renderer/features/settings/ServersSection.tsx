import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ollamaBackend, type ServerReport, type ServerSetting, type Settings } from '../../../shared/api/engine.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { bindFields } from '../../ui/FormField.tsx';
import { Outside } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { quantity } from '../../ui/quantity.ts';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { backendsKey, useServers } from '../protocols/useBackends.ts';
import { foreignHost, hostProblem } from './addresses.ts';
import { allowing, OutsideWarning } from './HostsSection.tsx';
import { ServerFound } from './ServerFound.tsx';
import styles from './Settings.module.css';
import { checkServer, emptyServer, formOf, type ServerField, type ServerForm, sharers } from './serverForm.ts';
import { useChangeSettings } from './useChangeSettings.ts';

interface Properties {
  readonly title: string;
  readonly initial: ServerForm;
  readonly others: readonly ServerSetting[];
  readonly allowedHosts: readonly string[];
  readonly onAllow: (host: string) => void;
  readonly saving: boolean;
  readonly failure: Error | null;
  readonly onSave: (server: ServerSetting) => void;
  readonly onClose: () => void;
}

/** Names a server, says how it is reached, and lets it be asked before it is saved. */
function ServerDialog({ title, initial, others, allowedHosts, onAllow, saving, failure, onSave, onClose }: Properties) {
  const api = useApi();
  const [form, setForm] = useState(initial);
  const [checking, setChecking] = useState(false);
  const ask = useMutation({ mutationFn: (server: ServerSetting) => api.backends.ask(server) });
  const { server, wrong } = checkServer(form, others);
  const errorAt = (field: ServerField) => (checking ? (wrong?.[field] ?? null) : null);
  const change = (part: Partial<ServerForm>) => {
    // What the server said was of the form as it was.
    ask.reset();
    setForm((before) => ({ ...before, ...part }));
  };
  const at = bindFields(form, change, errorAt);
  const withServer = (action: (server: ServerSetting) => void) => () => {
    setChecking(true);
    if (server !== null) action(server);
  };
  const shared = sharers(form.kind, others);
  const outside = foreignHost(form.url.trim());
  const refused = outside === null ? null : hostProblem(outside);
  return (
    <ModalDialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onPress={withServer((asked) => ask.mutate(asked))} isDisabled={ask.isPending}>
            {ask.isPending ? 'Asking…' : 'Ask it'}
          </Button>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" onPress={withServer(onSave)} isDisabled={saving}>
            Save
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        description="Arms choose it by this name, and every record shows it: say which machine or model it is."
        placeholder="gpu"
        autoFocus
        {...at('name')}
      />
      <RadioCards
        label="Interface"
        value={form.kind}
        onChange={(kind) => change({ kind })}
        choices={[
          { id: 'openai', label: 'OpenAI’s chat completions', note: 'llama.cpp’s llama-server, vLLM, LM Studio.' },
          { id: 'ollama', label: 'Ollama’s interface', note: 'Another Ollama next to the first.' },
        ]}
      />
      <TextField
        label="Address"
        look="mono"
        placeholder={form.kind === 'openai' ? 'http://127.0.0.1:8000/v1' : 'http://127.0.0.1:11435'}
        {...(form.kind === 'openai' ? { description: 'Usually it ends in /v1.' } : {})}
        {...at('url')}
      />
      {outside === null ? null : allowedHosts.includes(outside) ? (
        <OutsideWarning hosts={1} />
      ) : (
        <Notice tone="warn">
          <span>
            <strong>
              <bdi>{outside}</bdi> is not this machine.
            </strong>{' '}
            Nothing is sent there until you allow it; from then on cases and answers may leave this machine.
            {form.url.trim().startsWith('http:') ? ' Over plain http they, and a key, can be read on the way.' : ''}{' '}
            {refused ?? 'The permission takes effect at once and remains after Cancel; the settings can take it back.'}
          </span>
          <Button
            size="small"
            isDisabled={saving || refused !== null}
            onPress={() => {
              ask.reset();
              onAllow(outside);
            }}
          >
            Allow <bdi>{outside}</bdi>
          </Button>
        </Notice>
      )}
      {form.kind === 'openai' ? (
        <TextField
          label="Environment variable with the key"
          description="Only where the server wants a key. Set it, under a name such as ASSIZE_GPU_KEY, before Assize is started; the key itself is neither kept nor shown."
          look="mono"
          {...at('keyVariable')}
        />
      ) : null}
      <NumberField
        label="Calls at a time"
        description="As many as the server has slots. Empty: as the settings say for all. A run that is under way keeps its number; to use a new number, stop the run and continue it."
        {...at('concurrency')}
        minValue={1}
        maxValue={256}
      />
      {shared.length === 0 ? null : (
        <Select
          label="Shares the calls of"
          description="With the same models here, both servers work at the same arms. What is under way at one that goes away is asked of the other."
          value={form.joins !== null && shared.includes(form.joins) ? form.joins : ''}
          onChange={(name) => change({ joins: name === '' ? null : name })}
          choices={[
            { id: '', label: 'No other server' },
            ...shared.map((name) => ({ id: name, label: name === ollamaBackend ? 'The Ollama above' : name })),
          ]}
        />
      )}
      <div role="status">{ask.data === undefined ? null : <ServerFound report={ask.data} level={3} />}</div>
      <FailureNotice error={ask.error} />
      <FailureNotice error={failure} />
    </ModalDialog>
  );
}

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
        <ul className={'stack gap-12'}>
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
    <article className={'card stack gap-8 wrap-anywhere p-14'} aria-label={`Server ${name}`}>
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
