import { RefreshCw } from 'lucide-react';
import { capitalized } from '../../../core/text/visible.ts';
import { type BackendChoice, type BackendReport, ollamaBackend, type ServerReport } from '../../../shared/api/engine.ts';
import { Button } from '../../ui/Button.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { foreignHost } from '../settings/addresses.ts';
import { foundAt, inventedAt, modelsAt } from './backends.ts';
import { useFound } from './useBackends.ts';

/** @param alone whether it is the only server: then there is room for all of its trouble */
function stateOf(report: BackendReport | ServerReport | undefined, looking: boolean, models: number, alone: boolean): string {
  if (report === undefined) return looking ? 'Looking for it…' : 'It is unknown whether it runs.';
  if (!alone) {
    if (report.state === 'ready') return `ready, ${quantity(models, 'model')}.`;
    return report.state === 'refused' ? 'its host is not allowed.' : 'is not ready.';
  }
  if (report.state !== 'ready') return capitalized(report.problem ?? `Nothing answers at ${report.url}.`);
  return `Ready at ${report.url}, ${quantity(models, 'model')}.`;
}

/** Where answers come from: models on the settings' servers, or the demo model. @param asked servers that the arms ask */
export function BackendField({
  value,
  onChange,
  asked,
  error = null,
}: {
  value: BackendChoice;
  onChange: (value: BackendChoice) => void;
  asked: readonly string[];
  error?: string | null;
}) {
  const found = useFound();
  const alone = found.servers.length === 0;
  const noteOf = (name: string) => stateOf(foundAt(found, name), found.isFetching, modelsAt(found, 'ollama', name).length, alone);
  const elsewhere = value === 'standin' ? [] : asked.flatMap((name) => foreignHost(foundAt(found, name)?.url ?? '') ?? []);
  return (
    <div className="stack gap-10">
      <RadioCards
        label="Answers come from"
        value={value}
        error={error}
        onChange={onChange}
        choices={[
          {
            id: 'ollama',
            label: alone ? 'Models on Ollama' : 'Models on your servers',
            note: alone
              ? noteOf(ollamaBackend)
              : [ollamaBackend, ...found.servers.map(({ name }) => name)]
                  .map((name) => `${name === ollamaBackend ? 'Ollama' : name}: ${noteOf(name)}`)
                  .join(' '),
          },
          {
            id: 'standin',
            label: 'The demo model',
            note: 'No model is asked: answers are invented, to see how a trial looks. They say nothing about any case.',
          },
        ]}
      />
      <FailureNotice error={found.error} />
      {inventedAt(found, value, asked) ? (
        <Notice tone="warn">
          <strong>DEMO MODEL</strong>
          <span>
            {value === 'standin'
              ? 'The answers will be invented.'
              : `A demo model answers at ${alone ? 'the Ollama address' : 'an address that is asked'}: answers are invented.`}{' '}
            Everything that comes of them is marked so.
          </span>
        </Notice>
      ) : null}
      {elsewhere.length === 0 ? null : (
        <Notice tone="warn">
          <span>
            <strong>Cases may leave this machine,</strong> to <bdi>{[...new Set(elsewhere)].join(', ')}</bdi>. Those who run it,
            or the network between, may be able to read facts, prompts and answers.
          </span>
        </Notice>
      )}
      <div>
        <Button icon={RefreshCw} size="small" onPress={found.refetch} isDisabled={found.isFetching}>
          {found.isFetching ? 'Checking…' : 'Look again'}
        </Button>
      </div>
    </div>
  );
}
